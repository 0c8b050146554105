import Glibc
import HTTPCore
import HTTPServer
import Platform
import Testing

struct SinkTests {
    private let text = "POST /a HTTP/1.1\r\nHost: h\r\n"

    @Test("A body reaches its sink whole and in order, whatever its length")
    func whole() throws {
        let handler = SinkHandler()
        let running = try RunningServer(handler)
        let client = running.client()
        for size in [0, 1, 1_000, 262_143, 262_144, 262_145, 1_000_003, 5_000_000] {
            let body = pattern(size)
            client.send("\(text)Content-Length: \(size)\r\n\r\n")
            client.send(body)
            #expect(client.read()?.text == "0 \(size)")
            #expect(handler.last?.bytes == body)
            #expect(handler.last?.isCancelled == false)
        }
        #expect(client.exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")?.text == "no sink")
    }

    @Test("A chunked body reaches its sink whole")
    func chunked() throws {
        let handler = SinkHandler()
        let running = try RunningServer(handler)
        let client = running.client()
        for chunk in [1, 7, 5_000, 300_000] {
            let body = pattern(chunk * (chunk < 10 ? 1_000 : 11))
            client.send("\(text)Transfer-Encoding: chunked\r\n\r\n")
            var message: [UInt8] = []
            for start in stride(from: 0, to: body.count, by: chunk) {
                message += Array("\(String(chunk, radix: 16))\r\n".utf8) + body[start..<(start + chunk)] + [13, 10]
            }
            client.send(message + Array("0\r\n\r\n".utf8))
            #expect(client.read()?.text == "0 \(body.count)")
            #expect(handler.last?.bytes == body)
        }
    }

    @Test("While a sink blocks, others are answered; its own client waits and is not cut off")
    func blockingSink() throws {
        let gate = Gate()
        let handler = SinkHandler(receive: { gate.pass() })
        let running = try RunningServer(handler) {
            $0.limits.slowTime = .milliseconds(200)
            $0.limits.slowestRate = 10_000_000
        }
        let client = running.client()
        let body = pattern(600_000)
        client.send("\(text)Content-Length: \(body.count)\r\n\r\n")
        client.send(body)
        #expect(wait { gate.arrived == 1 })
        usleep(500_000)
        #expect(running.client().exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")?.text == "no sink")
        gate.open()
        #expect(client.read()?.text == "0 600000")
        #expect(handler.last?.bytes == body)
    }

    @Test("A body that is too long is answered 413 and its sink told", arguments: [false, true])
    func tooLong(isChunked: Bool) throws {
        let handler = SinkHandler(limit: 1_000_000)
        let running = try RunningServer(handler)
        let client = running.client()
        let body = pattern(1_000_001)
        if isChunked {
            client.send("\(text)Transfer-Encoding: chunked\r\n\r\n\(String(body.count, radix: 16))\r\n")
            client.send(body)
            client.send("\r\n0\r\n\r\n")
        } else {
            client.send("\(text)Content-Length: \(body.count)\r\n\r\n")
            client.send(body)
        }
        #expect(client.read()?.status == 413)
        #expect(wait { handler.last?.isCancelled == true })
        client.send("\(text)Content-Length: 1000000\r\n\r\n")
        client.send(pattern(1_000_000))
        #expect(client.read()?.text == "0 1000000")
    }

    @Test("A sink that wants no more gets no more, and the request is answered all the same")
    func enough() throws {
        let handler = SinkHandler(wanted: 1)
        let running = try RunningServer(handler)
        let client = running.client()
        client.send(Array("\(text)Content-Length: 3000000\r\n\r\n".utf8) + pattern(3_000_000))
        let answer = client.read()
        #expect(answer?.status == 200)
        #expect((1..<600_000).contains(handler.last?.bytes.count ?? 0))
        #expect(handler.last?.isCancelled == false)
        #expect(client.exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")?.text == "no sink")
    }

    @Test("A client that vanishes or drips has its sink told", arguments: [0, 100, 300_000])
    func vanished(sent: Int) throws {
        let handler = SinkHandler()
        let running = try RunningServer(handler) {
            $0.limits.slowTime = .milliseconds(300)
            $0.limits.idleTime = .milliseconds(300)
        }
        for isVanishing in [true, false] {
            let client = running.client()
            client.send("\(text)Content-Length: 1000000\r\n\r\n")
            client.send(pattern(sent))
            #expect(wait { handler.count == (isVanishing ? 1 : 2) })
            guard !isVanishing else {
                client.reset()
                continue
            }
            var isAlive = true
            for _ in 0..<400 where isAlive {
                isAlive = client.send("a") && !client.isClosedNow()
                usleep(20_000)
            }
            #expect(!isAlive)
        }
        #expect(wait { handler.all.allSatisfy(\.isCancelled) })
    }

    @Test("Without a free worker a body is answered 503 and its sink told")
    func noWorker() throws {
        let gate = Gate()
        let handler = SinkHandler(receive: { gate.pass() })
        let running = try RunningServer(handler) {
            $0.workers = 1
            $0.waitingLimit = 1
        }
        let clients = (0..<4).map { _ in running.client() }
        for (place, client) in clients.enumerated() {
            client.send("\(text)Content-Length: 10\r\n\r\n0123456789")
            if place == 0 { #expect(wait { gate.arrived == 1 }) }
        }
        #expect(wait { handler.count == 4 })
        usleep(100_000)
        gate.open()
        let answers = clients.map { $0.read()?.status }
        // The first may find the queue full again when its answer is due.
        let good = answers.filter { $0 == 200 }.count
        #expect((1...2).contains(good))
        #expect(answers.filter { $0 == 503 }.count == 4 - good)
        #expect(wait { handler.all.filter(\.isCancelled).count == 2 })
    }

    @Test("A server that stops tells the sinks of unfinished bodies")
    func stopping() throws {
        let handler = SinkHandler()
        let running = try RunningServer(handler)
        let client = running.client()
        client.send("\(text)Content-Length: 1000000\r\n\r\n")
        client.send(pattern(300_000))
        #expect(wait { handler.last?.bytes.isEmpty == false })
        running.server.stop(gracePeriod: .milliseconds(50))
        #expect(wait { handler.last?.isCancelled == true })
    }
}

/// Streams every body into a sink that keeps it.
private final class SinkHandler: RequestHandler {
    private let limit: Int
    private let wanted: Int
    private let block: @Sendable () -> Void
    private let sinks = Guarded<[KeepingSink]>([])

    init(limit: Int = 50_000_000, wanted: Int = .max, receive block: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.wanted = wanted
        self.block = block
    }

    var all: [KeepingSink] { sinks.withLock { $0 } }
    var last: KeepingSink? { all.last }
    var count: Int { all.count }

    func bodyHandling(of request: Request) -> BodyHandling {
        let sink = KeepingSink(wanted: wanted, block)
        sinks.withLock { $0.append(sink) }
        return .stream(sink, limit: limit)
    }

    func handle(_ request: Request) -> Handling {
        guard let sink = request.sink as? KeepingSink else { return .now(.text("no sink")) }
        return .later { .text("\(request.body.count) \(sink.bytes.count)") }
    }
}

private final class KeepingSink: BodySink {
    private struct State {
        var bytes: [UInt8] = []
        var isCancelled = false
    }

    private let state = Guarded(State())
    private let wanted: Int
    private let block: @Sendable () -> Void

    init(wanted: Int, _ block: @escaping @Sendable () -> Void) {
        self.wanted = wanted
        self.block = block
    }

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func receive(_ bytes: borrowing Span<UInt8>) -> Bool {
        block()
        return state.withLock { state in
            bytes.withUnsafeBufferPointer { state.bytes.append(contentsOf: $0) }
            return state.bytes.count < wanted
        }
    }

    func cancel() { state.withLock { $0.isCancelled = true } }
}
