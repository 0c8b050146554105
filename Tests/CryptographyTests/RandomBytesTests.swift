import Cryptography
import Testing

@Suite struct RandomBytesTests {
    @Test func `There are as many bytes as asked for`() {
        for count in 0...64 { #expect(RandomBytes.make(count: count).count == count) }
        #expect(RandomBytes.make(count: -1).isEmpty)
    }

    @Test func `Draws differ and fill every byte`() {
        let draws = (0..<64).map { _ in RandomBytes.make(count: 16) }
        #expect(Set(draws).count == 64)
        for place in 0..<16 { #expect(Set(draws.map { $0[place] }).count > 16) }
        let words = (0..<64).map { _ in RandomBytes.words() }
        #expect(Set(words.map(\.0)).count == 64)
        #expect(Set(words.map(\.1)).count == 64)
    }

    @Test func `Bytes compare whole`() {
        let bytes: [UInt8] = [1, 2, 3]
        #expect(constantTimeEquals(bytes, [1, 2, 3]))
        #expect(constantTimeEquals([], []))
        for other: [UInt8] in [[], [1, 2], [1, 2, 4], [0, 2, 3], [1, 2, 3, 0]] {
            #expect(!constantTimeEquals(bytes, other))
        }
    }

    @Test func `Hexadecimal text reads back, and no other text does`() {
        #expect(Hexadecimal.encode([0, 0x1f, 0xab, 0xff]) == "001fabff")
        #expect(Hexadecimal.decode("001fABff") == [0, 0x1f, 0xab, 0xff])
        #expect(Hexadecimal.decode("") == [])
        for text in ["0", "0g", "é0", "00 ", "+1"] { #expect(Hexadecimal.decode(text) == nil) }
    }
}
