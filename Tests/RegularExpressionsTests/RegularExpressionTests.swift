import RegularExpressions
import Testing

@Suite("Regular expressions")
struct RegularExpressionTests {
    @Test("A match tells where it and its groups are, in bytes")
    func match() throws {
        let expression = try #require(RegularExpression("(\\p{Han})(x)?"))
        let found = expression.firstMatch(in: Array("ab茶".utf8).span)
        #expect(found == [2..<5, 2..<5, nil])
    }

    @Test("Look-around and back-references are no patterns", arguments: ["(?=a)", "(a)\\1", "(", "[z-a]"])
    func refused(pattern: String) { #expect(RegularExpression(pattern) == nil) }
}
