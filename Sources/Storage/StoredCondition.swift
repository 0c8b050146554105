package import RowhouseModel

/// What a store can tell of a record by its stored cells alone, exactly and with two values: true or false.
///
/// Fields are positions in the table's fields. A comparison with an empty cell, or with a cell kept in another form, is
/// false; every case has one meaning, `matches`, and a store answers just that. Numbers are compared exactly and are
/// never NaN; texts are compared byte by byte and are never empty.
package indirect enum StoredCondition: Sendable {
    case always
    case never
    case isEmpty(field: Int)
    /// Of cells kept as `real`.
    case real(field: Int, Comparison, Double)
    /// Of cells kept as `integer`: dates, record numbers.
    case integer(field: Int, Comparison, Int64)
    /// The cell is one of these integers: choices, a checked box.
    case integers(field: Int, [Int64])
    /// The cell is one of these texts.
    case texts(field: Int, [String])
    /// The text stands somewhere in the cell's.
    case contains(field: Int, String)
    /// The record is one of these.
    case records([RecordID])
    case not(StoredCondition)
    /// True of none.
    case all([StoredCondition])
    /// False of none.
    case any([StoredCondition])

    /// How a cell stands to a constant.
    package enum Comparison: Sendable, Equatable {
        case equal, less, lessOrEqual, greater, greaterOrEqual
    }

    /// The most constants of one condition, and how deep it may be nested.
    package static let mostConstants = 8_000
    package static let greatestDepth = 50
}

extension StoredCondition {
    /// The meaning: whether it holds for a record with these cells.
    package func matches(_ record: RecordID, cell: (_ field: Int) -> StoredCell) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .isEmpty(let field): return cell(field) == .empty
        case .real(let field, let comparison, let constant):
            guard case .real(let value) = cell(field) else { return false }
            return comparison.holds(value, constant)
        case .integer(let field, let comparison, let constant):
            guard case .integer(let value) = cell(field) else { return false }
            return comparison.holds(value, constant)
        case .integers(let field, let values):
            guard case .integer(let value) = cell(field) else { return false }
            return values.contains(value)
        case .texts(let field, let texts):
            guard case .text(let text) = cell(field) else { return false }
            return texts.contains { $0.utf8.elementsEqual(text.utf8) }
        case .contains(let field, let part):
            guard case .text(let text) = cell(field) else { return false }
            return Array(text.utf8).contains(part)
        case .records(let ids): return ids.contains(record)
        case .not(let part): return !part.matches(record, cell: cell)
        case .all(let parts): return parts.allSatisfy { $0.matches(record, cell: cell) }
        case .any(let parts): return parts.contains { $0.matches(record, cell: cell) }
        }
    }

    /// Positions of the fields whose cells it looks at.
    package var fields: Set<Int> {
        switch self {
        case .always, .never, .records: []
        case .isEmpty(let field), .real(let field, _, _), .integer(let field, _, _), .integers(let field, _),
            .texts(let field, _), .contains(let field, _):
            [field]
        case .not(let part): part.fields
        case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.fields) }
        }
    }

    /// How many constants it compares with.
    package var constants: Int {
        switch self {
        case .always, .never, .isEmpty: 0
        case .real, .integer, .contains: 1
        case .integers(_, let values): values.count
        case .texts(_, let texts): texts.count
        case .records(let ids): ids.count
        case .not(let part): part.constants
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.constants + 1 }
        }
    }

    /// How deep it is nested.
    package var depth: Int {
        switch self {
        case .not(let part): part.depth + 1
        case .all(let parts), .any(let parts): (parts.map(\.depth).max() ?? 0) + 1
        default: 1
        }
    }

    /// The conditions that must all hold for it to hold.
    package var conjuncts: [StoredCondition] {
        if case .all(let parts) = self { parts } else { [self] }
    }
}

extension StoredCondition.Comparison {
    package func holds<Value: Comparable>(_ value: Value, _ constant: Value) -> Bool {
        switch self {
        case .equal: value == constant
        case .less: value < constant
        case .lessOrEqual: value <= constant
        case .greater: value > constant
        case .greaterOrEqual: value >= constant
        }
    }

    /// What holds of two values, neither of them empty, when this does not.
    package var negated: (Self, isEqualNegated: Bool) {
        switch self {
        case .equal: (.equal, true)
        case .less: (.greaterOrEqual, false)
        case .lessOrEqual: (.greater, false)
        case .greater: (.lessOrEqual, false)
        case .greaterOrEqual: (.less, false)
        }
    }
}

extension [UInt8] {
    /// Whether the bytes of a text stand somewhere in these.
    fileprivate func contains(_ text: String) -> Bool {
        let part = Array(text.utf8)
        guard let first = part.first else { return true }
        guard count >= part.count else { return false }
        for start in 0...(count - part.count) where self[start] == first {
            if self[start..<start + part.count].elementsEqual(part) { return true }
        }
        return false
    }
}

extension StoredCondition {
    /// The only records for which it can hold, where it names them.
    package var candidates: [RecordID]? {
        for part in conjuncts { if case .records(let ids) = part { return ids } }
        return nil
    }
}
