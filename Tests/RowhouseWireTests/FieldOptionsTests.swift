import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Testing

struct FieldOptionsTests {
    /// Options read from a schema call, by a decoder that numbers the choices it makes.
    private static func decode(
        _ options: String?, _ type: FieldType, existing: [SelectChoice] = []
    ) throws -> FieldOptions {
        var made: UInt64 = 0
        let decoder = FieldOptionsDecoder(table: "Tasks", field: "Field", zones: Sample.zones) {
            made += 1
            return ChoiceID(text: IdentifierText(time: 0, counter: made))
        }
        return try decoder.decode(try options.map(Sample.object), type: type, existing: existing)
    }

    /// The options as the meta API shows them; nil where it shows none.
    private static func shown(_ options: FieldOptions, _ type: FieldType) throws -> String? {
        let field = Field(id: FieldID(random: (1, 2)), name: "Field", type: type, options: options)
        let json = try JSONParser.parse(SchemaEncoder.field(field))
        return json.objectValue?["options"].map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func `Options of every type are read, checked and shown by the table`() throws {
        let rows = try DataFile.rows("options.tsv")
        #expect(Set(rows.map { $0[0] }) == Set(FieldType.allCases.map(\.rawValue)))
        for row in rows {
            try #require(row.count == 3, "\(row)")
            let type = try #require(FieldType(rawValue: row[0]))
            var found = "-"
            do {
                found = try Self.shown(try Self.decode(row[1] == "-" ? nil : row[1], type), type) ?? "-"
            } catch let error as APIError {
                found = error.type
            }
            #expect(found == row[2], "\(row[0]) \(row[1])")
        }
    }

    @Test func `Options shown can be sent back and show the same`() throws {
        for row in try DataFile.rows("options.tsv") where row[2].hasPrefix("{") {
            let type = try #require(FieldType(rawValue: row[0]))
            let first = try Self.decode(row[1] == "-" ? nil : row[1], type)
            var existing: [SelectChoice] = []
            if case .choices(let choices, _) = first { existing = choices }
            #expect(try Self.decode(row[2], type, existing: existing) == first, "\(row[0]) \(row[2])")
        }
    }

    @Test func `A mistake names the table and the field`() {
        #expect(
            throws: APIError.unsupportedFieldType(table: "Tasks", field: "Field", type: "aiText")
        ) { try Self.decode("{}", .aiText) }
        do {
            _ = try Self.decode(#"{"precision":99}"#, .number)
            Issue.record("accepted")
        } catch {
            #expect((error as? APIError)?.message?.hasPrefix("Invalid options for Tasks.Field: ") == true)
        }
    }

    @Test func `The forty-first choice begins the colours again`() throws {
        let names = (0..<41).map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        guard case .choices(let choices, _) = try Self.decode("{\"choices\":[\(names)]}", .singleSelect) else {
            Issue.record("no choices")
            return
        }
        #expect(choices[39].color == "grayDark1")
        #expect(choices[40].color == "blueLight2")
        #expect(choices.map(\.number) == Array(1...41))
    }

    // MARK: changes of choices

    private static let there = ["A", "B"].enumerated().map { index, name in
        SelectChoice(
            id: ChoiceID(text: IdentifierText(time: 7, counter: UInt64(index))), name: name, color: "redBright",
            number: index + 1)
    }
    private static let idA = there[0].id.description
    private static let idB = there[1].id.description

    private static func change(_ choices: String) throws -> [SelectChoice] {
        guard case .choices(let list, _) = try decode("{\"choices\":\(choices)}", .singleSelect, existing: there) else {
            return []
        }
        return list
    }

    @Test func `A choice sent with its id stays the one it is`() throws {
        let changed = try Self.change(#"[{"id":"\#(Self.idB)","name":"Z","color":"tealBright"},{"id":"\#(Self.idA)"}]"#)
        #expect(changed.map(\.id) == [Self.there[1].id, Self.there[0].id])
        #expect(changed.map(\.name) == ["Z", "A"])
        #expect(changed.map(\.color) == ["tealBright", "redBright"])
        #expect(changed.map(\.number) == [2, 1])
    }

    @Test func `A choice sent by its name alone stays the one it is`() throws {
        let changed = try Self.change(#"[{"name":"B"},{"name":"New"},{"name":"A"}]"#)
        #expect(changed.map(\.number) == [2, 3, 1])
        #expect(changed[1].color == "cyanLight2")
    }

    @Test func `Two choices may change names in one call`() throws {
        let changed = try Self.change(#"[{"id":"\#(Self.idA)","name":"B"},{"id":"\#(Self.idB)","name":"A"}]"#)
        #expect(changed.map(\.name) == ["B", "A"])
        #expect(changed.map(\.number) == [1, 2])
    }

    @Test func `The name of a choice that is renamed can go to a new one in the same call`() throws {
        let changed = try Self.change(#"[{"id":"\#(Self.idA)","name":"Old A"},{"name":"A"},{"id":"\#(Self.idB)"}]"#)
        #expect(changed.map(\.name) == ["Old A", "A", "B"])
        #expect(changed.map(\.number) == [1, 3, 2])
    }

    @Test(arguments: [
        #"[{"id":"sel99999999999999","name":"A"}]"#, #"[{"id":"nope","name":"A"}]"#,
        #"[{"id":"IDA","name":"A"},{"id":"IDA","name":"B"}]"#, #"[{"id":"IDA","name":"B"},{"id":"IDB"}]"#,
        #"[{"id":"IDA","name":""}]"#,
    ])
    func `A list of choices that contradicts itself is refused`(choices: String) {
        let sent = choices.split(separator: "IDA", omittingEmptySubsequences: false).joined(separator: Self.idA)
            .split(separator: "IDB", omittingEmptySubsequences: false).joined(separator: Self.idB)
        #expect(errorType { _ = try Self.change(sent) } == "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE")
    }
}
