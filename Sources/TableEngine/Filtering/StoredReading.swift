import CivilTime
import FormulaLanguage
import RowhouseModel
import Storage

/// Reads parts of a formula as conditions on stored cells; nil wherever the two are not known to be the same.
struct StoredReading {
    private let table: TableSchema
    /// The position in the table of each slot's field.
    let positions: [Int?]
    private var evaluation: Evaluation

    /// How much work reading one formula may be.
    private static let steps = 50_000
    /// Of a field with more choices the evaluator is not asked about each.
    private static let mostCases = 300

    init(_ formula: CheckedFormula, table: TableSchema, now: Instant, zones: TimeZoneDatabase) {
        self.table = table
        positions = formula.fields.map { table.index(of: $0) }
        var budget = FormulaBudget(steps: Self.steps)
        budget.longestText = 10_000
        budget.longestList = 1_000
        evaluation = Evaluation(record: Case(slot: -1, value: .blank), now: now, zones: zones, budget: budget)
    }

    /// When a part is true; it is never an error then.
    mutating func truth(of part: FormulaPart) -> StoredCondition? {
        if part.isClosed {
            guard let value = value(of: part, at: -1, .blank) else { return nil }
            return value.isTrue ? .always : .never
        }
        if let condition = truthByCases(part, errorsAreFalse: false) { return condition }
        switch part.shape {
        case .constant, .other: return nil
        case .field(let slot): return truth(ofSlot: slot)
        case .comparison(let sign, let left, let right): return comparison(part, sign, left, right)
        case .call(let name, let arguments): return truth(of: name, arguments)
        }
    }

    /// When a part keeps a record: it is true, and no error. Said only of a whole formula, or of a part that must be true
    /// for the whole to be.
    mutating func kept(by part: FormulaPart) -> StoredCondition? {
        if let truth = truth(of: part) { return truth }
        if let condition = truthByCases(part, errorsAreFalse: true) { return condition }
        guard case .comparison(let sign, let left, let right) = part.shape else { return nil }
        return keptDifference(sign, left, right)
    }

    // MARK: asking the evaluator

    /// The record of which one field only is looked at.
    private struct Case: FormulaRecord {
        let slot: Int
        let value: FormulaValue
        func value(_ slot: Int) -> FormulaValue { slot == self.slot ? value : .error }
        var id: RecordID { RecordID(text: IdentifierText(time: 0, counter: 0)) }
        var createdTime: Instant { Instant(milliseconds: 0) }
        func lastModifiedTime(_ slots: [Int]) -> Instant? { nil }
    }

    /// What a part gives when a slot holds a value; nil for errors and for what costs too much.
    private mutating func value(of part: FormulaPart, at slot: Int, _ value: FormulaValue) -> FormulaValue? {
        evaluation.record = Case(slot: slot, value: value)
        guard let found = try? part.evaluate(&evaluation), !found.holdsError else { return nil }
        return found
    }

    /// Whether a part is true when a slot holds a value; nil for what costs too much, and for errors unless these count
    /// as false.
    private mutating func isTrue(
        _ part: FormulaPart, at slot: Int, _ value: FormulaValue, errorsAreFalse: Bool
    ) -> Bool? {
        evaluation.record = Case(slot: slot, value: value)
        guard let found = try? part.evaluate(&evaluation), errorsAreFalse || !found.holdsError else { return nil }
        return found.isTrue
    }

    /// The only value of a part without fields.
    mutating func constant(_ part: FormulaPart) -> FormulaValue? {
        part.isClosed ? value(of: part, at: -1, .blank) : nil
    }

    /// A condition on one cell that can hold few values is known by its answer to each of them.
    private mutating func truthByCases(_ part: FormulaPart, errorsAreFalse: Bool) -> StoredCondition? {
        guard part.slots.count == 1, let slot = part.slots.first, !part.dependsOnRecord, let field = field(slot),
            let position = positions[slot]
        else { return nil }
        switch field.type {
        case .checkbox:
            guard let off = isTrue(part, at: slot, .boolean(false), errorsAreFalse: errorsAreFalse),
                let on = isTrue(part, at: slot, .boolean(true), errorsAreFalse: errorsAreFalse)
            else { return nil }
            return on ? (off ? .always : .integers(field: position, [1])) : off ? .isEmpty(field: position) : .never
        case .singleSelect:
            guard field.choices.count <= Self.mostCases,
                let blank = isTrue(part, at: slot, .blank, errorsAreFalse: errorsAreFalse)
            else { return nil }
            var (kept, left): ([Int64], [Int64]) = ([], [])
            for choice in field.choices {
                let found = isTrue(part, at: slot, .text(choice.name), errorsAreFalse: errorsAreFalse)
                guard let found else { return nil }
                if found { kept.append(Int64(choice.number)) } else { left.append(Int64(choice.number)) }
            }
            let empty = StoredCondition.isEmpty(field: position)
            if blank { return kept.isEmpty ? empty : left.isEmpty ? .always : .integers(field: position, left).negated }
            return left.isEmpty && !kept.isEmpty
                ? empty.negated : kept.isEmpty ? .never : .integers(field: position, kept)
        default: return nil
        }
    }

    // MARK: functions

    private mutating func truth(of name: String, _ arguments: [FormulaPart]) -> StoredCondition? {
        switch name {
        case "AND": return truths(of: arguments).map { .joined(all: $0) }
        case "OR": return truths(of: arguments).map { .joined(any: $0) }
        case "NOT": return truths(of: arguments)?.first?.negated
        case "XOR":
            // The items of a list would count one by one.
            guard arguments.count == 2, !arguments.contains(where: isList), let parts = truths(of: arguments) else {
                return nil
            }
            return .joined(any: [
                .joined(all: [parts[0], parts[1].negated]), .joined(all: [parts[0].negated, parts[1]]),
            ])
        case "IF":
            guard let parts = truths(of: arguments) else { return nil }
            let otherwise = parts.count > 2 ? parts[2] : .never
            return .joined(any: [
                .joined(all: [parts[0], parts[1]]), .joined(all: [parts[0].negated, otherwise]),
            ])
        case "IS_BEFORE", "IS_AFTER", "IS_SAME": return truth(ofDates: name, arguments)
        default: return positive(name, arguments)
        }
    }

    private mutating func truths(of parts: [FormulaPart]) -> [StoredCondition]? {
        var truths: [StoredCondition] = []
        for part in parts {
            guard let truth = truth(of: part) else { return nil }
            truths.append(truth)
        }
        return truths
    }

    private func isList(_ part: FormulaPart) -> Bool {
        guard case .field(let slot) = part.shape else { return false }
        return field(slot)?.type == .multipleSelects
    }

    /// When a function that gives 0, or blank, or a whole number above 0, gives more than 0.
    private mutating func positive(_ name: String, _ arguments: [FormulaPart]) -> StoredCondition? {
        switch name {
        case "FIND":
            guard arguments.count == 2, case .text(let text)? = constant(arguments[0]), !text.isEmpty,
                let position = self.text(arguments[1])
            else { return nil }
            return .contains(field: position, text)
        case "SEARCH":
            guard arguments.count == 2, case .text(let text)? = constant(arguments[0]), text.hasNoCase,
                let position = self.text(arguments[1])
            else { return nil }
            return .contains(field: position, text)
        case "LEN":
            return arguments.first.flatMap { self.text($0) }.map { StoredCondition.isEmpty(field: $0).negated }
        default: return nil
        }
    }

    /// The position of a field of text.
    private func text(_ part: FormulaPart) -> Int? {
        guard case .field(let slot) = part.shape, let field = field(slot), field.type.isText else { return nil }
        return positions[slot]
    }

    // MARK: fields

    func field(_ slot: Int) -> Field? {
        guard positions.indices.contains(slot), let position = positions[slot] else { return nil }
        return table.fields[position]
    }

    private func truth(ofSlot slot: Int) -> StoredCondition? {
        guard let field = field(slot), let position = positions[slot] else { return nil }
        let empty = StoredCondition.isEmpty(field: position)
        switch field.type {
        case .singleLineText, .multilineText, .richText, .email, .url, .phoneNumber, .date, .dateTime,
            .lastModifiedTime:
            return empty.negated
        case .number, .percent, .currency, .duration, .rating:
            return .not(.any([empty, .real(field: position, .equal, 0)]))
        case .autoNumber, .createdTime: return .always
        case .multipleSelects where field.hasNamedChoices: return empty.negated
        case .multipleAttachments: return empty.negated
        default: return nil
        }
    }

    // MARK: comparisons

    private mutating func comparison(
        _ part: FormulaPart, _ sign: BinaryOperator, _ left: FormulaPart, _ right: FormulaPart
    ) -> StoredCondition? {
        if sign == .notEqual { return comparison(part, .equal, left, right).map { $0.negated } }
        if let value = constant(right) { return compare(left, sign, value) }
        if let value = constant(left) { return compare(right, sign.turned, value) }
        return nil
    }

    private mutating func compare(
        _ part: FormulaPart, _ sign: BinaryOperator, _ value: FormulaValue
    ) -> StoredCondition? {
        guard let comparison = sign.stored else { return nil }
        switch part.shape {
        case .field(let slot):
            guard let field = field(slot), let position = positions[slot],
                let filled = CellComparison(field, at: position).condition(comparison, value)
            else { return nil }
            let isEmptyKept = sign.holds(.blank, value)
            return .joined(any: isEmptyKept ? [.isEmpty(field: position), filled] : [filled])
        case .call("RECORD_ID", _):
            guard comparison == .equal, case .text(let text) = value else { return nil }
            return RecordID(text).map { .records([$0]) } ?? .never
        case .call(let name, let arguments):
            return positive(name, arguments).flatMap { Self.compare($0, comparison, value) }
        default: return nil
        }
    }

    /// How a whole number that is above 0 just when a condition holds, else 0 or blank, stands to a number.
    private static func compare(
        _ positive: StoredCondition, _ comparison: StoredCondition.Comparison, _ value: FormulaValue
    ) -> StoredCondition? {
        guard case .number(let constant) = value, !constant.isNaN else { return nil }
        let isKept: Bool
        switch comparison {
        case .equal where constant < 1, .less where constant <= 1, .lessOrEqual where constant < 1: isKept = false
        case .greater where constant < 1, .greaterOrEqual where constant <= 1: isKept = true
        default: return nil
        }
        let isZeroKept = comparison.holds(0, constant)
        return isKept ? (isZeroKept ? .always : positive) : isZeroKept ? positive.negated : .never
    }
}

extension FormulaPart {
    /// Whether its value is the same for every record.
    fileprivate var isClosed: Bool { slots.isEmpty && !dependsOnRecord }
}

extension String {
    /// Whether it is not empty and looking for it is the same with case and without: it holds no letter that has another
    /// case, nor one that another letter is the same as. Said only of digits, signs and East Asian characters.
    fileprivate var hasNoCase: Bool {
        !isEmpty
            && unicodeScalars.allSatisfy { scalar in
                switch scalar.value {
                case 0x41...0x5A, 0x61...0x7A: false
                case 0x20...0x7E, 0x3040...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
                default: false
                }
            }
    }
}

extension Field {
    /// Whether every choice has a name that is not empty.
    var hasNamedChoices: Bool { choices.allSatisfy { !$0.name.isEmpty } }
}

extension BinaryOperator {
    /// The operator with its operands changed over.
    var turned: BinaryOperator {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: self
        }
    }

    fileprivate var stored: StoredCondition.Comparison? {
        switch self {
        case .equal: .equal
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        default: nil
        }
    }

    /// Whether a comparison of two values, neither an error, is true.
    fileprivate func holds(_ left: FormulaValue, _ right: FormulaValue) -> Bool {
        if self == .equal { return left.equals(right) }
        guard let ordering = left.compare(right) else { return false }
        switch self {
        case .less: return ordering == .before
        case .lessOrEqual: return ordering != .after
        case .greater: return ordering == .after
        case .greaterOrEqual: return ordering != .before
        default: return false
        }
    }
}
