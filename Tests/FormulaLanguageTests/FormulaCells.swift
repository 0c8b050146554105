import CivilTime
import FormulaLanguage
import RowhouseJSON
import RowhouseModel

/// The cells of one record by name, and the scope in which a formula finds them.
struct FormulaCells {
    struct Unreadable: Error { let cell: String }

    let scope: FormulaScope
    let values: [FieldID: FormulaValue]

    /// From a JSON object, or from nothing (see `FormulaTable`).
    init(json: String) throws {
        let object = json.isEmpty ? JSONObject() : try JSONParser.parse(Array(json.utf8)).objectValue ?? JSONObject()
        try self.init(object.map { ($0.key, $0.value) })
    }

    init(_ cells: [(name: String, value: JSONValue)]) throws {
        var names: [FormulaScope.Name] = []
        var values: [FieldID: FormulaValue] = [:]
        for (index, cell) in cells.enumerated() {
            let id = Self.id(index)
            let (value, type) = try Self.read(cell.value)
            names.append(.init(id: id, name: cell.name, type: type))
            values[id] = value
        }
        scope = FormulaScope(names)
        self.values = values
    }

    /// `fld` and fourteen digits: the place of the cell in its object.
    static func id(_ index: Int) -> FieldID {
        FieldID(text: IdentifierText(time: UInt64(index), counter: 1))
    }

    func record(for formula: CheckedFormula) -> Record {
        Record(values: formula.fields.map { values[$0] ?? .blank })
    }

    struct Record: FormulaRecord {
        let values: [FormulaValue]
        func value(_ slot: Int) -> FormulaValue { values[slot] }
        var id: RecordID { RecordID(text: IdentifierText(time: 0, counter: 1)) }
        var createdTime: Instant { Instant(milliseconds: 1_704_164_645_000) }
        func lastModifiedTime(_ slots: [Int]) -> Instant? { Instant(milliseconds: 1_709_528_767_000) }
    }

    private static func read(_ json: JSONValue) throws -> (FormulaValue, FormulaType) {
        switch json {
        case .null: return (.blank, .text)
        case .bool(let answer): return (.boolean(answer), .boolean)
        case .number(let number): return (.number(number), .number(.decimal))
        case .string(let text): return (.text(text), .text)
        case .array(let items):
            let read = try items.map { try Self.read($0) }
            return (.array(read.map(\.0)), .array(FormulaType.joined(read.map(\.1))))
        case .object(let object): return try Self.read(object)
        }
    }

    private static func read(_ object: JSONObject) throws -> (FormulaValue, FormulaType) {
        if let text = object["date"]?.stringValue, let instant = Instant(iso8601: text) {
            return (.date(FormulaDate(instant)), .date(hasTime: text.utf8.count > 10))
        }
        if let text = object["specialValue"]?.stringValue, let number = Double(text) {
            return (.number(number), .number(.decimal))
        }
        if object["error"] != nil { return (.error, .any) }
        switch object["empty"]?.stringValue {
        case "text": return (.blank, .text)
        case "number": return (.blank, .number(.decimal))
        case "integer": return (.blank, .number(.integer))
        case "date": return (.blank, .date(hasTime: false))
        case "dateTime": return (.blank, .date(hasTime: true))
        case "boolean": return (.blank, .boolean)
        case "array": return (.array([]), .array(.text))
        case "dates": return (.array([]), .array(.date(hasTime: false)))
        default: throw Unreadable(cell: String(decoding: JSONValue.object(object).bytes, as: UTF8.self))
        }
    }
}
