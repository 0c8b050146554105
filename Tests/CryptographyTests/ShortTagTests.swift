import Cryptography
import Testing

@Suite struct ShortTagTests {
    /// The first entries of `vectors_sip128` of the SipHash reference: key 00…0f, messages of the bytes 0, 1, 2 …
    static let vectors = [
        "a3817f04ba25a8e66df67214c7550293", "da87c1d86b99af44347659119b22fc45", "8177228da4a45dc7fca38bdef60affe4",
    ]

    @Test func `The published examples are tagged as published`() throws {
        let tagger = ShortTagger(key: Array(0..<16))
        for (count, text) in Self.vectors.enumerated() {
            let bytes = try #require(Hexadecimal.decode(text))
            let words = [0, 8].map { start in
                bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
            #expect(tagger.tag(Array(0..<UInt8(count))) == ShortTag(first: words[0], second: words[1]))
        }
    }

    @Test func `A text is tagged like its UTF-8, and by two taggers differently`() {
        let text = "珍珠奶茶 pat0123456789abcd"
        let tagger = ShortTagger()
        #expect(tagger.tag(text) == tagger.tag(Array(text.utf8)))
        #expect(tagger.tag(text).equals(tagger.tag(text)))
        #expect(!tagger.tag(text).equals(ShortTagger().tag(text)))
    }
}
