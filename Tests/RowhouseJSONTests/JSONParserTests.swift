import RowhouseJSON
import Testing

/// Expected values and offsets are derived by hand from RFC 8259 and RFC 3629.
@Suite struct JSONParserTests {
    private static let valid: [(String, JSONValue)] = [
        ("null", .null), ("true", true), ("false", false), (" \t\n\r1 \t\n\r", 1),
        ("0", 0), ("-0", 0), ("-1", -1), ("10", 10), ("0.5", 0.5), ("-0.5", -0.5), ("1.0", 1), ("1e2", 100),
        ("1E2", 100), ("1e+2", 100), ("1e-2", 0.01), ("0e0", 0), ("0e999999999999999999999", 0), ("1.5e3", 1500),
        ("9007199254740991", .number(9_007_199_254_740_991)), ("9007199254740992", .number(9_007_199_254_740_992)),
        ("9007199254740993", .number(9_007_199_254_740_992)), ("-9007199254740991", .number(-9_007_199_254_740_991)),
        ("0.1", .number(0.1)), ("123456789.123456789", .number(123_456_789.123_456_789)),
        ("1.7976931348623157e308", .number(Double.greatestFiniteMagnitude)), ("1e-400", 0),
        ("5e-324", .number(Double.leastNonzeroMagnitude)), ("1e22", .number(1e22)), ("1e23", .number(1e23)),
        ("1.000000000000000000000000000000", 1), ("100000000000000000000", .number(1e20)),
        (#""""#, ""), (#""a""#, "a"), (#""é中😀""#, "é中😀"), (#""\u00e9\u4E2d\uD83D\uDE00""#, "é中😀"),
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0000""#, "\0"), (#""\u001f""#, "\u{1F}"),
        (#""\uFFFF\uFFFE""#, "\u{FFFF}\u{FFFE}"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), ("\"\u{7F}\"", "\u{7F}"),
        ("\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"), (#""/""#, "/"), ("\"\u{FEFF}\"", "\u{FEFF}"),
        ("[]", []), ("[ ]", []), ("[1]", [1]), ("[1,2]", [1, 2]), ("[ 1 , [ ] , null ]", [1, [], nil]),
        ("{}", [:]), ("{ }", [:]), (#"{"a":1}"#, ["a": 1]), (#"{ "a" : 1 , "b" : [ { } ] }"#, ["a": 1, "b": [[:]]]),
        (#"{"":0}"#, ["": 0]), (#"{"a":1,"a":2}"#, ["a": 2]), (#"{"a":1,"\u0061":{"b":2}}"#, ["a": ["b": 2]]),
    ]

    private static let invalid: [(String, Int)] = [
        ("", 0), (" ", 1), ("\u{FEFF}1", 0), ("nul", 3), ("nulL", 3), ("True", 0), ("truee", 4), ("NaN", 0),
        ("Infinity", 0), ("-Infinity", 1), ("-", 1), ("+1", 0), (".5", 0), ("1.", 2), ("1.e1", 2), ("1e", 2),
        ("1e+", 3), ("1e+a", 3), ("01", 1), ("-01", 2), ("00", 1), ("0x10", 1), ("1_000", 1), ("1 2", 2), ("1,", 1),
        ("1e309", 0), ("[-1e309]", 1), ("1e99999999999999999999", 0), ("1.7976931348623159e308", 0),
        (#"""#, 1), (#""a"#, 2), (#"'a'"#, 0), ("\"a\nb\"", 2), ("\"\0\"", 1), ("\"\u{1F}\"", 1), ("\"\t\"", 1),
        (#""\x""#, 2), (#""\"#, 2), (#""\""#, 3), (#""\u""#, 3), (#""\u12""#, 5), (#""\u12G4""#, 5), (#""\u1234"#, 7),
        (#""\uD800""#, 1), (#""a\uDC00""#, 2), (#""\uD800\n""#, 1), (#""\uD800\u0041""#, 1), (#""\uD800\uD800""#, 1),
        (#""\uD800x""#, 1), (#""\uDC00\uD800""#, 1), (#""\uD800\u00""#, 11),
        ("[", 1), ("[1", 2), ("[1,", 3), ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3), ("[1}", 2), ("]", 0), ("[]]", 2),
        ("{", 1), (#"{"a""#, 4), (#"{"a":"#, 5), (#"{"a":1"#, 6), (#"{"a":1,"#, 7), (#"{"a":1,}"#, 7), (#"{a:1}"#, 1),
        (#"{"a" 1}"#, 5), (#"{"a":}"#, 5), (#"{1:1}"#, 1), (#"{"a":1 "b":2}"#, 7), (#"{"a":1]"#, 6), (#"{}{}"#, 2),
        ("/**/1", 0), ("1//", 1), ("\u{A0}1", 0), ("\u{C}1", 0), ("1\0", 1),
    ]

    /// Bytes between two quotes that are not UTF-8, and the offset of the first bad sequence.
    private static let notUTF8: [([UInt8], Int)] = [
        ([0x80], 1), ([0xBF], 1), ([0xC0, 0x80], 1), ([0xC1, 0xBF], 1), ([0xC2], 1), ([0xC2, 0x22], 1),
        ([0xE0, 0x9F, 0xBF], 1), ([0xE1, 0x80], 1), ([0xED, 0xA0, 0x80], 1), ([0xEF, 0xBF, 0xC0], 1),
        ([0xF0, 0x8F, 0xBF, 0xBF], 1), ([0xF1, 0x80, 0x80], 1), ([0xF4, 0x90, 0x80, 0x80], 1), ([0xF5, 0x80], 1),
        ([0xFE], 1), ([0xFF], 1), ([0x61, 0xC3, 0xA9, 0xFF], 4), ([0x5C, 0x6E, 0xFF], 3),
    ]

    @Test func `valid documents have their value`() throws {
        for (text, value) in Self.valid {
            #expect(try JSONParser.parse(Array(text.utf8)) == value, "\(text)")
        }
    }

    @Test func `invalid documents are refused at the first bad byte`() {
        for (text, offset) in Self.invalid { expectRefusal(Array(text.utf8), at: offset, text) }
    }

    @Test func `strings that are not UTF-8 are refused`() {
        for (bytes, offset) in Self.notUTF8 { expectRefusal([0x22] + bytes + [0x22], at: offset, "\(bytes)") }
        expectRefusal([0x22, 0xE4, 0xB8], at: 1, "cut inside a letter")
    }

    @Test func `the order of keys is kept and a repeated key stays where it was first`() throws {
        let object = try parse(#"{"z":1,"a":2,"m":3,"z":4}"#).objectValue
        #expect(object?.keys == ["z", "a", "m"])
        #expect(object?["z"] == 4)
    }

    @Test func `keys and strings that differ only in Unicode normal form stay apart`() throws {
        let object = try parse(#"{"\u00e9":1,"e\u0301":2}"#).objectValue
        #expect(object?.count == 2)
        #expect(object?["\u{E9}"] == 1)
        #expect(object?["e\u{301}"] == 2)
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    }

    @Test(arguments: [1, 2, 63, 64, 65, 256]) func `nesting is allowed up to the limit`(depth: Int) throws {
        let nested = Array(String(repeating: "[", count: depth).utf8) + Array(String(repeating: "]", count: depth).utf8)
        #expect(try JSONParser.parse(nested, limits: .init(depth: depth)).bytes == nested)
        expectRefusal(nested, at: depth - 1, "depth \(depth)", limits: .init(depth: depth - 1))
    }

    @Test func `siblings do not count as nesting`() throws {
        let text = "[" + repeatElement(#"{"a":[]}"#, count: 1000).joined(separator: ",") + "]"
        #expect(try JSONParser.parse(Array(text.utf8), limits: .init(depth: 3)).arrayValue?.count == 1000)
    }

    @Test(arguments: ["[", #"{"a":"#, "[{\"a\":"]) func `a million open brackets do no harm`(piece: String) {
        let bytes = Array(String(repeating: piece, count: 1_000_000).utf8)
        for depth in [0, 64, .max] {
            #expect(throws: JSONError.self) {
                try JSONParser.parse(bytes, limits: .init(depth: depth, bytes: .max))
            }
        }
    }

    @Test func `a string of ten mebibytes is read and one byte more is refused`() throws {
        let limit = 10 * 1024 * 1024
        let bytes = [0x22] + [UInt8](repeating: 0x61, count: limit - 2) + [0x22]
        #expect(try JSONParser.parse(bytes).stringValue?.utf8.count == limit - 2)
        expectRefusal(bytes + [0x20], at: limit, "too large")
    }

    @Test func `a number of a million digits is refused`() {
        expectRefusal(Array(("[1." + String(repeating: "1", count: 1_000_000) + "]").utf8), at: 1, "too long")
        expectRefusal(Array(("1e" + String(repeating: "1", count: 1_000_000)).utf8), at: 0, "too long")
    }

    @Test(.timeLimit(.minutes(1))) func `an object of a hundred thousand keys is not quadratic`() throws {
        let members = (0..<100_000).map { "\"key \($0)\":\($0)" }.joined(separator: ",")
        let start = ContinuousClock.now
        let object = try parse("{\(members)}").objectValue
        #expect(object?.count == 100_000)
        #expect(object?["key 99999"] == 99_999)
        // Quadratic work would be five thousand million comparisons.
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    private func parse(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

    private func expectRefusal(_ bytes: [UInt8], at offset: Int, _ name: String, limits: JSONParser.Limits = .init()) {
        do throws(JSONError) {
            _ = try JSONParser.parse(bytes, limits: limits)
            Issue.record("accepted: \(name)")
        } catch {
            #expect(error.offset == offset, "\(name): \(error.reason)")
        }
    }
}
