import CZlib
import HTTPCore
import HTTPServer
import Testing

struct EncodingTests {
    private let plain = String(repeating: "gossamer ", count: 1_000)

    @Test(
        "Long texts are compressed for those who take it",
        arguments: ["gzip", "deflate, gzip;q=0.5", "*", "br, GZIP ; q=0.001", "identity;q=0, *;q=1"])
    func compressed(accept: String) throws {
        let running = try RunningServer()
        for path in ["/big", "/later/big"] {
            let answer = try #require(
                running.client().exchange("GET \(path) HTTP/1.1\r\nHost: h\r\nAccept-Encoding: \(accept)\r\n\r\n"))
            #expect(answer["Content-Encoding"] == "gzip")
            #expect(answer["Vary"] == "Accept-Encoding")
            #expect(answer.body.count < 500)
            #expect(String(decoding: inflated(answer.body), as: UTF8.self) == plain)
        }
    }

    @Test("Others get the plain text", arguments: ["", "gzip;q=0", "deflate", "*;q=0", "gzip; q=0.000, *", "gzipp"])
    func uncompressed(accept: String) throws {
        let running = try RunningServer()
        let answer = running.client().exchange(
            "GET /big HTTP/1.1\r\nHost: h\r\nAccept-Encoding: \(accept)\r\n\r\n")
        #expect(answer?["Content-Encoding"] == nil)
        #expect(answer?["Vary"] == "Accept-Encoding")
        #expect(answer?.text == plain)
    }

    @Test("Short texts, pictures, and what is encoded already stay as they are")
    func leftAlone() throws {
        let long = [UInt8](repeating: 7, count: 5_000)
        for response in [
            Response.text("short"), Response(.ok, .jpeg, long),
            Response(headers: [("Content-Type", "text/css"), ("Content-Encoding", "br")], body: long),
        ] {
            let running = try RunningServer(EchoHandler(later: { _ in response }))
            let answer = running.client().exchange(
                "GET /later HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n\r\n")
            #expect(answer?["Content-Encoding"] != "gzip")
            #expect(answer?.body == response.body.bytes)
        }
    }

    @Test("When every worker is busy, an answer that needs none goes out uncompressed")
    func busyWorkers() throws {
        let gate = Gate()
        let handler = EchoHandler(later: { request in
            gate.pass()
            return EchoHandler.echo(request)
        })
        let running = try RunningServer(handler) {
            $0.workers = 1
            $0.waitingLimit = 1
        }
        defer { gate.open() }
        let busy = [running.client(), running.client()]
        busy[0].send("GET /later HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(wait { gate.arrived == 1 })
        busy[1].send("GET /later HTTP/1.1\r\nHost: h\r\n\r\n")
        let client = running.client()
        // Once a later request is answered, the second one is in the queue.
        #expect(client.exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")?.status == 200)
        let answer = client.exchange("GET /big HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n\r\n")
        #expect(answer?["Content-Encoding"] == nil)
        #expect(answer?.text == plain)
        gate.open()
        #expect(busy.allSatisfy { $0.read()?.status == 200 })
    }

    @Test("HEAD of a compressed answer has the compressed length")
    func headLength() throws {
        let running = try RunningServer()
        let client = running.client()
        let rest = "/big HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n\r\n"
        let get = client.exchange("GET " + rest)
        client.send("HEAD " + rest)
        #expect(client.read(hasBody: false)?["Content-Length"] == get?["Content-Length"])
    }

    @Test("An answer that did not change is not sent again")
    func notModified() throws {
        let running = try RunningServer()
        let client = running.client()
        for path in ["/a", "/later/a", "/big"] {
            let first = client.exchange("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
            let tag = try #require(first?["ETag"])
            #expect(tag.hasPrefix("W/\""))
            for condition in [tag, String(tag.dropFirst(2)), "*", "\"other\", \(tag)", "W/\"x\",\(tag) , \"y\""] {
                for method in ["GET", "HEAD"] {
                    client.send("\(method) \(path) HTTP/1.1\r\nHost: h\r\nIf-None-Match: \(condition)\r\n\r\n")
                    // HEAD has another text, and so another tag, in this handler.
                    guard let answer = client.read(hasBody: method == "GET"),
                        method == "GET" || condition == "*" || path == "/big"
                    else { continue }
                    #expect(answer.status == 304, "\(condition)")
                    #expect(method == "HEAD" || answer["ETag"] == tag)
                    #expect(method == "HEAD" || answer["Content-Length"] == first?["Content-Length"])
                }
            }
            for condition in ["\"other\"", "W/\"0\"", "other", ""] {
                let answer = client.exchange("GET \(path) HTTP/1.1\r\nHost: h\r\nIf-None-Match: \(condition)\r\n\r\n")
                #expect(answer?.status == 200)
                #expect(answer?.body == first?.body)
            }
        }
    }

    @Test("A 304 has no body, so the next answer on the connection is read right")
    func notModifiedThenMore() throws {
        let running = try RunningServer()
        let client = running.client()
        client.send("GET /a HTTP/1.1\r\nHost: h\r\nIf-None-Match: *\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.read()?.status == 304)
        #expect(client.read()?.text == "GET /b ? 0 ")
    }

    @Test("Writes and errors have no tag; a handler's own tag stays")
    func otherAnswers() throws {
        let running = try RunningServer(
            EchoHandler(later: { request in
                request.rawPath == "/later/own"
                    ? Response(headers: [("ETag", "\"mine\"")], body: [1]) : .text("no", status: .notFound)
            }))
        let client = running.client()
        #expect(client.exchange("POST /a HTTP/1.1\r\nHost: h\r\nIf-None-Match: *\r\n\r\n")?.status == 200)
        let missing = client.exchange("GET /later/x HTTP/1.1\r\nHost: h\r\nIf-None-Match: *\r\n\r\n")
        #expect(missing?.status == 404)
        #expect(missing?["ETag"] == nil)
        let own = client.exchange("GET /later/own HTTP/1.1\r\nHost: h\r\nIf-None-Match: W/\"mine\"\r\n\r\n")
        #expect(own?.status == 304)
        #expect(own?["ETag"] == "\"mine\"")
    }

    /// zlib's own reading of a gzip stream.
    private func inflated(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return []
        }
        defer { inflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: 100_000)
        input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                _ = inflate(&stream, Z_FINISH)
            }
        }
        return Array(output.prefix(Int(stream.total_out)))
    }
}
