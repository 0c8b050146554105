import RowhouseJSON
import Testing

@Suite struct JSONWriterTests {
    /// Expected forms follow ECMA-262, Number::toString.
    private static let numbers: [(Double, String)] = [
        (0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (10, "10"), (100, "100"), (1234.5, "1234.5"), (0.1, "0.1"),
        (-0.1, "-0.1"), (0.1 + 0.2, "0.30000000000000004"), (1.0 / 3, "0.3333333333333333"), (0.001, "0.001"),
        (0.0001, "0.0001"), (0.00001, "0.00001"), (0.000001, "0.000001"), (0.0000001, "1e-7"),
        (-0.00000123, "-0.00000123"), (1.5e-7, "1.5e-7"), (9_007_199_254_740_991, "9007199254740991"),
        (9_007_199_254_740_992, "9007199254740992"), (-9_007_199_254_740_992, "-9007199254740992"),
        (1e15, "1000000000000000"), (1e16, "10000000000000000"), (1.2345e17, "123450000000000000"),
        (1e20, "100000000000000000000"), (-1e20, "-100000000000000000000"), (1e21, "1e+21"), (1.5e21, "1.5e+21"),
        (-1e21, "-1e+21"), (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.leastNonzeroMagnitude, "5e-324"),
        (.leastNormalMagnitude, "2.2250738585072014e-308"), (123456789.125, "123456789.125"),
        (2_251_799_813_685_248.5, "2251799813685248.5"), (.nan, "null"), (.infinity, "null"), (-.infinity, "null"),
    ]

    private static let strings: [(String, String)] = [
        ("", #""""#), ("a", #""a""#), ("\"", #""\"""#), ("\\", #""\\""#), ("/", #""/""#),
        ("\u{8}\u{9}\n\u{C}\r", #""\b\t\n\f\r""#), ("\0\u{1}\u{B}\u{1F}", #""\u0000\u0001\u000b\u001f""#),
        ("\u{7F}\u{80}\u{2028}é中😀", "\"\u{7F}\u{80}\u{2028}é中😀\""), ("a\nb\nc", #""a\nb\nc""#),
    ]

    @Test func `numbers take the shortest form that reads back`() throws {
        for (value, text) in Self.numbers {
            #expect(written { $0.number(value) } == text)
            if value.isFinite { #expect(try JSONParser.parse(Array(text.utf8)).numberValue == value, "\(text)") }
        }
    }

    @Test func `integers keep all digits`() {
        for value in [0, 7, -7, 10, 9_007_199_254_740_993, Int64.max, .min] {
            #expect(written { $0.integer(value) } == String(value))
        }
    }

    @Test func `strings are escaped only where they must be`() {
        for (value, text) in Self.strings {
            #expect(written { $0.string(value) } == text)
            #expect(written { $0.string(utf8: Array(value.utf8), start: 0, count: value.utf8.count) } == text)
            #expect(JSONWriter.escapedString(value) == Array(text.utf8))
            #expect(JSONWriter.escapedKey(value) == Array("\(text):".utf8))
        }
    }

    @Test func `a byte that must be escaped is found at every place of strings of every small length`() {
        for length in 1...70 {
            for place in 0..<length {
                for (byte, escape) in [(UInt8(0), "\\u0000"), (0x1F, "\\u001f"), (0x22, "\\\""), (0x5C, "\\\\")] {
                    var bytes = [UInt8](repeating: 0x61, count: length)
                    bytes[place] = byte
                    let expected =
                        String(repeating: "a", count: place) + escape
                        + String(repeating: "a", count: length - place - 1)
                    // Neighbours that must be escaped must not leak in from outside the range.
                    let framed = [0x22, 0x0A] + bytes + [0x22, 0x0A]
                    #expect(written { $0.string(utf8: framed, start: 2, count: length) } == "\"\(expected)\"")
                }
            }
        }
    }

    @Test(arguments: [(0, 3, "abc"), (1, 1, "b"), (3, 0, ""), (2, 9, "c"), (-5, 2, "ab"), (9, 9, ""), (1, -1, "")])
    func `a range outside the bytes is cut`(start: Int, count: Int, expected: String) {
        #expect(written { $0.string(utf8: Array("abc".utf8), start: start, count: count) } == "\"\(expected)\"")
        #expect(written { $0.string(utf8: Array("abc".utf8), start: start, count: .max) }.hasSuffix("\""))
    }

    @Test func `commas stand between values and nowhere else`() {
        let text = written {
            $0.beginArray()
            $0.beginObject()
            $0.endObject()
            $0.beginArray()
            $0.endArray()
            $0.beginObject()
            $0.key("a")
            $0.beginArray()
            $0.null()
            $0.bool(true)
            $0.bool(false)
            $0.endArray()
            $0.key(escaped: JSONWriter.escapedKey("b\""))
            $0.raw(Array("[1,2]".utf8))
            $0.key("c")
            $0.value(["x": [1, "y", nil]])
            $0.endObject()
            $0.integer(3)
            $0.string("z")
            $0.endArray()
        }
        #expect(text == #"[{},[],{"a":[null,true,false],"b\"":[1,2],"c":{"x":[1,"y",null]}},3,"z"]"#)
    }

    @Test func `values read back equal from their bytes`() throws {
        var generator = SeededGenerator(seed: 20_240_501)
        for _ in 0..<2000 {
            let value = JSONValue.random(using: &generator, depth: 4)
            #expect(try JSONParser.parse(value.bytes) == value)
        }
    }

    @Test func `any double reads back exactly`() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            #expect(try JSONParser.parse(JSONValue.number(value).bytes).numberValue == value)
        }
    }

    @Test func `decimals of few digits read as the compiler's own parser reads them`() throws {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<20_000 {
            let digits = String(generator.next() >> Int.random(in: 0..<64, using: &generator))
            let text =
                "\(digits)\(["", ".\(digits)", ".0"].randomElement(using: &generator) ?? "")"
                + "\(["", "e\(Int.random(in: -40...40, using: &generator))"].randomElement(using: &generator) ?? "")"
            #expect(try JSONParser.parse(Array(text.utf8)).numberValue == Double(text), "\(text)")
        }
    }

    private func written(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(capacity: 0)
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
