import Glibc
import HTTPCore
import Testing

struct TargetFuzzTests {
    @Test("No bytes make the readers of targets, queries and header values trap")
    func fuzz() {
        let seconds = getenv("ROWHOUSE_FUZZ_SECONDS").flatMap { Double(String(cString: $0)) } ?? 2
        let seed = getenv("ROWHOUSE_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(state: seed)
        let end = ContinuousClock.now + .seconds(seconds)
        let alphabet = Array("/?&=%+[]*\"W;,q0:.aé€F2 \t\0".utf8)
        var (count, decoded) = (0, 0)
        while ContinuousClock.now < end {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                Int.random(in: 0..<4, using: &random) > 0
                    ? alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                    : UInt8.random(in: 0...255, using: &random)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if let target = RequestTarget([0x2F] + bytes) {
                if let items = try? QueryItems.parse(target.rawQuery) {
                    decoded += 1
                    // What was read can be written and read again.
                    let again = items.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
                    #expect((try? QueryItems.parse(again.joined(separator: "&"))) == items, "seed \(seed)")
                }
                if let segments = try? PathSegments.split(target.rawPath) {
                    #expect((try? PathSegments.splitBothWays(target.rawPath))?.map(\.exact) == segments, "seed \(seed)")
                }
            }
            _ = EntityTag.matches(text, "W/\"a\"")
            _ = AcceptEncoding.allowsGzip(text)
            _ = LoggedTarget.redacted(rawPath: "/", rawQuery: text)
            _ = Method(bytes)
            _ =
                HTTPHeaders(
                    block: bytes, fields: [.init(name: 0..<Int32.random(in: 0...50, using: &random), value: 3..<30)])[
                    text]
            count += 1
        }
        print("fuzz: \(count) targets, \(decoded) queries decoded, ROWHOUSE_SEED=\(seed)")
        #expect(decoded > 0)
    }
}
