/// A checked formula as a tree: names are slots, functions are looked up.
indirect enum Expression: Sendable {
    case constant(FormulaValue)
    /// A field by its slot in `CheckedFormula.fields`.
    case field(Int)
    case negate(Expression)
    case binary(BinaryOperator, Expression, Expression)
    case call(FormulaFunction, [Expression])
}

/// The operators between two operands.
package enum BinaryOperator: String, Sendable {
    case add = "+", subtract = "-", multiply = "*", divide = "/"
    case concatenate = "&"
    case equal = "=", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
}

extension Expression {
    /// The value for the record of the evaluation.
    func evaluate(_ evaluation: inout Evaluation) throws(FormulaLimit) -> FormulaValue { .error }
}
