/// A checked formula as a tree: names are slots, functions are looked up.
indirect enum Expression: Sendable {
    case constant(FormulaValue)
    /// A field by its slot in `CheckedFormula.fields`.
    case field(Int)
    case negate(Expression)
    case binary(BinaryOperator, Expression, Expression)
    /// Three operands or more with operators of one level, from left to right: flat, so that no chain is too deep.
    case chain(Expression, [ChainLink])
    case call(FormulaCall)
}

/// A later operand of a chain and the operator before it.
struct ChainLink: Sendable {
    let sign: BinaryOperator
    let operand: Expression
}

/// The operators between two operands.
package enum BinaryOperator: String, Sendable {
    case add = "+", subtract = "-", multiply = "*", divide = "/"
    case concatenate = "&"
    case equal = "=", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="

    /// How closely it binds; 1 the loosest.
    var level: Int {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: 1
        case .concatenate: 2
        case .add, .subtract: 3
        case .multiply, .divide: 4
        }
    }
}

/// A function with the arguments of one call; a class, so that walking to it copies one word.
final class FormulaCall: Sendable {
    let name: String
    let arguments: [Expression]
    let body: FormulaFunction.Body
    let takesErrors: Bool

    /// - Parameter type: that of the result.
    init(_ function: FormulaFunction, _ arguments: [Expression], yielding type: FormulaType) {
        name = function.name
        self.arguments = arguments
        takesErrors = function.takesErrors
        let constants = arguments.map { if case .constant(let value) = $0 { value } else { FormulaValue?.none } }
        let hasConstants = constants.contains { $0 != nil }
        let prepared = (hasConstants ? function.prepare?(constants) : nil) ?? function.yielding?(type)
        body = prepared ?? function.body
    }
}
