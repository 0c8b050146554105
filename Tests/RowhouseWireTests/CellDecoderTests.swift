import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Testing

struct CellDecoderTests {
    @Test func `Every type reads, checks, clears and converts its cells by the table`() throws {
        let rows = try DataFile.rows("cells.tsv")
        #expect(rows.count > 200)
        for row in rows {
            try #require(row.count == 4, "\(row)")
            let field = try Sample.field(row[0])
            var context = Sample.context(typecast: row[1] == "typecast")
            let found = Self.outcome(try Sample.json(row[2]), field, &context)
            #expect(found == row[3], "\(row[0]) \(row[1]) \(row[2])")
        }
    }

    private static func outcome(_ value: JSONValue, _ field: Field, _ context: inout CellContext) -> String {
        do throws(APIError) {
            switch try CellDecoder.decode(value, for: field, in: &context) {
            case .empty: return "empty"
            case .integer(let number): return "integer \(number)"
            case .real(let number):
                return "real " + String(decoding: JSONValue.number(number).bytes, as: UTF8.self)
                    + (number.sign == .minus && number == 0 ? " negative" : "")
            case .text(let text):
                return "text "
                    + text.split(separator: "\n", omittingEmptySubsequences: false)
                    .joined(separator: "\\n")
            }
        } catch {
            return error.type
        }
    }

    @Test func `A mistake in a cell names the field or the choice`() throws {
        var context = Sample.context(typecast: false)
        #expect(throws: APIError.cannotAccept("number")) {
            try CellDecoder.decode("x", for: try Sample.field("number"), in: &context)
        }
        #expect(throws: APIError.computed("formula")) {
            try CellDecoder.decode("x", for: try Sample.field("formula"), in: &context)
        }
        #expect(throws: APIError.unknownChoice("New")) {
            try CellDecoder.decode("New", for: try Sample.field("select"), in: &context)
        }
    }

    @Test(arguments: ["text", "long", "rich", "email", "url", "phone"])
    func `A text of 100,000 characters is kept, one more is refused`(name: String) throws {
        let field = try Sample.field(name)
        var context = Sample.context(typecast: false)
        for character in ["x", "字", "😀"] {
            let longest = String(repeating: character, count: 100_000)
            #expect(try CellDecoder.decode(.string(longest), for: field, in: &context) == .text(longest))
            #expect(throws: APIError.cannotAccept(name)) {
                try CellDecoder.decode(.string(longest + "x"), for: field, in: &context)
            }
        }
    }

    @Test func `A text made by typecast is held to the same length`() throws {
        var context = Sample.context(typecast: true)
        let half = JSONValue.string(String(repeating: "x", count: 50_000))
        #expect(throws: APIError.cannotAccept("text")) {
            try CellDecoder.decode([half, half], for: try Sample.field("text"), in: &context)
        }
    }

    @Test func `Choice names are told apart byte by byte`() throws {
        var field = try Sample.field("select")
        field.options = .choices([
            SelectChoice(id: ChoiceID(random: (1, 1)), name: "caf\u{E9}", color: nil, number: 4)
        ])
        var context = Sample.context(typecast: false)
        #expect(try CellDecoder.decode("caf\u{E9}", for: field, in: &context) == .integer(4))
        #expect(throws: APIError.self) { try CellDecoder.decode("cafe\u{301}", for: field, in: &context) }
    }

    @Test func `Choices that typecast makes follow those there are, in colour and number`() throws {
        let field = try Sample.field("selects")
        var context = Sample.context(typecast: true)
        #expect(try CellDecoder.decode("One,Two", for: field, in: &context) == .text("[6,7]"))
        #expect(try CellDecoder.decode(["Two", "Three", "Todo"], for: field, in: &context) == .text("[7,8,1]"))
        let added = try #require(context.addedChoices[field.id])
        #expect(added.map(\.name) == ["One", "Two", "Three"])
        #expect(added.map(\.number) == [6, 7, 8])
        // Five choices have the first five colours of the cycle.
        #expect(added.map(\.color) == ["orangeLight2", "redLight2", "pinkLight2"])
        #expect(Set(added.map(\.id)).count == 3)
    }

    @Test func `A field is filled up to ten thousand choices, and they are found by name in long lists`() throws {
        let field = try Sample.field("selects")
        var context = Sample.context(typecast: true)
        let names = (1...9_995).map { JSONValue.string("new \($0)") }
        let all = "[" + (6...10_000).map(String.init).joined(separator: ",") + "]"
        #expect(try CellDecoder.decode(.array(names + [names[0]]), for: field, in: &context) == .text(all))
        #expect(context.addedChoices[field.id]?.count == 9_995)
        #expect(
            try CellDecoder.decode(["new 9995", "done", "new 1"], for: field, in: &context) == .text("[10000,3,6]"))
        #expect(throws: APIError.unknownChoice("one more")) {
            try CellDecoder.decode(["one more"], for: field, in: &context)
        }
    }

    @Test func `A list of more than ten thousand names is refused in either form`() throws {
        let field = try Sample.field("selects")
        var context = Sample.context(typecast: true)
        let names = [String](repeating: "done", count: 10_001)
        #expect(throws: APIError.cannotAccept("selects")) {
            try CellDecoder.decode(.array(names.map(JSONValue.string)), for: field, in: &context)
        }
        #expect(throws: APIError.cannotAccept("selects")) {
            try CellDecoder.decode(.string(names.joined(separator: ",")), for: field, in: &context)
        }
        let fewer = names.dropLast().joined(separator: ",")
        #expect(try CellDecoder.decode(.string(fewer), for: field, in: &context) == .text("[3]"))
    }

    @Test func `Without typecast no choice is made`() throws {
        let field = try Sample.field("select")
        var context = Sample.context(typecast: false)
        #expect(throws: APIError.unknownChoice("New")) { try CellDecoder.decode("New", for: field, in: &context) }
        #expect(context.addedChoices.isEmpty)
    }
}
