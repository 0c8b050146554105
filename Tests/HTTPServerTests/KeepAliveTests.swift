import HTTPServer
import Testing

struct KeepAliveTests {
    @Test("One connection carries many requests, answered on the event thread or by a worker")
    func manyRequests() throws {
        let running = try RunningServer()
        let client = running.client()
        for index in 0..<20 {
            let path = index.isMultiple(of: 2) ? "/now/\(index)" : "/later/\(index)"
            let answer = client.exchange("GET \(path)?a=\(index) HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(answer?.status == 200)
            #expect(answer?.text == "GET \(path) ?a=\(index) 0 ")
        }
    }

    @Test("A POST body arrives whole, declared or in chunks")
    func bodies() throws {
        let running = try RunningServer()
        let client = running.client()
        let declared = client.exchange("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello")
        #expect(declared?.text == "POST /p ? 5 hello")
        let chunked = client.exchange(
            "POST /later/p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n")
        #expect(chunked?.text == "POST /later/p ? 5 hello")
    }

    @Test("Pipelined requests are answered in their order")
    func pipelining() throws {
        let running = try RunningServer()
        let client = running.client()
        client.send(
            (0..<50).map { "GET /\($0 % 3 == 0 ? "later" : "now")/\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
        for index in 0..<50 {
            #expect(client.read()?.text == "GET /\(index % 3 == 0 ? "later" : "now")/\(index) ? 0 ")
        }
    }
}
