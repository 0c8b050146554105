import HTTPCore
import Testing

struct QueryItemsTests {
    @Test(
        "Queries are decoded as forms, in order",
        arguments: [
            ("", []), ("&", []), ("&&&", []), ("a=1", ["a", "1"]), ("&a=1&", ["a", "1"]), ("a", ["a", ""]),
            ("a=", ["a", ""]),
            ("=b", ["", "b"]), ("=", ["", ""]), ("a=b=c", ["a", "b=c"]), ("a+b=c+d", ["a b", "c d"]),
            ("a%2Bb=%2B", ["a+b", "+"]),
            ("fields[]=Name&fields%5B%5D=Other", ["fields[]", "Name", "fields[]", "Other"]),
            ("b=2&a=1&b=3", ["b", "2", "a", "1", "b", "3"]), ("a=%26&b=%3D", ["a", "&", "b", "="]),
            ("sort[0][field]=Na%20me", ["sort[0][field]", "Na me"]), ("q=%E2%82%AC", ["q", "€"]), ("q=€", ["q", "€"]),
            ("a?b=c?", ["a?b", "c?"]), ("a;b=c", ["a;b", "c"]),
        ] as [(String, [String])])
    func parse(query: String, flat: [String]) throws {
        #expect(try QueryItems.parse(query).flatMap { [$0.name, $0.value] } == flat)
    }

    @Test(
        "What cannot be decoded is an error",
        arguments: [
            ("a=%", .malformedEscape), ("%=a", .malformedEscape), ("a=%4", .malformedEscape),
            ("a=%4&b=5", .malformedEscape),
            ("a=%G0", .malformedEscape), ("a=%00", .nulCharacter), ("%00", .nulCharacter), ("a=%80", .invalidUTF8),
            ("a=1&b=%FE", .invalidUTF8),
        ] as [(String, TargetError)])
    func refuse(query: String, error: TargetError) {
        #expect(throws: error) { try QueryItems.parse(query) }
    }

    @Test("500 parameters are taken, one more is an error, empty ones do not count")
    func limit() throws {
        let full = Array(repeating: "a=1", count: 500).joined(separator: "&&")
        #expect(try QueryItems.parse(full).count == 500)
        #expect(throws: TargetError.tooManyParameters) { try QueryItems.parse(full + "&b") }
        #expect(try QueryItems.parse(String(repeating: "&", count: 24_000)).isEmpty)
    }

    @Test("Encoding and decoding are inverse for any text")
    func roundTrip() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(state: seed)
        for _ in 0..<2_000 {
            let text = String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
                        Unicode.Scalar(
                            UInt32.random(in: 1...(Bool.random(using: &random) ? 0x7F : 0x10FFFF), using: &random))
                    }))
            let encoded = PercentEncoding.encode(text)
            #expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "seed \(seed)")
            #expect(try PercentEncoding.decode(encoded) == text, "seed \(seed)")
            #expect(try QueryItems.parse("n\(encoded)=\(encoded)").first == QueryItem(name: "n" + text, value: text))
            #expect(try PathSegments.split("/x/\(encoded)/y").dropFirst().first == text)
        }
    }

    @Test("Encoding leaves RFC 3986's unreserved characters alone and no others")
    func encode() {
        #expect(PercentEncoding.encode("AZaz09-._~") == "AZaz09-._~")
        #expect(
            PercentEncoding.encode(" /?#[]@!$&'()*+,;=%\"")
                == "%20%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%25%22")
        #expect(PercentEncoding.encode("é€") == "%C3%A9%E2%82%AC")
    }
}
