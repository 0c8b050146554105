import Glibc
import HTTPCore
import HTTPServer
import Platform
import Synchronization
import Testing

struct StopTests {
    @Test("Stopping lets running requests end, and takes no new connections")
    func graceful() throws {
        let gate = Gate()
        let running = try RunningServer(
            EchoHandler(later: { request in
                gate.pass()
                return EchoHandler.echo(request)
            }))
        let (busy, idle) = (running.client(), running.client())
        #expect(idle.exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")?.status == 200)
        busy.send("GET /later HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(wait { gate.arrived == 1 })
        let server = running.server
        let stopped = Flag()
        // A thread of its own: the test's blocks.
        let stopper = WorkerTeam(name: "stopper", workers: 1, waitingLimit: 1)
        #expect(
            stopper.trySubmit {
                server.stop(gracePeriod: .seconds(10))
                stopped.set()
            })
        // Idle connections end at once, the running request does not.
        #expect(idle.isClosed())
        #expect(running.client(timeout: 1).exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n") == nil)
        #expect(!stopped.isSet)
        gate.open()
        let answer = busy.read()
        #expect(answer?.text == "GET /later ? 0 ")
        #expect(answer?["Connection"] == "close")
        #expect(busy.isClosed())
        #expect(wait { stopped.isSet })
    }

    @Test("Requests that do not end in time are answered 503, and their late answers are dropped")
    func impatient() throws {
        let gate = Gate()
        let running = try RunningServer(
            EchoHandler(later: { request in
                gate.pass()
                return EchoHandler.echo(request)
            })
        ) { $0.workers = 1 }
        let clients = (0..<3).map { _ in running.client() }
        for client in clients { client.send("GET /later HTTP/1.1\r\nHost: h\r\n\r\n") }
        #expect(wait { gate.arrived == 1 })
        let start = ContinuousClock.now
        running.server.stop(gracePeriod: .milliseconds(100))
        #expect(ContinuousClock.now - start < .seconds(3))
        #expect(clients.allSatisfy { $0.read()?.status == 503 })
        gate.open()
    }

    @Test("Stopping twice, before the start, and under load are all fine")
    func robust() throws {
        let never = try HTTPServer(configuration: ServerConfiguration(), handler: EchoHandler())
        never.stop(gracePeriod: .zero)
        #expect(throws: ServerError.cannotStart) { try never.start() }
        for round in 0..<20 {
            let running = try RunningServer { $0.eventThreads = 1 + round % 3 }
            let clients = (0..<8).map { _ in running.client() }
            for client in clients {
                client.send(String(repeating: "GET /later HTTP/1.1\r\nHost: h\r\n\r\n", count: 50))
            }
            running.server.stop(gracePeriod: .milliseconds(round))
            running.server.stop(gracePeriod: .zero)
        }
    }
}

private final class Flag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() { flag.store(true, ordering: .releasing) }
}
