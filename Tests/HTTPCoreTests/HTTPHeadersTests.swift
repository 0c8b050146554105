import HTTPCore
import Testing

struct HTTPHeadersTests {
    @Test("Names are found without regard to case, the first value counts, white space around it does not")
    func lookup() {
        let headers = HTTPHeaders([("Host", "h"), ("X-Two", " \tone \t"), ("x-two", "two"), ("Empty", "  ")])
        #expect(headers["host"] == "h")
        #expect(headers["HOST"] == "h")
        #expect(headers["X-TWO"] == "one")
        #expect(headers.bytes("X-TWO").map(Array.init) == Array("one".utf8))
        #expect(headers.bytes("empty")?.isEmpty == true)
        #expect(headers.bytes("hosts") == nil)
        #expect(headers.values("x-Two") == ["one", "two"])
        #expect(headers.count(of: "x-two") == 2)
        #expect(headers["empty"] == "")
        #expect(headers["hos"] == nil)
        #expect(headers["hosts"] == nil)
        #expect(headers[""] == nil)
        #expect(headers.count == 4)
        #expect(HTTPHeaders()["host"] == nil)
    }

    @Test("Letters next to the ASCII letters are not taken for them")
    func caseFolding() {
        let headers = HTTPHeaders([("a@b", "1"), ("a[b", "2")])
        #expect(headers["a`b"] == nil)
        #expect(headers["a{b"] == nil)
        #expect(headers["A@B"] == "1")
    }

    @Test("Fields outside their block are left out, and bytes that are not UTF-8 are repaired")
    func outside() {
        let headers = HTTPHeaders(
            block: Array("ab".utf8) + [0xFF],
            fields: [
                .init(name: 0..<1, value: 2..<3), .init(name: 1..<2, value: 2..<9), .init(name: -1..<1, value: 0..<1),
            ])
        #expect(headers.count == 1)
        #expect(headers["a"] == "\u{FFFD}")
        #expect(headers.bytes("a").map(Array.init) == [0xFF])
    }
}
