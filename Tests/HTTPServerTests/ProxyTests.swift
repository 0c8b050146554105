import HTTPCore
import HTTPServer
import Synchronization
import Testing

struct ProxyTests {
    private let tellOrigin = EchoHandler(later: { .text("\($0.remoteAddress) \($0.isSecure)") })

    @Test("Forwarded addresses are believed only from a trusted proxy")
    func untrusted() throws {
        let running = try RunningServer(tellOrigin)
        let answer = running.client().exchange(
            "GET /later HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 1.2.3.4\r\nX-Forwarded-Proto: https\r\n\r\n")
        #expect(answer?.text == "127.0.0.1 false")
    }

    @Test(
        "Behind a trusted proxy the last address that is not a proxy's is the client's",
        arguments: [
            ("1.2.3.4", "1.2.3.4"), ("9.9.9.9, 1.2.3.4", "1.2.3.4"), ("1.2.3.4, 10.0.0.1", "1.2.3.4"),
            ("10.0.0.1", "10.0.0.1"), ("2001:DB8:0::1", "2001:db8::1"), ("::ffff:1.2.3.4", "1.2.3.4"),
            ("nonsense", "127.0.0.1"), ("1.2.3.4, nonsense", "127.0.0.1"), ("", "127.0.0.1"),
            ("1.2.3.4\r\nX-Forwarded-For: 5.6.7.8", "5.6.7.8"),
        ])
    func trusted(header: String, address: String) throws {
        let running = try RunningServer(tellOrigin) { $0.trustedProxies = ["127.0.0.1", "10.0.0.1"] }
        let answer = running.client().exchange(
            "GET /later HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: \(header)\r\nX-Forwarded-Proto: https\r\n\r\n")
        #expect(answer?.text == "\(address) true")
    }

    @Test("Behind a trusted proxy running requests are counted by forwarded address")
    func counting() throws {
        let gate = Gate()
        let handler = EchoHandler(later: { request in
            gate.pass()
            return EchoHandler.echo(request)
        })
        let running = try RunningServer(handler) {
            $0.trustedProxies = ["127.0.0.1"]
            $0.connectionsPerAddress = 2
            $0.workers = 4
        }
        defer { gate.open() }
        let request = { (address: String) in "GET /later HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: \(address)\r\n\r\n" }
        let busy = [running.client(), running.client()]
        for client in busy { client.send(request("1.1.1.1")) }
        #expect(wait { gate.arrived == 2 })
        #expect(running.client().exchange(request("1.1.1.1"))?.status == 503)
        let other = running.client()
        other.send(request("2.2.2.2"))
        #expect(wait { gate.arrived == 3 })
        gate.open()
        #expect(busy.allSatisfy { $0.read()?.status == 200 })
        #expect(other.read()?.status == 200)
        #expect(busy.allSatisfy { $0.exchange(request("1.1.1.1"))?.status == 200 })
    }

    @Test("The access log has every request once, with no secret in it")
    func accessLog() throws {
        let entries = Entries()
        let running = try RunningServer { $0.accessLog = { entries.append($0) } }
        let client = running.client()
        let first = client.exchange(
            "GET /a?api_key=patSECRET&view=Main&access_token=s3cr3t HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer patSECRET\r\n\r\n"
        )
        _ = client.exchange("POST /later/b HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi")
        _ = client.exchange("GET /c HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n")
        running.client().send("POST /gone HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhi")
        #expect(wait { entries.all.count == 4 })
        let all = entries.all
        #expect(all.map(\.method) == ["GET", "POST", "GET", "POST"])
        #expect(all.map(\.target) == ["/a?api_key=-&view=Main&access_token=-", "/later/b", "/c", "/gone"])
        #expect(all.map { $0.status?.rawValue } == [200, 200, 400, nil])
        #expect(all.first?.requestID == first?["X-Request-Id"])
        #expect(all.first?.bytes == first?.body.count)
        #expect(all.allSatisfy { $0.remoteAddress == "127.0.0.1" && $0.milliseconds > 0 && $0.milliseconds < 600_000 })
        #expect(!all.contains { "\($0)".contains("SECRET") || "\($0)".contains("s3cr3t") })
    }
}

private final class Entries: Sendable {
    private let entries = Mutex<[AccessLogEntry]>([])

    var all: [AccessLogEntry] { entries.withLock { $0 } }

    func append(_ entry: AccessLogEntry) { entries.withLock { $0.append(entry) } }
}
