import RowhouseJSON
import RowhouseModel
import Testing

@testable import Transfer

struct CSVTests {
    private func rows(_ text: String) throws -> [[String]] { try rows(bytes: Array(text.utf8)) }

    private func rows(bytes: [UInt8]) throws -> [[String]] {
        var reader = try CSVReader(bytes)
        var rows: [[String]] = []
        while let row = try reader.row() { rows.append(row) }
        return rows
    }

    @Test(
        arguments: [
            ("", []), ("a", [["a"]]), ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
            ("a,b\r\n1,2", [["a", "b"], ["1", "2"]]),
            ("a,b\r1,2\r", [["a", "b"], ["1", "2"]]), ("a;b\n1;2,5", [["a", "b"], ["1", "2,5"]]),
            ("a\tb\n\"x\ty\"\tz", [["a", "b"], ["x\ty", "z"]]), (",\n,", [["", ""], ["", ""]]),
            ("a,\"b \"\"c\"\"\"\n", [["a", "b \"c\""]]), ("\"a\nb\",c", [["a\nb", "c"]]),
            ("a,\"\",b", [["a", "", "b"]]),
            ("\n\na\n\n\nb\n", [["a"], ["b"]]), ("\u{FEFF}茶,糖\n烏龍,半", [["茶", "糖"], ["烏龍", "半"]]),
            ("a\"b,c", [["a\"b", "c"]]), ("\"a;b;c\",d", [["a;b;c", "d"]]), (" a , b ", [[" a ", " b "]]),
        ] as [(String, [[String]])])
    func `Rows are read as spreadsheets write them`(text: String, expected: [[String]]) throws {
        #expect(try rows(text) == expected)
    }

    @Test func `UTF-16 with a byte order mark is read`() throws {
        for (mark, isLittle) in [([0xFF, 0xFE] as [UInt8], true), ([0xFE, 0xFF], false)] {
            let bytes = Array("茶\t😀\n".utf16).flatMap { unit -> [UInt8] in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
                return isLittle ? [low, high] : [high, low]
            }
            #expect(try rows(bytes: mark + bytes) == [["茶", "😀"]])
            #expect(throws: TransferError.self) { try rows(bytes: mark + bytes + [0]) }
            #expect(throws: TransferError.self) { try rows(bytes: mark + [0xD8, 0xD8]) }
        }
    }

    @Test(arguments: [
        ("a,\"b", "line 1: a quote is not closed."), ("a\nb\n\"c\n\n", "line 3: a quote is not closed."),
        ("\"a\"b", "line 1: something follows a closing quote."),
    ])
    func `A mistake is told with its line`(text: String, message: String) {
        #expect(throws: TransferError.file(message)) { try rows(text) }
    }

    @Test func `What is no Unicode is refused`() {
        // The first two characters of a file in Big5.
        #expect(throws: TransferError.self) { try rows(bytes: [0xAF, 0xF9, 0xA6, 0x57]) }
    }

    @Test func `Any texts come back as they were`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed of the tables: \(seed)")
        var generator = SeededGenerator(seed: seed)
        let characters: [Character] = ["a", ",", ";", "\t", "\"", "\n", "\r", "'", "=", " ", "茶", "😀", "0"]
        for _ in 0..<300 {
            let width = Int.random(in: 1...4, using: &generator)
            let table = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                (0..<width).map { _ in
                    String(
                        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                            characters.randomElement(using: &generator) ?? "a"
                        })
                }
            }
            var writer = CSVWriter(isSpreadsheetSafe: false)
            // The first line tells the separator.
            let header = (0..<width).map { "f\($0)" }
            for row in [header] + table { writer.row(row) }
            let read = try rows(bytes: writer.take()).map { $0.map { Array($0.unicodeScalars) } }
            #expect(read == ([header] + table).map { $0.map { Array($0.unicodeScalars) } })
        }
    }

    @Test(arguments: [
        ("=1+1", "'=1+1"), ("+886 2", "'+886 2"), ("-x", "'-x"), ("@a", "'@a"), ("\t=1", "\"'\t=1\""), ("-5", "-5"),
        ("+5", "+5"), ("a=1", "a=1"), ("", "\"\""), ("=\"x\"", "\"'=\"\"x\"\"\""), ("-1,5", "\"'-1,5\""),
    ])
    func `Cells that a spreadsheet would run are made harmless where that is asked for`(cell: String, written: String) {
        var writer = CSVWriter(isSpreadsheetSafe: true)
        writer.row([cell])
        #expect(String(decoding: writer.take(), as: UTF8.self) == written + "\r\n")
    }

    @Test(
        arguments: [
            (["1", "2.5", "-3"], "number"), (["007"], "singleLineText"), (["1.50"], "singleLineText"),
            (["1e5"], "singleLineText"), (["12345678901234567890"], "singleLineText"), (["true", "true"], "checkbox"),
            (["true", "false"], "singleLineText"), (["2024-02-29"], "date"), (["2024-02-30"], "singleLineText"),
            (["2024-05-01T10:00:00.000Z"], "dateTime"), (["2024-05-01T10:00:00Z"], "singleLineText"),
            (["a", "b\nc"], "multilineText"), ([], "singleLineText"), (["0.123456789"], "singleLineText"),
            (["1", "x"], "singleLineText"), (["", "4"], "number"), (["inf"], "singleLineText"),
            (["0x10"], "singleLineText"),
        ] as [([String], String)])
    func `A column is of a type only where nothing would change`(cells: [String], type: String) throws {
        var writer = CSVWriter(isSpreadsheetSafe: false)
        for row in [["Name", "Column"]] + cells.map({ ["n", $0] }) { writer.row(row) }
        let file = try CSVBase.read(writer.take(), name: "T", path: "t.csv")
        let table = try #require(file.tables.first)
        #expect(table.input.fields.map(\.type) == ["singleLineText", type])
        #expect(table.records.count == cells.count)
    }

    @Test func `Names are made unlike, rows may be short, and not too long`() throws {
        let file = try CSVBase.read(Array("a,A,,a\n1\n".utf8), name: "T", path: "t.csv")
        #expect(file.tables[0].input.fields.map(\.name) == ["a", "A 2", "Field 3", "a 3"])
        #expect(file.tables[0].records == [["a": 1]])
        #expect(throws: TransferError.file("t.csv: line 3: 3 cells, but the first line names 2 fields.")) {
            try CSVBase.read(Array("a,b\n1,2\n1,2,3\n".utf8), name: "T", path: "t.csv")
        }
        #expect(throws: TransferError.file("t.csv: it is empty: the first line names the fields.")) {
            try CSVBase.read([], name: "T", path: "t.csv")
        }
    }
}
