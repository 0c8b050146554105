import RowhouseModel
import Storage

/// The part of a sort index on one field that holds every record for which a condition can be true.
struct KeyRange {
    let field: Int
    /// Keys from here (no key is equal to it) …
    var low: [UInt8]
    /// … to before here.
    var high: [UInt8]
    /// Whether all its records have equal cells.
    var isPoint: Bool
    /// Whether the condition holds for all its records.
    var isExact: Bool

    /// Keys begin with 0 for an empty cell, else with 1.
    static let afterEmpty: [UInt8] = [1]
    static let end: [UInt8] = [2]

    /// The ranges that parts of a condition give, one for each field that has one.
    static func ranges(of condition: StoredCondition, _ table: TableSchema) -> [KeyRange] {
        let parts = condition.conjuncts
        var ranges: [KeyRange] = []
        for part in parts {
            guard var range = range(of: part, table) else { continue }
            if parts.count > 1 { range.isExact = false }
            if let index = ranges.firstIndex(where: { $0.field == range.field }) {
                ranges[index].narrow(to: range)
            } else {
                ranges.append(range)
            }
        }
        return ranges
    }

    private mutating func narrow(to other: KeyRange) {
        if low.isBefore(other.low) { low = other.low }
        if other.high.isBefore(high) { high = other.high }
        isPoint = isPoint || other.isPoint
    }

    private static func range(of condition: StoredCondition, _ table: TableSchema) -> KeyRange? {
        switch condition {
        case .isEmpty(let field): return point(field, .empty, table)
        case .texts(let field, let texts) where texts.count == 1: return point(field, .text(texts[0]), table)
        case .integers(let field, let values) where values.count == 1:
            return point(field, .integer(values[0]), table)
        case .real(let field, let comparison, let value): return range(field, comparison, .real(value), table)
        case .integer(let field, let comparison, let value): return range(field, comparison, .integer(value), table)
        case .any(let parts) where parts.count == 2:
            // Less than a constant, or empty.
            guard case .isEmpty(let empty) = parts[0], var range = range(of: parts[1], table), range.field == empty,
                range.low == afterEmpty
            else { return nil }
            range.low = []
            return range
        default: return nil
        }
    }

    private static func range(
        _ field: Int, _ comparison: StoredCondition.Comparison, _ cell: StoredCell, _ table: TableSchema
    ) -> KeyRange? {
        guard var range = point(field, cell, table) else { return nil }
        switch comparison {
        case .equal: return range
        case .less:
            range.high = range.low
            range.low = afterEmpty
        case .lessOrEqual: range.low = afterEmpty
        case .greater:
            range.low = range.high
            range.high = end
        case .greaterOrEqual: range.high = end
        }
        range.isPoint = false
        return range
    }

    /// The keys of all records whose cell is this one.
    private static func point(_ field: Int, _ cell: StoredCell, _ table: TableSchema) -> KeyRange? {
        guard let prefix = prefix(field, cell, table), let high = prefix.successor else { return nil }
        // Of a long text the key holds the beginning only.
        return KeyRange(
            field: field, low: prefix, high: high, isPoint: true, isExact: prefix.count < TextOrder.limit)
    }

    private static func prefix(_ field: Int, _ cell: StoredCell, _ table: TableSchema) -> [UInt8]? {
        guard table.fields.indices.contains(field) else { return nil }
        if cell != .empty {
            switch (table.fields[field].type, cell) {
            case (.checkbox, .integer(1)): break
            case (.singleSelect, .integer(let number)):
                guard table.fields[field].choices.contains(where: { Int64($0.number) == number }) else { return nil }
            case (.date, .integer), (.dateTime, .integer), (.createdTime, .integer), (.lastModifiedTime, .integer),
                (.autoNumber, .integer), (.number, .real), (.percent, .real), (.currency, .real), (.duration, .real),
                (.rating, .real):
                break
            case (let type, .text) where type.isText: break
            default: return nil
            }
        }
        // Keys made of nobody's name do not depend on who is known.
        let encoder = SortKeyEncoder(
            table: table, order: [SortKey(field: field, direction: .asc)], users: UserDirectory(version: 0, users: []))
        let key = encoder.key(of: RecordID(text: IdentifierText(time: 0, counter: 0)), cells: [cell])
        let prefix = Array(key.dropLast(IdentifierText.length))
        // A cell that has no key of its own stands where the empty ones are.
        return prefix.first == (cell == .empty ? 0 : 1) ? prefix : nil
    }
}

extension [UInt8] {
    /// The first of all bytes after those that begin with these; nil when there is none.
    var successor: [UInt8]? {
        var bytes = self
        while let last = bytes.popLast() {
            if last < 255 { return bytes + [last + 1] }
        }
        return nil
    }
}
