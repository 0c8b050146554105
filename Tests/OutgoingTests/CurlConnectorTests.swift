import Outgoing
import RowhouseModel
import Testing

/// Real connections, to listeners on the loopback only.
@Suite struct CurlConnectorTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"

    private func fetcher(
        _ allowed: [String], names: [String: [[String]]] = [:], _ change: (inout CallLimits) -> Void = { _ in }
    ) -> RemoteFileFetcher {
        var limits = CallLimits()
        limits.connecting = .seconds(5)
        limits.total = .seconds(20)
        change(&limits)
        return RemoteFileFetcher(
            policy: AddressPolicy(allowed: Set(allowed.compactMap { HostAndPort($0) })),
            resolver: ScriptedResolver(names), connector: CurlConnector(), limits: limits)
    }

    private func outcome(
        limit: Int = 1 << 20, _ change: (inout CallLimits) -> Void = { _ in },
        _ answer: @escaping @Sendable (LoopbackAnswer) -> Void
    ) throws -> RemoteFileFetcher.Outcome {
        let listener = try LoopbackListener(serving: answer)
        return fetcher(["127.0.0.1:\(listener.port)"], change).outcome(
            "http://127.0.0.1:\(listener.port)/", limit: limit)
    }

    @Test func `A file comes whole, with its type and name`() throws {
        let body = String(repeating: "0123456789", count: 100_000)
        let outcome = try outcome {
            $0.send(
                "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: Text/CSV; header=present\r\n"
                    + "content-disposition: attachment; filename=\"a.csv\"\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    + body)
        }
        #expect(outcome == .file(Array(body.utf8), RemoteFileFacts(type: "text/csv", filename: "a.csv")))
    }

    @Test func `Bodies of any framing come whole`() throws {
        #expect(try outcome { $0.send(Self.ok + "\r\nto the end") }.text == "to the end")
        let chunks = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Trailer: y\r\n\r\n"
        #expect(try outcome { $0.send(Self.ok + chunks) }.text == "abcde")
        #expect(try outcome { $0.send(Self.ok + "Content-Length: 0\r\n\r\n") }.text == "")
        #expect(try outcome { $0.send("HTTP/1.0 200 OK\r\n\r\nold") }.text == "old")
    }

    @Test func `A request carries no more than it must`() throws {
        let listener = try LoopbackListener { $0.send(Self.ok + "Content-Length: 1\r\n\r\nx") }
        let place = "files.test:\(listener.port)"
        let fetcher = fetcher([place], names: ["files.test": [["127.0.0.1"]]])
        #expect(fetcher.outcome("http://Files.TEST.:\(listener.port)/a b?c#d").text == "x")
        #expect(
            listener.received == [
                "GET /a%20b?c HTTP/1.1\r\nHost: \(place)\r\nUser-Agent: Rowhouse\r\nAccept: */*\r\n\r\n"
            ])
    }

    @Test func `Every address of a name is tried, and no look-up is made but ours`() throws {
        let listener = try LoopbackListener { $0.send(Self.ok + "Content-Length: 1\r\n\r\nx") }
        let names = ["files.test": [["::1", "127.0.0.1"]]]
        #expect(
            fetcher(["files.test:\(listener.port)"], names: names).outcome("http://files.test:\(listener.port)/").text
                == "x")
    }

    @Test func `A name that the library has an answer of its own for goes where ours leads`() throws {
        let elsewhere = try LoopbackListener(isSix: true)
        let port = elsewhere.port
        let fetcher = fetcher(["localhost:\(port)"], names: ["localhost": [["127.0.0.1"]]])
        #expect(fetcher.outcome("http://localhost:\(port)/") == .failure(.unreachable))
        #expect(!elsewhere.wasTouched)
    }

    @Test func `Listeners that are not allowed are never connected to`() throws {
        let (four, six) = (try LoopbackListener(), try LoopbackListener(isSix: true))
        let fetcher = RemoteFileFetcher(policy: AddressPolicy(), resolver: SystemResolver(), connector: CurlConnector())
        for port in [four.port, six.port] {
            for host in [
                "127.0.0.1", "127.1", "127.0.0.1.", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "0177.0.0.1",
                "0",
                "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "localhost",
                "LocalHost.",
            ] {
                #expect(fetcher.outcome("http://\(host):\(port)/") == .failure(.refusedAddress), "\(host)")
                #expect(fetcher.outcome("https://\(host):\(port)/") == .failure(.refusedAddress), "\(host)")
            }
            for host in ["public@127.0.0.1", "a:b@127.0.0.1", "127.0.0.1\\@public.test", "[::1%25lo]", "[::1%lo]"] {
                #expect(fetcher.outcome("http://\(host):\(port)/") == .failure(.invalidURL), "\(host)")
            }
        }
        #expect(!four.wasTouched && !six.wasTouched)
    }

    @Test func `A redirect leads from an allowed listener to no other`() throws {
        let closed = try LoopbackListener()
        for location in [
            "http://127.0.0.1:\(closed.port)/", "//127.0.0.1:\(closed.port)/", "http://localhost:\(closed.port)/",
            "http://[::ffff:127.0.0.1]:\(closed.port)/", "http://x@127.0.0.1:\(closed.port)/",
            "gopher://127.0.0.1:\(closed.port)/_x",
        ] {
            let outcome = try outcome {
                $0.send("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
            }
            #expect(
                outcome == .failure(.refusedAddress) || outcome == .failure(.invalidURL)
                    || outcome == .failure(.unknownHost), "\(location)")
        }
        #expect(!closed.wasTouched)
        // It can be seen when somebody does connect.
        let fetcher = fetcher(["127.0.0.1:\(closed.port)"]) { $0.total = .milliseconds(200) }
        #expect(fetcher.outcome("http://127.0.0.1:\(closed.port)/") == .failure(.tooSlow))
        #expect(closed.wasTouched)
    }

    @Test func `The last guard refuses a socket to any address or port but the checked ones`() throws {
        let listener = try LoopbackListener()
        let address = try #require(WebAddress("http://127.0.0.1:\(listener.port)/"))
        let other = try #require(NetworkAddress("127.0.0.2"))
        let call = OutgoingCall(address: address, endpoints: [other], limits: CallLimits())
        #expect(throws: RemoteFileError.refusedAddress) {
            try CurlConnector().get(call, wants: { _ in true }, take: { _ in true })
        }
        #expect(!listener.wasTouched)
    }

    @Test func `Redirects are followed by the fetcher, without credentials, cookies or where they came from`() throws {
        let target = try LoopbackListener { $0.send(Self.ok + "Content-Length: 1\r\n\r\nx") }
        let port = target.port
        let first = try LoopbackListener {
            $0.send(
                "HTTP/1.1 307 Temporary Redirect\r\nSet-Cookie: a=b; Domain=127.0.0.1\r\nLocation: http://127.0.0.1:\(port)/t\r\n"
                    + "WWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 4\r\n\r\nbody")
        }
        let fetcher = fetcher(["127.0.0.1:\(port)", "127.0.0.1:\(first.port)"])
        #expect(fetcher.outcome("http://127.0.0.1:\(first.port)/s").text == "x")
        #expect(
            target.received == [
                "GET /t HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUser-Agent: Rowhouse\r\nAccept: */*\r\n\r\n"
            ])
    }

    @Test func `Bodies beyond the limit end the fetch, whatever was announced`() throws {
        let kilobyte = String(repeating: "x", count: 1024)
        #expect(try outcome(limit: 4) { $0.send(Self.ok + "Content-Length: 4\r\n\r\nabcd") }.text == "abcd")
        #expect(
            try outcome(limit: 4) { $0.send(Self.ok + "Content-Length: 5\r\n\r\nabcde") } == .failure(.tooLarge))
        #expect(
            try outcome(limit: 4) { $0.send(Self.ok + "Content-Length: 9223372036854775807\r\n\r\n") }
                == .failure(.tooLarge))
        #expect(
            try outcome(limit: 1_000_000) {
                $0.send(Self.ok + "\r\n")
                $0.sendForever(kilobyte)
            } == .failure(.tooLarge))
        #expect(
            try outcome(limit: 1_000_000) {
                $0.send(Self.ok + "Transfer-Encoding: chunked\r\n\r\n")
                $0.sendForever("400\r\n\(kilobyte)\r\n")
            } == .failure(.tooLarge))
        #expect(try outcome(limit: 0) { $0.send(Self.ok + "Content-Length: 1\r\n\r\na") } == .failure(.tooLarge))
    }

    @Test func `A body shorter than announced is no file, and bytes beyond what was announced are none of it`() throws {
        let early = try outcome { $0.send(Self.ok + "Content-Length: 10\r\n\r\nabc") }
        guard case .failure(.failed) = early else {
            Issue.record("\(early)")
            return
        }
        let chunk = try outcome { $0.send(Self.ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nabc") }
        guard case .failure(.failed) = chunk else {
            Issue.record("\(chunk)")
            return
        }
        #expect(try outcome { $0.send(Self.ok + "Content-Length: 3\r\n\r\nabcdef") }.text == "abc")
        let nothing = try outcome { _ in }
        guard case .failure(.failed) = nothing else {
            Issue.record("\(nothing)")
            return
        }
    }

    @Test func `Slow servers are given up, at whatever they are slow`() throws {
        let short: (inout CallLimits) -> Void = { $0.total = .milliseconds(300) }
        #expect(try outcome(short) { $0.waitForEnd() } == .failure(.tooSlow))
        #expect(try outcome(short) { $0.sendForever("HTTP/1.1 100 Continue\r\n\r\n", every: 20) } == .failure(.tooSlow))
        #expect(
            try outcome(short) {
                $0.send(Self.ok + "X: ")
                $0.sendForever("y", every: 20)
            } == .failure(.tooSlow))
        #expect(
            try outcome(short) {
                $0.send(Self.ok + "\r\n")
                $0.sendForever("y", every: 20)
            } == .failure(.tooSlow))
        let start = ContinuousClock.now
        #expect(
            try outcome({ $0.patience = .seconds(1) }) {
                $0.send(Self.ok + "\r\n")
                $0.sendForever("y", every: 20)
            } == .failure(.tooSlow))
        // By its speed, long before its time is over.
        #expect(ContinuousClock.now - start < .seconds(12))
    }

    @Test func `A server that does not finish its handshake is given up`() throws {
        let listener = try LoopbackListener { $0.waitForEnd() }
        let fetcher = fetcher(["127.0.0.1:\(listener.port)"]) { $0.connecting = .milliseconds(300) }
        #expect(fetcher.outcome("https://127.0.0.1:\(listener.port)/") == .failure(.tooSlow))
    }

    @Test func `Redirects share one time`() throws {
        let start = ContinuousClock.now
        let outcome = try outcome({ $0.total = .milliseconds(500) }) {
            $0.send("HTTP/1.1 302 Found\r\nLocation: /\r\n")
            $0.sendForever("X: y\r\n", every: 300)
        }
        #expect(outcome == .failure(.tooSlow))
        #expect(ContinuousClock.now - start < .seconds(4))
    }

    @Test func `Headers beyond 64 KiB end the fetch, also those of interim answers and trailers`() throws {
        let failure = RemoteFileFetcher.Outcome.failure(.failed("The headers are too long."))
        #expect(
            try outcome {
                $0.send(Self.ok)
                $0.sendForever("X-A: \(String(repeating: "y", count: 1000))\r\n")
            } == failure)
        #expect(try outcome { $0.sendForever("HTTP/1.1 100 Continue\r\nX: y\r\n\r\n") } == failure)
        let long = try outcome {
            $0.send(Self.ok)
            $0.sendForever(String(repeating: "y", count: 1000))
        }
        guard case .failure(.failed) = long else {
            Issue.record("\(long)")
            return
        }
        let trailers = try outcome {
            $0.send(Self.ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n")
            $0.sendForever("X-A: \(String(repeating: "y", count: 1000))\r\n")
        }
        guard case .failure(.failed) = trailers else {
            Issue.record("\(trailers)")
            return
        }
    }

    @Test func `Nothing is decompressed`() throws {
        let outcome = try outcome {
            $0.send(Self.ok + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\u{1F}bcd")
        }
        #expect(outcome.text == "\u{1F}bcd")
    }

    @Test func `What is not HTTP is no file`() throws {
        for text in ["", "SSH-2.0-OpenSSH_9.2\r\n", "<html>", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 \r\n\r\nx"] {
            let outcome = try outcome { $0.send(text) }
            #expect(outcome.text == nil, "\(text.debugDescription)")
        }
    }

    @Test func `Answers without a file give their status and none of their bytes`() throws {
        let outcome = try outcome {
            $0.send("HTTP/1.1 404 Not Found\r\n\r\n")
            $0.sendForever("not here")
        }
        #expect(outcome == .failure(.status(404)))
    }

    @Test func `Nobody listening is unreachable`() throws {
        let port = try LoopbackListener().port
        #expect(fetcher(["127.0.0.1:\(port)"]).outcome("http://127.0.0.1:\(port)/") == .failure(.unreachable))
    }

    @Test func `The receiver ends a fetch at any piece`() throws {
        let listener = try LoopbackListener {
            $0.send(Self.ok + "\r\n")
            $0.sendForever(String(repeating: "x", count: 1000))
        }
        let fetcher = fetcher(["127.0.0.1:\(listener.port)"])
        var pieces = 0
        #expect(throws: RemoteFileError.stopped) {
            try fetcher.fetch("http://127.0.0.1:\(listener.port)/", limit: 1 << 30) { _ in
                pieces += 1
                return pieces < 5
            }
        }
        #expect(pieces == 5)
    }

    @Test func `Stopping ends what runs and refuses what comes later`() throws {
        let listener = try LoopbackListener {
            $0.send(Self.ok + "\r\n")
            $0.sendForever("x", every: 50)
        }
        let fetcher = fetcher(["127.0.0.1:\(listener.port)"])
        let url = "http://127.0.0.1:\(listener.port)/"
        var isFirst = true
        #expect(throws: RemoteFileError.stopped) {
            try fetcher.fetch(url, limit: 1000) { _ in
                if isFirst { fetcher.stop() }
                isFirst = false
                return true
            }
        }
        #expect(fetcher.outcome(url) == .failure(.stopped))
        #expect(listener.received.count == 1)
    }
}
