import Glibc
import HTTPCore
import HTTPServer
import Testing

struct SlowClientTests {
    private func quick() throws -> RunningServer {
        try RunningServer {
            $0.limits.headTime = .milliseconds(300)
            $0.limits.slowTime = .milliseconds(300)
            $0.limits.idleTime = .milliseconds(600)
            $0.limits.slowestRate = 1_000
        }
    }

    @Test("A head that drips is cut off, on a new connection and on one that was used")
    func slowHead() throws {
        let running = try quick()
        for isUsed in [false, true] {
            let client = running.client()
            if isUsed { #expect(client.exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")?.status == 200) }
            let start = ContinuousClock.now
            var isAlive = true
            for byte in Array("GET /a HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "x", count: 200))".utf8)
            where isAlive {
                isAlive = client.send([byte]) && !client.isClosedNow()
                usleep(20_000)
            }
            #expect(!isAlive)
            let elapsed = ContinuousClock.now - start
            #expect(elapsed >= .milliseconds(300))
            #expect(elapsed < .seconds(2))
        }
    }

    @Test("A body that drips is cut off", arguments: [false, true])
    func slowBody(isChunked: Bool) throws {
        let running = try quick()
        let client = running.client()
        client.send(
            "POST /a HTTP/1.1\r\nHost: h\r\n\(isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 5000")\r\n\r\n"
        )
        let start = ContinuousClock.now
        var isAlive = true
        for _ in 0..<200 where isAlive {
            isAlive = client.send(isChunked ? "1\r\na\r\n" : "a") && !client.isClosedNow()
            usleep(20_000)
        }
        #expect(!isAlive)
        #expect(ContinuousClock.now - start < .seconds(2))
    }

    @Test("A body that takes longer but comes fast enough is taken")
    func steadyBody() throws {
        let running = try quick()
        let client = running.client()
        client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 10000\r\n\r\n")
        for _ in 0..<20 {
            #expect(client.send(String(repeating: "a", count: 500)))
            usleep(40_000)
        }
        #expect(client.read()?.text == "POST /a ? 10000 aaaaaaaaaaaaaaaaaaaa")
    }

    @Test("An idle connection is closed after its time, not before")
    func idle() throws {
        let running = try quick()
        for isUsed in [false, true] {
            let client = running.client()
            if isUsed { #expect(client.exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")?.status == 200) }
            usleep(400_000)
            #expect(!client.isClosedNow())
            #expect(client.isClosed())
        }
    }

    @Test("A request that its worker takes long for is not cut off")
    func slowWorker() throws {
        let running = try RunningServer(
            EchoHandler(later: { _ in
                usleep(1_000_000)
                return .text("late")
            })
        ) {
            $0.limits.headTime = .milliseconds(200)
            $0.limits.slowTime = .milliseconds(200)
            $0.limits.idleTime = .milliseconds(200)
        }
        #expect(running.client().exchange("GET /later HTTP/1.1\r\nHost: h\r\n\r\n")?.text == "late")
    }

    @Test("A client that takes a long answer too slowly is cut off")
    func slowReader() throws {
        let size = 12_000_000
        // No 200, so that no time goes into an entity tag.
        let long = Response(.notFound, .jpeg, [UInt8](repeating: 1, count: size))
        let running = try RunningServer(EchoHandler(later: { _ in long })) {
            $0.limits.slowTime = .milliseconds(200)
            $0.limits.slowestRate = 100_000_000
        }
        let client = RawClient(port: running.port, receiveBuffer: 65_536)
        client.send("GET /later HTTP/1.1\r\nHost: h\r\n\r\n")
        usleep(1_000_000)
        #expect((client.read()?.body.count ?? size) < size)
    }

    @Test("A client that vanishes mid-body or while its request runs does no harm")
    func vanishing() throws {
        let gate = Gate()
        let running = try RunningServer(
            EchoHandler(later: { request in
                gate.pass()
                return EchoHandler.echo(request)
            }))
        for _ in 0..<20 { running.client().send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc") }
        for _ in 0..<20 { running.client().send("GET /later/big HTTP/1.1\r\nHost: h\r\n\r\n") }
        for _ in 0..<20 {
            let client = running.client()
            client.send("GET /later/big HTTP/1.1\r\nHost: h\r\n\r\n")
            client.reset()
        }
        #expect(wait { gate.arrived >= 1 })
        gate.open()
        // A reset may overtake its request, so only the first twenty are sure to arrive.
        #expect(wait { gate.arrived >= 20 })
        #expect(running.client().exchange("GET /later HTTP/1.1\r\nHost: h\r\n\r\n")?.status == 200)
    }
}
