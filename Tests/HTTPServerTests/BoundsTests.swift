import HTTPCore
import HTTPServer
import Synchronization
import Testing

struct BoundsTests {
    @Test("Addresses up to 24,000 characters are taken, beside headers of some kilobytes")
    func longTarget() throws {
        let running = try RunningServer()
        let client = running.client()
        for length in [16_000, 23_999, 24_000] {
            let query = String(repeating: "q", count: length - 3)
            let answer = client.exchange(
                "GET /p?\(query) HTTP/1.1\r\nHost: h\r\nAuthorization: \(String(repeating: "t", count: 4_000))\r\n\r\n")
            #expect(answer?.status == 200)
            #expect(answer?.text == "GET /p ?\(query) 0 ")
        }
    }

    @Test("Longer addresses are answered 414 in JSON", arguments: [24_001, 28_000])
    func tooLongTarget(length: Int) throws {
        let running = try RunningServer { $0.extraHeaders = [("X-Extra", "1")] }
        let client = running.client()
        let answer = client.exchange(
            "GET /\(String(repeating: "p", count: length - 1)) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(answer?.status == 414)
        #expect(answer?.text.hasPrefix(#"{"error":{"type":"URI_TOO_LONG","message":"#) == true)
        #expect(answer?["X-Extra"] == "1")
        #expect(client.isClosed())
    }

    @Test("An address beyond all memory of the connection is answered 414 too")
    func hugeTarget() throws {
        let running = try RunningServer()
        let client = running.client()
        client.send("GET /\(String(repeating: "p", count: 45_000)) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.read()?.status == 414)
        #expect(running.client().exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")?.status == 200)
    }

    @Test("Thousands of parameters within the length arrive whole", arguments: [4_000, 5_990])
    func manyParameters(count: Int) throws {
        let running = try RunningServer()
        let query = (0..<count).map { "\(["a", "b", "c"][$0 % 3])=1" }.joined(separator: "&").prefix(count * 4)
        let answer = running.client().exchange("GET /p?\(query) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(answer?.status == 200)
        #expect(answer?.text == "GET /p ?\(query) 0 ")
    }

    @Test("4,000 bare one-letter parameters are answered")
    func bareParameters() throws {
        let running = try RunningServer()
        let query = String(repeating: "a&&&", count: 4_000)
        #expect(running.client().exchange("GET /p?\(query) HTTP/1.1\r\nHost: h\r\n\r\n")?.text == "GET /p ?\(query) 0 ")
    }

    @Test("Too many or too long headers are answered 431 in JSON")
    func headers() throws {
        let running = try RunningServer()
        for block in [
            String(repeating: "X: \(String(repeating: "v", count: 1_000))\r\n", count: 18),
            "X: \(String(repeating: "v", count: 17_000))\r\n",
            (0..<101).map { "X-\($0): v\r\n" }.joined(),
        ] {
            let client = running.client()
            let answer = client.exchange("GET /p HTTP/1.1\r\nHost: h\r\n\(block)\r\n")
            #expect(answer?.status == 431)
            #expect(answer?.text.hasPrefix(#"{"error":{"type":"REQUEST_HEADERS_TOO_LARGE","#) == true)
            #expect(client.isClosed())
        }
        let fine = (0..<15).map { "X-\($0): \(String(repeating: "v", count: 1_000))\r\n" }.joined()
        #expect(running.client().exchange("GET /p HTTP/1.1\r\nHost: h\r\n\(fine)\r\n")?.status == 200)
    }

    @Test("Headers beyond all memory of the connection are answered 431 too")
    func hugeHeaders() throws {
        let running = try RunningServer()
        let client = running.client()
        client.send("GET /p HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "v", count: 60_000))\r\n\r\n")
        #expect(client.read()?.status == 431)
    }

    @Test("A body beyond the limit is answered 413 when it was read to its end, and the connection lives on")
    func bodies() throws {
        let running = try RunningServer()
        let client = running.client()
        let body = [UInt8](repeating: 0x61, count: 11 * 1024 * 1024)
        client.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n")
        client.send(body)
        let declared = client.read()
        #expect(declared?.status == 413)
        #expect(declared?.text == #"{"error":{"type":"REQUEST_TOO_LARGE","message":"The request body is too large"}}"#)
        client.send(
            "POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(String(body.count, radix: 16))\r\n")
        client.send(body)
        client.send("\r\n0\r\n\r\n")
        #expect(client.read()?.status == 413)
        #expect(client.exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")?.status == 200)
    }

    @Test("A body of exactly the limit is taken; a route may set its own")
    func exactBody() throws {
        let running = try RunningServer()
        let client = running.client()
        let limit = 10 * 1024 * 1024
        client.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: \(limit)\r\n\r\n")
        client.send([UInt8](repeating: 0x62, count: limit))
        #expect(client.read()?.text == "POST /p ? \(limit) bbbbbbbbbbbbbbbbbbbb")
        let small = try RunningServer(SmallBodyHandler())
        #expect(small.client().exchange("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nabcd")?.status == 200)
        #expect(small.client().exchange("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabcde")?.status == 413)
    }

    @Test("A length nobody could send is refused at once")
    func absurdLength() throws {
        let running = try RunningServer()
        for length in ["99999999999", "9223372036854775807", "18446744073709551615", "99999999999999999999999999"] {
            let client = running.client()
            client.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n")
            #expect(client.read()?.status == 413)
            #expect(client.endsConnection())
        }
    }

    @Test("A body that the handler does not want is read and dropped, and takes none of the memory set aside")
    func unwantedBody() throws {
        let running = try RunningServer(StrangerHandler()) { $0.limits.bodyBytesInFlight = 1_000 }
        let strangers = (0..<3).map { _ in running.client() }
        for stranger in strangers {
            stranger.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5001\r\n\r\n")
            stranger.send([UInt8](repeating: 0x62, count: 5_000))
        }
        let known = "POST / HTTP/1.1\r\nHost: h\r\nAuthorization: me\r\nContent-Length: 900\r\n\r\n"
        let answer = running.client().exchange(known + String(repeating: "c", count: 900))
        #expect(answer?.status == 200 && answer?.text == "900")
        for stranger in strangers {
            stranger.send([0x62])
            let answer = stranger.read()
            #expect(answer?.status == 401 && answer?.text == "0")
        }
        // The connection goes on.
        #expect(strangers[0].exchange(known + String(repeating: "c", count: 900))?.text == "900")
    }

    @Test("Bodies together may not take more memory than is set aside")
    func bodyMemory() throws {
        let running = try RunningServer { $0.limits.bodyBytesInFlight = 1_000 }
        let first = running.client()
        first.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 900\r\n\r\n\(String(repeating: "a", count: 800))")
        let second = running.client()
        var status = 0
        // Until the first part has arrived there may be room.
        for _ in 0..<1_000 where status != 503 {
            status =
                second.exchange(
                    "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 300\r\n\r\n\(String(repeating: "a", count: 300))")?
                .status
                ?? 0
        }
        #expect(status == 503)
        first.send(String(repeating: "a", count: 100))
        #expect(first.read()?.status == 200)
        #expect(
            second.exchange(
                "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 300\r\n\r\n\(String(repeating: "a", count: 300))")?
                .status
                == 200)
    }

    @Test("When no worker is free and the queue is full, the answer is 503 and when to come again")
    func fullQueue() throws {
        let gate = Gate()
        let handler = EchoHandler(later: { _ in
            gate.pass()
            return .text("done")
        })
        let running = try RunningServer(handler) {
            $0.workers = 1
            $0.waitingLimit = 1
        }
        defer { gate.open() }
        let clients = (0..<6).map { _ in running.client() }
        clients[0].send("GET /later HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(wait { gate.arrived == 1 })
        for client in clients.dropFirst() { client.send("GET /later HTTP/1.1\r\nHost: h\r\n\r\n") }
        // What needs no worker is answered all the while.
        #expect(running.client().exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")?.status == 200)
        gate.open()
        let answers = clients.map { $0.read() }
        #expect(answers.first??.status == 200)
        #expect(answers.filter { $0?.status == 200 }.count == 2)
        let refused = answers.filter { $0?.status == 503 }
        #expect(refused.count == 4)
        for answer in refused {
            #expect(answer?["Retry-After"] == "1")
            #expect(
                answer?.text
                    == #"{"error":{"type":"RETRIABLE_ERROR","message":"Server encountered an error while processing your request, and it is safe to retry the request"}}"#
            )
        }
        // A refused request leaves its connection usable.
        #expect(clients.allSatisfy { $0.exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")?.status == 200 })
    }

    @Test("More connections of one address than allowed are answered 503 and closed, others go on")
    func connectionsPerAddress() throws {
        let running = try RunningServer { $0.connectionsPerAddress = 3 }
        let request = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
        var allowed = (0..<3).map { _ in running.client() }
        #expect(allowed.allSatisfy { $0.exchange(request)?.status == 200 })
        let refused = running.client()
        let answer = refused.exchange(request)
        #expect(answer?.status == 503)
        #expect(answer?["Retry-After"] == "1")
        #expect(refused.isClosed())
        #expect(allowed.allSatisfy { $0.exchange(request)?.status == 200 })
        allowed.removeLast()
        var status = 0
        // The end of a connection is noticed a moment later.
        for _ in 0..<1_000 where status != 200 { status = running.client().exchange(request)?.status ?? 0 }
        #expect(status == 200)
    }
}

private struct SmallBodyHandler: RequestHandler {
    func handle(_ request: Request) -> Handling { .now(.text("ok")) }

    func bodyHandling(of request: Request) -> BodyHandling { .keep(limit: 4) }
}

private struct StrangerHandler: RequestHandler {
    func handle(_ request: Request) -> Handling {
        .now(.text("\(request.body.count)", status: isKnown(request) ? .ok : .unauthorized))
    }

    func bodyHandling(of request: Request) -> BodyHandling { isKnown(request) ? .keep(limit: 10_000) : .drop }

    private func isKnown(_ request: Request) -> Bool { request.headers["Authorization"] != nil }
}
