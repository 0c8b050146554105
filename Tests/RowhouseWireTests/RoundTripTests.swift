import CivilTime
import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Testing

/// What a read returns can be written back and reads the same.
struct RoundTripTests {
    private static let names = [
        "text", "long", "rich", "email", "url", "phone", "number", "percent", "currency", "duration", "seconds",
        "rating", "checkbox", "date", "instant", "taipei", "newyork", "client", "select", "selects", "person", "people",
        "barcode", "links",
    ]

    @Test(arguments: names)
    func `What a read returns can be written back and reads the same`(name: String) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let field = try Sample.field(name)
        for _ in 0..<200 {
            var context = Sample.context(typecast: false)
            let sent = Self.value(field.type, &generator)
            let kept = try CellDecoder.decode(sent, for: field, in: &context)
            let read = try #require(try Self.read(kept, field), "seed \(seed) \(sent)")
            #expect(Self.isSame(read, sent), "seed \(seed) \(sent)")
            #expect(try CellDecoder.decode(read, for: field, in: &context) == kept, "seed \(seed) \(sent)")
            #expect(try Self.read(kept, field) == read, "seed \(seed) \(sent)")
        }
    }

    /// The cell as an answer shows it.
    private static func read(_ cell: StoredCell, _ field: Field) throws -> JSONValue? {
        var batch = RecordBatch(fields: [field])
        batch.append(id: RecordID(random: (1, 2)), createdTime: Instant(milliseconds: 0), cells: [cell])
        let page = RecordPage(batch: batch, users: Sample.users)
        let bytes = try AnswerEncoder(zones: Sample.zones).record(page, RecordPresentation())
        return try JSONParser.parse(bytes).objectValue?["fields"]?.objectValue?[field.name]
    }

    /// People are read with more than was sent; all else as it was sent.
    private static func isSame(_ read: JSONValue, _ sent: JSONValue) -> Bool {
        if let id = sent.objectValue?["id"] { return read.objectValue?["id"] == id }
        if let items = sent.arrayValue, items.first?.objectValue != nil {
            return read.arrayValue?.map { $0.objectValue?["id"] } == items.map { $0.objectValue?["id"] }
        }
        return read == sent
    }

    private static func value(_ type: FieldType, _ generator: inout SeededGenerator) -> JSONValue {
        switch type {
        case .number, .percent, .currency, .duration: .number(number(&generator))
        case .rating: .number(Double(Int.random(in: 1...5, using: &generator)))
        case .checkbox: true
        case .date: .string(String(instant(&generator).iso8601.prefix(10)))
        case .dateTime: .string(instant(&generator).iso8601)
        case .singleSelect: .string(Sample.choices.randomElement(using: &generator)?.name ?? "Todo")
        case .multipleSelects:
            .array(some(Sample.choices, &generator).map { .string($0.name) })
        case .multipleRecordLinks:
            .array(
                (1...Int.random(in: 1...5, using: &generator)).map { number in
                    let text = IdentifierText(random: generator.next(), UInt64(number))
                    return .string(RecordID(text: text).description)
                })
        case .singleCollaborator: person(some(Sample.users.users, &generator)[0])
        case .multipleCollaborators: .array(some(Sample.users.users, &generator).map(person))
        case .barcode: barcode(&generator)
        default: .string(text(&generator))
        }
    }

    private static func person(_ user: User) -> JSONValue { ["id": .string(user.id.description)] }

    private static func barcode(_ generator: inout SeededGenerator) -> JSONValue {
        var object = JSONObject([("text", .string(text(&generator)))])
        if Bool.random(using: &generator) { object["type"] = .string(text(&generator)) }
        return .object(object)
    }

    /// One or more of the list, in any order.
    private static func some<Element>(_ list: [Element], _ generator: inout SeededGenerator) -> [Element] {
        Array(list.shuffled(using: &generator).prefix(Int.random(in: 1...list.count, using: &generator)))
    }

    private static func number(_ generator: inout SeededGenerator) -> Double {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return Double(Int.random(in: -1_000...1_000, using: &generator))
        case 1: return Double(Int64.random(in: Int64.min...Int64.max, using: &generator))
        case 2: return Double.random(in: -1...1, using: &generator)
        default:
            // Any finite double but minus zero, which is kept as zero.
            let bits = Double(bitPattern: generator.next())
            return bits.isFinite && bits != 0 ? bits : 0.1
        }
    }

    private static func instant(_ generator: inout SeededGenerator) -> Instant {
        // From 0001-01-01 to 9999-12-31, and often near now.
        let range: ClosedRange<Int64> =
            Bool.random(using: &generator)
            ? -62_135_596_800_000...253_402_300_799_999 : -100_000_000_000...2_000_000_000_000
        return Instant(milliseconds: Int64.random(in: range, using: &generator))
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1..<20, using: &generator) {
            let limit: UInt32 =
                [0x20, 0x80, 0x80, 0x800, 0x10000, 0x110000].randomElement(using: &generator) ?? 0x80
            text.append(Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) ?? "?")
        }
        return String(text)
    }
}
