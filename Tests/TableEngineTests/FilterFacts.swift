import CivilTime
import FormulaLanguage
import RowhouseJSON
import RowhouseModel
import Testing

/// Records with random cells of every stored type, known both to a table and, as values of formulas, to the test.
struct FilterFacts {
    /// A record as formulas are to see it: told by what was written, not by what is stored.
    struct Fact: FormulaRecord {
        let id: RecordID
        let createdTime: Instant
        let values: [String: FormulaValue]
        /// The names of the formula's fields, by slot.
        var slots: [String] = []
        func value(_ slot: Int) -> FormulaValue { values[slots[slot]] ?? .blank }
        func lastModifiedTime(_ slots: [Int]) -> Instant? { nil }
    }

    static let fields = #"""
        [{"name":"Text","type":"singleLineText"},{"name":"Note","type":"multilineText"},
        {"name":"Mail","type":"email"},{"name":"Num","type":"number","options":{"precision":2}},
        {"name":"Price","type":"currency","options":{"precision":2,"symbol":"$"}},
        {"name":"Stars","type":"rating","options":{"icon":"star","max":5,"color":"yellowBright"}},
        {"name":"Box","type":"checkbox","options":{"icon":"check","color":"greenBright"}},
        {"name":"Status","type":"singleSelect","options":{"choices":[{"name":"todo"},{"name":"Todo"},{"name":"0"},{"name":"é"}]}},
        {"name":"Tags","type":"multipleSelects","options":{"choices":[{"name":"red"},{"name":"0"}]}},
        {"name":"Due","type":"date","options":{"dateFormat":{"name":"iso"}}},
        {"name":"When","type":"dateTime","options":{"dateFormat":{"name":"iso"},"timeFormat":{"name":"24hour"},"timeZone":"utc"}},
        {"name":"Owner","type":"singleCollaborator"},{"name":"Number","type":"autoNumber"},
        {"name":"Made","type":"createdTime"},{"name":"Changed","type":"lastModifiedTime"}]
        """#

    static let texts = [
        "a", "A", "ab", "é", "e\u{301}", "0", "5", "3.5", "-1.5", "todo", "x y", "茶", "🫖", "2024-05-01",
        "2024-05-01T00:00:00.000Z", "NaN", "1000", "1e3", "it's \"\\", " a", "Ada", "red, 0",
    ]
    static let numbers = [0, 1, 2, 3, 3.5, -1.5, 0.1, 0.3, 5, 1000, 9_007_199_254_740_992, 1e21, -1e-7]
    /// Milliseconds since 1970.
    static let dates: [Int64] = [0, -86_400_000, 1_714_521_600_000, 1_704_067_200_000, 1_735_689_600_000]
    static let times: [Int64] = [0, -1, 1_714_521_600_000, 1_714_557_600_123, 1_714_557_600_124, 253_402_300_799_999]

    let house: House
    let table: TableSchema
    let facts: [Fact]

    /// Makes a table with so many records.
    init(_ house: House, named name: String, records: Int, _ random: inout SeededGenerator) throws {
        self.house = house
        table = try house.makeTable("{\"name\":\"\(name)\",\"fields\":\(Self.fields)}")
        var facts: [Fact] = []
        for start in stride(from: 0, to: records, by: 10) {
            let made = (start..<min(records, start + 10)).map { _ in Self.cells(&random) }
            let body = made.map { "{\"fields\":\(JSONValue.object($0.json).text)}" }.joined(separator: ",")
            let rows = try house.create("{\"records\":[\(body)]}", table: name).rows
            for (row, cells) in zip(rows, made) { facts.append(try Self.fact(row, cells.values)) }
        }
        self.facts = facts
    }

    private static func fact(_ row: House.Row, _ values: [String: FormulaValue]) throws -> Fact {
        var values = values
        func time(_ text: String?) throws -> Instant { try #require(text.flatMap { Instant(iso8601: $0) }) }
        let createdTime = try time(row.createdTime)
        values["Made"] = .date(FormulaDate(createdTime))
        values["Changed"] = .date(FormulaDate(try time(row["Changed"]?.stringValue)))
        values["Number"] = .number(try #require(row["Number"]?.numberValue))
        return Fact(id: try #require(RecordID(row.id)), createdTime: createdTime, values: values)
    }

    private typealias Cells = (json: JSONObject, values: [String: FormulaValue])

    private static func cells(_ random: inout SeededGenerator) -> Cells {
        var cells: Cells = (JSONObject([]), [:])
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        func set(_ name: String, _ json: @autoclosure () -> (JSONValue, FormulaValue)) {
            guard Int.random(in: 0..<10, using: &random) > 2 else { return }
            let (json, value) = json()
            cells.json[name] = json
            cells.values[name] = value
        }
        for name in ["Text", "Note", "Mail"] {
            let text = pick(texts)
            set(name, (.string(text), .text(text)))
        }
        for name in ["Num", "Price"] {
            let number = pick(numbers)
            set(name, (.number(number), .number(number)))
        }
        let stars = Double(Int.random(in: 1...5, using: &random))
        set("Stars", (.number(stars), .number(stars)))
        cells.values["Box"] = .boolean(false)
        set("Box", (.bool(true), .boolean(true)))
        let status = pick(["todo", "Todo", "0", "é"])
        set("Status", (.string(status), .text(status)))
        let tags = pick([["red"], ["0"], ["0", "red"]])
        set("Tags", (.array(tags.map { .string($0) }), .array(tags.map { .text($0) })))
        let (due, when) = (Instant(milliseconds: pick(dates)), Instant(milliseconds: pick(times)))
        set("Due", (.string(String(due.iso8601.prefix(10))), .date(FormulaDate(due))))
        set("When", (.string(when.iso8601), .date(FormulaDate(when))))
        let owner = pick([House.ada, House.bob])
        set("Owner", (.object(["id": .string(owner.id.description)]), .text(owner.name)))
        return cells
    }
}

extension JSONValue {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
