import HTTPServer
import Testing

/// Shapes that two readers understand differently, so that one request hides another (RFC 9112, sections 2.2, 5.1, 6.3).
struct SmugglingTests {
    private static let shapes: [(name: String, request: String)] = [
        ("two lengths", "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
        ("two equal lengths", "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
        ("a list of lengths", "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 5, 5\r\n\r\nhello"),
        ("a signed length", "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: +5\r\n\r\nhello"),
        ("a negative length", "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\nhello"),
        ("an empty length", "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n\r\nhello"),
        ("a hexadecimal length", "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 0x5\r\n\r\nhello"),
        (
            "length and coding",
            "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        (
            "coding and length",
            "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"
        ),
        ("an unknown coding", "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        ("two codings", "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        (
            "two coding fields",
            "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n"
        ),
        ("a coding in HTTP/1.0", "POST /x HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ("two hosts", "GET /x HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n"),
        ("no host", "GET /x HTTP/1.1\r\nX: y\r\n\r\n"),
        ("no header at all", "GET /x HTTP/1.1\r\n\r\n"),
        ("a folded line", "GET /x HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n"),
        ("a folded line in between", "GET /x HTTP/1.1\r\nHost: h\r\nX: a\r\n\tb\r\nY: c\r\n\r\n"),
        ("a folded first line", "GET /x HTTP/1.1\r\n Host: h\r\nX: a\r\n\r\n"),
        ("a blank before the colon", "GET /x HTTP/1.1\r\nHost: h\r\nX : a\r\n\r\n"),
        ("a tab before the colon", "GET /x HTTP/1.1\r\nHost: h\r\nX\t: a\r\n\r\n"),
        ("a length with a blank before the colon", "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length : 5\r\n\r\nhello"),
        ("a name with odd characters", "GET /x HTTP/1.1\r\nHost: h\r\nX(y): a\r\n\r\n"),
        ("no name", "GET /x HTTP/1.1\r\nHost: h\r\n: a\r\n\r\n"),
        ("no colon", "GET /x HTTP/1.1\r\nHost: h\r\nnonsense\r\n\r\n"),
        ("a bare line feed after the request line", "GET /x HTTP/1.1\nHost: h\r\n\r\n"),
        ("a bare line feed between fields", "GET /x HTTP/1.1\r\nHost: h\r\nX: a\nY: b\r\n\r\n"),
        ("bare line feeds only", "GET /x HTTP/1.1\nHost: h\n\n"),
        ("a bare carriage return in a value", "GET /x HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n"),
        ("a NUL in a value", "GET /x HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n"),
        ("a NUL in a name", "GET /x HTTP/1.1\r\nHost: h\r\nX\0Y: b\r\n\r\n"),
        ("a NUL in the target", "GET /x\0y HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("a NUL in the query", "GET /x?a=\0y HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("a control in a value", "GET /x HTTP/1.1\r\nHost: h\r\nX: a\u{1}b\r\n\r\n"),
        ("a blank in the target", "GET /x y HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("two blanks before the version", "GET /x  HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("a tab in the target", "GET /x\ty HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("a relative target", "GET x HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("a method with odd characters", "G(T /x HTTP/1.1\r\nHost: h\r\n\r\n"),
        (
            "a chunk size with a prefix",
            "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n"
        ),
        (
            "a signed chunk size",
            "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n"
        ),
        (
            "a negative chunk size",
            "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n"
        ),
        (
            "a chunk size with a blank",
            "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5 \r\nhello\r\n0\r\n\r\n"
        ),
        ("no chunk size", "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\r\nhello\r\n0\r\n\r\n"),
        (
            "a chunk longer than its size",
            "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n"
        ),
    ]

    @Test("Every shape is refused with 400, and nothing sent after it on the connection is answered")
    func refused() throws {
        let running = try RunningServer()
        for shape in SmugglingTests.shapes {
            let client = running.client(timeout: 2)
            client.send(shape.request + "GET /second HTTP/1.1\r\nHost: h\r\n\r\n")
            let answer = client.read()
            #expect(answer?.status == 400, "\(shape.name): \(answer?.head ?? "nothing")")
            #expect(client.endsConnection(), "\(shape.name)")
            #expect(!client.hasReceived("/second"), "\(shape.name)")
        }
    }

    @Test("What the server refuses itself it refuses in JSON")
    func json() throws {
        let running = try RunningServer()
        let answer = running.client().exchange("GET /x HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n")
        #expect(
            answer?.text
                == #"{"error":{"type":"INVALID_REQUEST","message":"The request is not well-formed HTTP"}}"#)
        #expect(answer?["Connection"] == "close")
    }

    @Test(
        "Unusual but unambiguous requests are taken",
        arguments: [
            "GET /x HTTP/1.1\r\nHost:\r\n\r\n", "GET /x HTTP/1.1\r\nhost:h\r\nX:\r\nY: \t \r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: h\r\nX: \u{E9}\u{1F600}\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: h\r\nX: a\tb  c  \r\nContent-Length: 0\r\n\r\n",
            "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n",
            "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0005;name=value\r\nhello\r\n00\r\nTrailer: t\r\n\r\n",
            "GET /x HTTP/1.0\r\n\r\n",
        ])
    func accepted(request: String) throws {
        let running = try RunningServer()
        #expect(running.client().exchange(request)?.status == 200)
    }
}
