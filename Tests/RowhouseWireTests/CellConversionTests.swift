import CivilTime
import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Testing

struct CellConversionTests {
    @Test func `Cells become what the table of cases says`() throws {
        let rows = try DataFile.rows("conversions.tsv")
        #expect(rows.count > 100)
        for row in rows {
            try #require(row.count == 5, "\(row)")
            let source = try Sample.field(row[0])
            let target = try Sample.field(row[1])
            var context = Sample.context(typecast: false)
            let before = try CellDecoder.decode(try Sample.json(row[2]), for: source, in: &context)
            var conversion = Self.conversion(source, target)
            let (after, outcome) = conversion.convert(before)
            #expect("\(outcome)" == row[4], "\(row)")
            var shown = target
            shown.options = conversion.options
            let expected: JSONValue? = row[3] == "-" ? .none : try Sample.json(row[3])
            #expect(try Self.read(after, shown) == expected, "\(row)")
        }
    }

    @Test func `What a field shows as text is read as the same again`() throws {
        let names = [
            "number", "currency", "percent", "duration", "seconds", "date", "instant", "taipei", "newyork", "client",
        ]
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for name in names {
            let field = try Sample.field(name)
            var there = Self.conversion(field, try Sample.field("text"))
            var back = Self.conversion(try Sample.field("text"), field)
            for _ in 0..<200 {
                // Whole minutes and hundreds: what the formats show.
                let minutes = Int64.random(in: -20_000_000...60_000_000, using: &generator)
                let cell: StoredCell
                switch field.type {
                case .date: cell = .integer(minutes / 1440 * 86_400_000)
                case .dateTime: cell = .integer(minutes * 60_000)
                default: cell = .real(Double(abs(minutes)) * 60)
                }
                // An hour that comes twice when clocks are set back is read as the first.
                let text = there.convert(cell).cell
                let again = back.convert(text)
                #expect(again.outcome == .kept, "seed \(seed) \(name) \(cell) \(text)")
                #expect(there.convert(again.cell).cell == text, "seed \(seed) \(name) \(cell) \(text)")
            }
        }
    }

    @Test func `Choices made on the way get numbers that were never given`() throws {
        var target = try Sample.field("select")
        target.options = .choices(Sample.choices, greatestNumber: 40)
        var conversion = Self.conversion(try Sample.field("text"), target)
        #expect(conversion.convert(.text("new")).cell == .integer(41))
        #expect(conversion.convert(.text("Todo")).cell == .integer(1))
        #expect(conversion.convert(.text("newer")).cell == .integer(42))
        #expect(conversion.convert(.text("new")).cell == .integer(41))
        guard case .choices(let choices, _) = conversion.options else { throw APIError.internalError }
        #expect(choices.map(\.name) == Sample.choices.map(\.name) + ["new", "newer"])
    }

    @Test func `A cell with the number of a choice that is gone counts as empty`() throws {
        let select = try Sample.field("select")
        for name in ["text", "selects", "number"] {
            var conversion = Self.conversion(select, try Sample.field(name))
            let (cell, outcome) = conversion.convert(.integer(77))
            #expect(cell == .empty && outcome == .empty, "\(name)")
        }
    }

    @Test func `Choices that the new options leave out are lost`() throws {
        var target = try Sample.field("selects")
        target.options = .choices(Array(Sample.choices.prefix(2)))
        var conversion = Self.conversion(try Sample.field("selects"), target)
        #expect(conversion.convert(.text("[1,3]")).outcome == .shortened)
        #expect(conversion.convert(.text("[3]")).outcome == .lost)
        #expect(conversion.convert(.text("[2,1]")).cell == .text("[2,1]"))
    }

    @Test func `Links, files and what is computed are not converted, either way`() {
        let fixed: [FieldType] = [
            .multipleRecordLinks, .multipleAttachments, .formula, .rollup, .multipleLookupValues, .count, .autoNumber,
            .createdTime, .lastModifiedTime, .createdBy, .lastModifiedBy, .button, .aiText, .externalSyncSource,
            .manualSort,
        ]
        for type in FieldType.allCases {
            for other in fixed {
                #expect(!CellConversion.isPossible(from: type, to: other), "\(type) \(other)")
                #expect(!CellConversion.isPossible(from: other, to: type), "\(other) \(type)")
            }
        }
        let others = FieldType.allCases.filter { !fixed.contains($0) }
        for type in others { #expect(others.allSatisfy { CellConversion.isPossible(from: type, to: $0) }) }
    }

    private static func conversion(_ source: Field, _ target: Field) -> CellConversion {
        CellConversion(from: source, to: target, users: Sample.users, zones: Sample.zones) {
            ChoiceID(text: IdentifierText(time: 9, counter: UInt64.random(in: 0...UInt64.max)))
        }
    }

    /// The cell as an answer shows it; people by their names.
    private static func read(_ cell: StoredCell, _ field: Field) throws -> JSONValue? {
        var batch = RecordBatch(fields: [field])
        batch.append(id: RecordID(random: (1, 2)), createdTime: Instant(milliseconds: 0), cells: [cell])
        let page = RecordPage(batch: batch, users: Sample.users)
        let bytes = try AnswerEncoder(zones: Sample.zones).record(page, RecordPresentation())
        let value = try JSONParser.parse(bytes).objectValue?["fields"]?.objectValue?[field.name]
        switch value {
        case .object(let person) where person["email"] != nil: return person["name"]
        case .array(let items) where items.first?.objectValue?["email"] != nil:
            return .array(items.compactMap { $0.objectValue?["name"] })
        default: return value
        }
    }
}
