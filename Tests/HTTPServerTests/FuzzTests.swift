import Glibc
import HTTPServer
import Testing

struct FuzzTests {
    @Test("Random bytes, and requests with random damage, never stop the server")
    func randomBytes() throws {
        let seconds = getenv("ROWHOUSE_FUZZ_SECONDS").flatMap { Double(String(cString: $0)) } ?? 2
        let seed = getenv("ROWHOUSE_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(state: seed)
        let running = try RunningServer {
            $0.limits.headTime = .milliseconds(500)
            $0.limits.slowTime = .milliseconds(500)
            $0.workers = 1
        }
        let end = ContinuousClock.now + .seconds(seconds)
        var count = 0
        while ContinuousClock.now < end {
            let client = running.client(timeout: 1)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                guard client.send(damaged(&random)) else { break }
                count += 1
            }
            if Bool.random(using: &random) { client.reset() }
        }
        print("fuzz: \(count) messages over sockets, ROWHOUSE_SEED=\(seed)")
        #expect(count > 0)
        for path in ["/a", "/later"] {
            #expect(running.client().exchange("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")?.status == 200)
        }
    }

    private static let models = [
        "GET /later/v0/app/T%20able?fields[]=a&x=%20 HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\nCookie: a=b; c\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\nhello world",
        "PATCH /later/b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nT: u\r\n\r\n",
        "HEAD /big HTTP/1.0\r\nConnection: keep-alive\r\nIf-None-Match: \"x\", W/\"y\"\r\n\r\n",
    ]

    private func damaged(_ random: inout SeededRandom) -> [UInt8] {
        if Int.random(in: 0..<10, using: &random) == 0 {
            return (0..<Int.random(in: 1...3_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
        }
        var bytes = Array((FuzzTests.models.randomElement(using: &random) ?? "").utf8)
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.insert(Array(" \t\r\n\0:%;,0".utf8).randomElement(using: &random) ?? 0, at: place)
            case 2 where bytes.count > 1: bytes.remove(at: place)
            case 3: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
            default: bytes.removeSubrange(min(place + 1, bytes.count)...)
            }
        }
        return bytes
    }
}

/// splitmix64: small, and the same everywhere for one seed.
struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
