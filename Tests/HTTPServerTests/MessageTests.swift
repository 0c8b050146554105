import HTTPCore
import HTTPServer
import Testing

struct MessageTests {
    @Test("HEAD has the length of GET's body and no body, whatever the case of the method")
    func head() throws {
        let running = try RunningServer()
        let client = running.client()
        client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.read()?["Content-Length"] == "11")
        client.send("HEAD /xx HTTP/1.1\r\nHost: h\r\n\r\nGET /y HTTP/1.1\r\nHost: h\r\n\r\n")
        let head = client.read(hasBody: false)
        #expect(head?.status == 200)
        #expect(head?["Content-Length"] == "13")
        // A body after HEAD would be taken for the head of this answer.
        #expect(client.read()?.text == "GET /y ? 0 ")
        client.send("head /x HTTP/1.1\r\nHost: h\r\n\r\nGET /y HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.read(hasBody: false)?.status == 200)
        #expect(client.read()?.text == "GET /y ? 0 ")
    }

    @Test("A client that waits for 100 Continue gets it, then its answer")
    func expectContinue() throws {
        let running = try RunningServer()
        let client = running.client()
        client.send("POST /c HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        #expect(client.read()?.status == 100)
        client.send("abc")
        #expect(client.read()?.text == "POST /c ? 3 abc")
    }

    @Test("A client that asks before sending too much is refused at once")
    func expectRefused() throws {
        let running = try RunningServer()
        let client = running.client()
        client.send("POST /c HTTP/1.1\r\nHost: h\r\nContent-Length: 20000000\r\nExpect: 100-continue\r\n\r\n")
        let answer = client.read()
        #expect(answer?.status == 413)
        #expect(answer?.text == #"{"error":{"type":"REQUEST_TOO_LARGE","message":"The request body is too large"}}"#)
        #expect(client.isClosed())
    }

    @Test("Methods arrive in upper case", arguments: ["PATCH", "patch", "Patch", "delete", "Get", "PropFind"])
    func methods(method: String) throws {
        let running = try RunningServer()
        let answer = running.client().exchange("\(method) /m HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(answer?.text == "\(method.uppercased()) /m ? 0 ")
    }

    @Test(
        "Path and query arrive as they were sent",
        arguments: [
            ("/a%2Fb/c+d", "/a%2Fb/c+d ?"), ("/a%20b?x=%20&y[]=1&z%5B%5D=2", "/a%20b ?x=%20&y[]=1&z%5B%5D=2"),
            ("/?", "/ ?"), ("/a?b?c=/d", "/a ?b?c=/d"), ("//a//b/", "//a//b/ ?"), ("/Getränke?ü=é", "/Getränke ?ü=é"),
            ("http://other.example/p?q=1", "/p ?q=1"), ("HTTP://other.example", "/ ?"), ("*", "* ?"),
            ("/%", "/% ?"), ("/%00?%zz", "/%00 ?%zz"),
        ])
    func targets(sent: String, got: String) throws {
        let running = try RunningServer()
        #expect(running.client().exchange("GET \(sent) HTTP/1.1\r\nHost: h\r\n\r\n")?.text == "GET \(got) 0 ")
    }

    @Test(
        "Every answer has a date, a request id of its own, and the configured headers; also those of the server itself")
    func headers() throws {
        let running = try RunningServer { $0.extraHeaders = [("Access-Control-Allow-Origin", "*"), ("X-Extra", "1")] }
        let client = running.client()
        var ids: Set<String> = []
        for request in [
            "GET /a HTTP/1.1\r\nHost: h\r\n\r\n", "GET /later/a HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /a HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n",
        ] {
            let answer = client.exchange(request)
            #expect(answer?["Access-Control-Allow-Origin"] == "*")
            #expect(answer?["X-Extra"] == "1")
            #expect(answer?["Date"]?.hasSuffix(" GMT") == true)
            #expect(answer?["Date"]?.utf8.count == 29)
            if let id = answer?["X-Request-Id"] { ids.insert(id) }
        }
        #expect(ids.count == 3)
        #expect(ids.allSatisfy { $0.utf8.count == 13 })
    }

    @Test("The handler sees the request as it is")
    func request() throws {
        let running = try RunningServer(
            EchoHandler(later: { request in
                .text(
                    [
                        request.id, request.remoteAddress, String(request.isSecure),
                        request.headers["authorization"] ?? "-", request.headers["X-NONE"] ?? "-",
                        request.headers.values("x-two").joined(separator: "|"), String(request.headers.count),
                    ].joined(separator: " "))
            }))
        let answer = running.client().exchange(
            "GET /later HTTP/1.1\r\nHost: h\r\nAuthorization:   Bearer pat \t \r\nX-Two: 1\r\nx-two:2\r\nEmpty:\r\n\r\n"
        )
        #expect(answer?.text == "\(answer?["X-Request-Id"] ?? "") 127.0.0.1 false Bearer pat - 1|2 5")
    }

    @Test("A header value with a line end is left out, not sent")
    func injection() throws {
        let running = try RunningServer(
            EchoHandler(later: { _ in
                Response(
                    headers: [("Location", "/x\r\nSet-Cookie: a=b"), ("Content-Length", "99"), ("X-Good", "1")],
                    body: [1])
            }))
        let answer = running.client().exchange("GET /later HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(answer?["X-Good"] == "1")
        #expect(answer?["Set-Cookie"] == nil)
        #expect(answer?["Content-Length"] == "1")
    }

    @Test("HTTP/1.0 is answered and closed, unless it asks to stay")
    func version10() throws {
        let running = try RunningServer()
        let client = running.client()
        #expect(client.exchange("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")?.status == 200)
        #expect(client.exchange("GET /a HTTP/1.0\r\n\r\n")?.status == 200)
        #expect(client.isClosed())
    }

    @Test("IPv6 and IPv4 are served by one socket")
    func bothKinds() throws {
        let running = try RunningServer { $0.host = "::" }
        for isSix in [true, false] {
            let client = RawClient(port: running.port, isSix: isSix)
            #expect(client.exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")?.status == 200)
        }
    }

    @Test("A port in use and a name instead of an address are errors")
    func cannotListen() throws {
        let running = try RunningServer()
        var configuration = ServerConfiguration()
        configuration.port = running.port
        let second = try HTTPServer(configuration: configuration, handler: EchoHandler())
        #expect(throws: ServerError.self) { try second.start() }
        configuration.host = "localhost"
        let third = try HTTPServer(configuration: configuration, handler: EchoHandler())
        #expect(throws: ServerError.invalidAddress("localhost")) { try third.start() }
    }
}
