import CivilTime
import RowhouseModel

/// A part of a formula that was checked.
struct CheckedPart {
    let expression: Expression
    let type: FormulaType

    init(_ expression: Expression, _ type: FormulaType) {
        self.expression = expression
        self.type = type
    }

    /// The value, when it is known without a record.
    var constant: FormulaValue? {
        if case .constant(let value) = expression { value } else { nil }
    }
}

/// A later operand of a chain and the operator before it.
struct CheckedOperand {
    let sign: BinaryOperator
    let part: CheckedPart
}

/// Finds names and functions, infers types, and works out what needs no record.
struct FormulaChecker {
    private let scope: FormulaScope
    /// Slots by places in the scope.
    private var slots: [Int: Int] = [:]
    private(set) var fields: [FieldID] = []
    private(set) var dependsOnNow = false
    /// The first name that no field has, and all of them: told once the whole text was read.
    private(set) var unknown: FormulaFault?
    private(set) var unknownNames: [String] = []

    init(_ scope: FormulaScope) { self.scope = scope }

    func number(_ value: Double) -> CheckedPart {
        CheckedPart(.constant(.number(value)), .number(value == value.rounded() ? .integer : .decimal))
    }

    /// A name in braces; `raw` is what stands there before escapes are taken away.
    mutating func reference(_ name: String, raw: String, at place: Int) throws(FormulaFault) -> CheckedPart {
        guard let index = scope.find(name) ?? scope.find(raw) else { return unknown(name, at: place) }
        return field(index)
    }

    /// A bare word: a field, or a function that needs no brackets.
    mutating func word(_ name: String, at place: Int) throws(FormulaFault) -> CheckedPart {
        if let index = scope.find(name) { return field(index) }
        guard Self.wordsWithoutBrackets.contains(name.uppercased()) else { return unknown(name, at: place) }
        return try call(try function(name, at: place), [], at: place)
    }

    private static let wordsWithoutBrackets: Set<String> = ["TRUE", "FALSE", "BLANK", "NOW", "TODAY"]
    private static let wordsOfTime: Set<String> = ["NOW", "TODAY", "FROMNOW", "TONOW"]

    private mutating func field(_ index: Int) -> CheckedPart {
        let name = scope.names[index]
        if let slot = slots[index] { return CheckedPart(.field(slot), name.type) }
        let slot = fields.count
        slots[index] = slot
        fields.append(name.id)
        return CheckedPart(.field(slot), name.type)
    }

    private mutating func unknown(_ name: String, at place: Int) -> CheckedPart {
        if unknownNames.count < Self.mostUnknown, !unknownNames.contains(name) {
            unknownNames.append(name)
        }
        if unknown == nil {
            let message = "There is no field named \(name.prefix(100))"
            unknown = FormulaFault(message, reason: .unknownField(name), at: place)
        }
        return CheckedPart(.constant(.error), .any)
    }

    /// Of more names that no field has, the first are told.
    private static let mostUnknown = 100

    func function(_ name: String, at place: Int) throws(FormulaFault) -> FormulaFunction {
        guard let function = FormulaFunctions.all[name.uppercased()] else {
            throw FormulaFault("There is no function named \(name.prefix(100))", at: place)
        }
        return function
    }

    mutating func call(
        _ function: FormulaFunction, _ arguments: [CheckedPart], at place: Int
    ) throws(FormulaFault) -> CheckedPart {
        guard function.arity.contains(arguments.count) else {
            throw FormulaFault(Self.wrongCount(function, arguments.count), at: place)
        }
        if Self.wordsOfTime.contains(function.name) { dependsOnNow = true }
        let type = function.result(arguments.map(\.type))
        let call = FormulaCall(function, arguments.map(\.expression), yielding: type)
        let isConstant = arguments.allSatisfy { $0.constant != nil }
        let isFree = !function.dependsOnContext || arguments.count <= function.freeOfContextUpTo
        return CheckedPart(isConstant && isFree ? folded(.call(call)) : .call(call), type)
    }

    private static func wrongCount(_ function: FormulaFunction, _ count: Int) -> String {
        let (least, most) = (function.arity.lowerBound, function.arity.upperBound)
        let wanted =
            least == most ? "\(least)" : most < FormulaFunction.anyNumber ? "\(least) to \(most)" : "at least \(least)"
        return
            "\(function.name) takes \(wanted) argument\(wanted == "1" || wanted.hasSuffix(" 1") ? "" : "s"), not \(count)"
    }

    /// Signs before a value: it becomes a number.
    func signed(_ part: CheckedPart, isNegative: Bool) -> CheckedPart {
        let type: FormulaType = Self.isWhole(part.type) ? .number(.integer) : .number(.decimal)
        let once = Expression.negate(part.expression)
        let expression = isNegative ? once : .negate(once)
        return CheckedPart(part.constant == nil ? expression : folded(expression), type)
    }

    /// Operands of one level, from left to right.
    func chain(_ first: CheckedPart, _ rest: [CheckedOperand]) -> CheckedPart {
        var type = first.type
        for operand in rest { type = Self.type(of: operand.sign, type, operand.part.type) }
        let expression: Expression
        if rest.count == 1, let only = rest.first {
            expression = .binary(only.sign, first.expression, only.part.expression)
        } else {
            expression = .chain(first.expression, rest.map { ChainLink(sign: $0.sign, operand: $0.part.expression) })
        }
        let isConstant = first.constant != nil && rest.allSatisfy { $0.part.constant != nil }
        return CheckedPart(isConstant ? folded(expression) : expression, type)
    }

    private static func type(of sign: BinaryOperator, _ left: FormulaType, _ right: FormulaType) -> FormulaType {
        switch sign {
        case .concatenate: .text
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: .boolean
        case .divide: .number(.decimal)
        case .add, .subtract, .multiply: .number(isWhole(left) && isWhole(right) ? .integer : .decimal)
        }
    }

    private static func isWhole(_ type: FormulaType) -> Bool {
        switch type {
        case .number(.integer), .boolean, .blank: true
        default: false
        }
    }

    /// The value of a part without names in place of the part; the part itself when the value is large, costly or an
    /// error.
    private func folded(_ expression: Expression) -> Expression {
        var budget = FormulaBudget(steps: 1000)
        budget.longestText = 1000
        budget.longestList = 100
        var evaluation = Evaluation(
            record: NoRecord(), now: Instant(milliseconds: 0), zones: TimeZoneDatabase { _ in nil }, budget: budget)
        guard let value = try? expression.evaluate(&evaluation), !value.holdsError else { return expression }
        return .constant(value)
    }

    /// What stands for a record where none is asked for anything.
    private struct NoRecord: FormulaRecord {
        func value(_ slot: Int) -> FormulaValue { .error }
        var id: RecordID { RecordID(text: IdentifierText(time: 0, counter: 0)) }
        var createdTime: Instant { Instant(milliseconds: 0) }
        func lastModifiedTime(_ slots: [Int]) -> Instant? { nil }
    }
}
