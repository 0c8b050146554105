import Testing

@testable import Outgoing

@Suite struct ContentHeadersTests {
    @Test func `Names are read as RFC 6266 has them, without folders`() throws {
        for row in try DataFile.rows("dispositions.tsv", columns: 2) {
            #expect(ContentHeaders.filename(row[0]) ?? "-" == row[1], "\(row)")
        }
    }

    @Test func `A long name keeps its ending and whole characters`() {
        let name = String(repeating: "茶", count: 100) + ".jpeg"
        #expect(
            ContentHeaders.filename("x; filename=\"\(name)\"") == String(repeating: "茶", count: 83) + ".jpeg")
        let bare = String(repeating: "é", count: 200)
        #expect(ContentHeaders.filename("x; filename=\"\(bare)\"") == String(repeating: "é", count: 127))
        let ending = "a." + String(repeating: "b", count: 300)
        #expect(ContentHeaders.filename("x; filename=\"\(ending)\"") == "a." + String(repeating: "b", count: 253))
    }

    @Test func `The longest header costs no more than its length, and a longer one is not read`() {
        // Flags are one character each of two, which only a look at all before them tells apart.
        let flags = String(repeating: "🇹🇼", count: 1_000)
        let time = ContinuousClock().measure {
            for _ in 0..<20 { #expect(ContentHeaders.filename("x; filename=\"\(flags)\"")?.utf8.count == 248) }
        }
        #expect(time < .seconds(2))
        #expect(ContentHeaders.filename("x; filename=a; y=\(flags)\(flags)") == nil)
        #expect(ContentHeaders.type("image/png; y=\(flags)\(flags)") == nil)
    }

    @Test func `Types are kept in lower case without parameters`() throws {
        for row in try DataFile.rows("types.tsv", columns: 2) {
            #expect(ContentHeaders.type(row[0]) ?? "-" == row[1], "\(row)")
        }
        #expect(ContentHeaders.type("a/" + String(repeating: "b", count: 125)) != nil)
        #expect(ContentHeaders.type("a/" + String(repeating: "b", count: 126)) == nil)
    }

    @Test func `No header is too strange`() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed)
        let parts = [
            "attachment", ";", "filename", "filename*", "=", "\"", "\\", "UTF-8''", "%", "%41", "%zz", "/", "..", " ",
            "茶", "'", "\u{301}",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                parts[Int.random(in: 0..<parts.count, using: &generator)]
            }.joined()
            guard let name = ContentHeaders.filename("x;" + text) else { continue }
            #expect(
                !name.isEmpty && !name.unicodeScalars.contains { $0 == "/" || $0 == "\\" },
                "\(text.debugDescription) (seed \(seed))")
        }
    }
}
