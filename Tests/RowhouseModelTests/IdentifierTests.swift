import RowhouseModel
import Testing

struct IdentifierTests {
    private static let alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    @Test func `An identifier is read and written back unchanged`() throws {
        for text in ["recA1b2C3d4E5f6G7", "rec00000000000000", "reczzzzzzzzzzzzzz", "recZZZZZZZZ999999"] {
            #expect(try #require(RecordID(text)).description == text)
        }
    }

    @Test func `Every kind has its own prefix`() {
        let rest = "A1b2C3d4E5f6G7"
        #expect(BaseID("app" + rest) != nil)
        #expect(TableID("tbl" + rest) != nil)
        #expect(FieldID("fld" + rest) != nil)
        #expect(ViewID("viw" + rest) != nil)
        #expect(RecordID("rec" + rest) != nil)
        #expect(UserID("usr" + rest) != nil)
        #expect(ChoiceID("sel" + rest) != nil)
        #expect(WorkspaceID("wsp" + rest) != nil)
        #expect(TokenID("pat" + rest) != nil)
        #expect(IteratorID("itr" + rest) != nil)
        #expect(CommentID("com" + rest) != nil)
        #expect(BaseID("tbl" + rest) == nil)
        #expect(TableID("app" + rest) == nil)
    }

    @Test(arguments: [
        "", "rec", "recA1b2C3d4E5f6G", "recA1b2C3d4E5f6G78", "RECA1b2C3d4E5f6G7", "tblA1b2C3d4E5f6G7",
        "recA1b2C3d4E5f6G-", "recA1b2C3d4E5f6G_", "recA1b2C3d4E5f6G ", " recA1b2C3d4E5f6G", "recA1b2C3d4E5f6é",
        "recA1b2C3d4E5f6G\u{0}", "rec/1b2C3d4E5f6G7", "rec:1b2C3d4E5f6G7", "rec@1b2C3d4E5f6G7", "rec[1b2C3d4E5f6G7",
        "rec`1b2C3d4E5f6G7", "rec{1b2C3d4E5f6G7",
    ])
    func `A text of another shape is no identifier`(text: String) {
        #expect(RecordID(text) == nil)
        #expect(RecordID(bytes: Array(text.utf8)) == nil)
    }

    @Test func `Characters are read only where there are fourteen`() {
        let bytes = Array("A1b2C3d4E5f6G7".utf8)
        #expect(IdentifierText(String(decoding: bytes, as: UTF8.self), after: "") != nil)
        #expect(IdentifierText(String(decoding: bytes.dropFirst(), as: UTF8.self), after: "") == nil)
        #expect(IdentifierText("", after: "") == nil)
    }

    @Test func `Time and counter are base-62 numbers with the greatest digit first`() {
        func text(_ time: UInt64, _ counter: UInt64) -> String {
            RecordID(text: IdentifierText(time: time, counter: counter)).description
        }
        #expect(text(0, 0) == "rec00000000000000")
        #expect(text(1, 61) == "rec0000000100000z")
        #expect(text(62, 62) == "rec00000010000010")
        #expect(text(35, 36) == "rec0000000Z00000a")
        // 1,700,000,000,000 = 29·62⁶ + 57·62⁵ + 38·62⁴ + 50·62³ + 46·62² + 42·62 + 44
        #expect(text(1_700_000_000_000, 9) == "rec0Tvcokgi000009")
    }

    @Test func `Time and counter come back from the text`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let time = UInt64.random(in: 0..<218_340_105_584_896, using: &generator)
            let counter = UInt64.random(in: 0..<56_800_235_584, using: &generator)
            let id = RecordID(text: IdentifierText(time: time, counter: counter))
            let read = try #require(RecordID(id.description), "seed \(seed)")
            #expect(read.text.time == time && read.text.counter == counter, "seed \(seed)")
        }
    }

    @Test func `The order of identifiers is the byte order of their texts`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            // A common start of every length, so that each of the fourteen places decides now and then.
            let common = (0..<Int.random(in: 0..<14, using: &generator)).map { _ in character(using: &generator) }
            func text() -> String {
                String(common + (common.count..<14).map { _ in character(using: &generator) })
            }
            let (left, right) = ("rec" + text(), "rec" + text())
            let (leftID, rightID) = (try #require(RecordID(left)), try #require(RecordID(right)))
            #expect((leftID < rightID) == left.utf8.lexicographicallyPrecedes(right.utf8), "seed \(seed)")
            #expect((leftID == rightID) == (left == right), "seed \(seed)")
        }
    }

    @Test func `Digits sort before capitals and capitals before small letters`() throws {
        let ids = try Self.alphabet.map { try #require(RecordID("rec0000000000000\($0)")) }
        #expect(ids == ids.sorted())
        #expect(Set(ids).count == 62)
    }

    @Test func `Random words make well-formed identifiers`() {
        for words: (UInt64, UInt64) in [(0, 0), (.max, .max), (1 << 63, 1), (12_345, .max - 1)] {
            #expect(FieldID(FieldID(random: words).description) != nil)
        }
        #expect(FieldID(random: (1, 2)) != FieldID(random: (2, 1)))
    }

    private func character(using generator: inout SeededGenerator) -> Character {
        Self.alphabet.randomElement(using: &generator) ?? "0"
    }
}
