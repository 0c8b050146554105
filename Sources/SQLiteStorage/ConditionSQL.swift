import RowhouseModel
import Storage

/// A condition as SQL: a text that says its shape, and the constants to be bound to it.
///
/// SQL knows a third value: what compares with NULL is neither true nor false. As a whole condition that counts as
/// false, and so it does within AND and OR; so every NOT is brought down to the comparisons, where it names NULL.
struct ConditionSQL {
    private(set) var sql = ""
    private(set) var constants: [Constant] = []
    private let table: TableSchema
    private let physical: PhysicalTable
    private let firstParameter: Int

    enum Constant {
        case cell(StoredCell)
        case id(IdentifierText)
    }

    /// - Parameter firstParameter: the number of the first parameter that is free.
    /// - Throws: an internal error for a condition beyond the bounds of conditions, or on fields that do not exist.
    init(
        _ condition: StoredCondition, _ table: TableSchema, _ physical: PhysicalTable, firstParameter: Int
    ) throws(APIError) {
        self.table = table
        self.physical = physical
        self.firstParameter = firstParameter
        guard condition.depth <= StoredCondition.greatestDepth,
            condition.constants <= StoredCondition.mostConstants
        else { throw .internalError }
        sql = try text(of: condition, isNegated: false)
    }

    func bind(to statement: Statement) {
        for (index, constant) in constants.enumerated() {
            switch constant {
            case .cell(let cell): statement.bind(Int32(firstParameter + index), cell)
            case .id(let id): statement.bind(Int32(firstParameter + index), id)
            }
        }
    }

    private mutating func text(of condition: StoredCondition, isNegated: Bool) throws(APIError) -> String {
        switch condition {
        case .always: return isNegated ? "0" : "1"
        case .never: return isNegated ? "1" : "0"
        case .isEmpty(let field): return "\(try column(field)) IS \(isNegated ? "NOT " : "")NULL"
        case .real(let field, let comparison, let value):
            return try compare(field, comparison, .real(value), isNegated)
        case .integer(let field, let comparison, let value):
            return try compare(field, comparison, .integer(value), isNegated)
        case .integers(let field, let values):
            return try isOne(try column(field), of: values.map { .cell(.integer($0)) }, isNegated)
        case .texts(let field, let texts):
            return try isOne(try column(field), of: texts.map { .cell(.text($0)) }, isNegated)
        case .contains(let field, let part):
            let column = try column(field)
            let place = "instr(\(column), \(parameter(.cell(.text(part)))))"
            return isNegated ? "(\(place) = 0 OR \(column) IS NULL)" : "\(place) > 0"
        case .records(let ids): return try isOne("t.id", of: ids.map { .id($0.text) }, isNegated)
        case .not(let part): return try text(of: part, isNegated: !isNegated)
        case .all(let parts): return try joined(parts, isNegated ? " OR " : " AND ", isNegated)
        case .any(let parts): return try joined(parts, isNegated ? " AND " : " OR ", isNegated)
        }
    }

    private mutating func compare(
        _ field: Int, _ comparison: StoredCondition.Comparison, _ value: StoredCell, _ isNegated: Bool
    ) throws(APIError) -> String {
        let column = try column(field)
        let parameter = parameter(.cell(value))
        guard isNegated else { return "\(column) \(comparison.sql) \(parameter)" }
        let (opposite, isEqualNegated) = comparison.negated
        return "(\(column) \(isEqualNegated ? "<>" : opposite.sql) \(parameter) OR \(column) IS NULL)"
    }

    private mutating func isOne(
        _ column: String, of constants: [Constant], _ isNegated: Bool
    ) throws(APIError) -> String {
        guard !constants.isEmpty else { return isNegated ? "1" : "0" }
        let list = constants.map { parameter($0) }.joined(separator: ", ")
        let test = constants.count == 1 ? "\(isNegated ? "<>" : "=") \(list)" : "\(isNegated ? "NOT " : "")IN (\(list))"
        return isNegated ? "(\(column) \(test) OR \(column) IS NULL)" : "\(column) \(test)"
    }

    /// Joined as a balanced tree, since SQLite bounds the depth of an expression.
    private mutating func joined(
        _ parts: [StoredCondition], _ word: String, _ isNegated: Bool
    ) throws(APIError) -> String {
        var texts: [String] = []
        for part in parts { texts.append(try text(of: part, isNegated: isNegated)) }
        guard !texts.isEmpty else { return word == " AND " ? "1" : "0" }
        while texts.count > 1 {
            var pairs: [String] = []
            for start in stride(from: 0, to: texts.count, by: 2) {
                pairs.append(
                    start + 1 < texts.count ? "(\(texts[start])\(word)\(texts[start + 1]))" : texts[start])
            }
            texts = pairs
        }
        return "(\(texts[0]))"
    }

    private func column(_ field: Int) throws(APIError) -> String {
        // The cells of links are in no column.
        guard table.fields.indices.contains(field), table.fields[field].type.kept != .links else {
            throw .internalError
        }
        return physical.expression(for: table.fields[field])
    }

    private mutating func parameter(_ constant: Constant) -> String {
        constants.append(constant)
        return "?\(firstParameter + constants.count - 1)"
    }
}

extension StoredCondition.Comparison {
    fileprivate var sql: String {
        switch self {
        case .equal: "="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}
