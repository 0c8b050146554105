/// A part of a checked formula, for others to look at: what a store could answer as well is found this way.
package final class FormulaPart: Sendable {
    /// What a part is, as far as others need to know.
    package enum Shape: Sendable {
        case constant(FormulaValue)
        /// A field by its slot in `CheckedFormula.fields`.
        case field(Int)
        /// `=`, `!=`, `<`, `<=`, `>` or `>=` between two parts.
        case comparison(BinaryOperator, FormulaPart, FormulaPart)
        /// A function, by its name in capitals, with its arguments.
        case call(String, [FormulaPart])
        case other
    }

    package let shape: Shape
    /// The slots of all fields in it.
    package let slots: Set<Int>
    /// Whether it looks at the record itself: its id or its times.
    package let dependsOnRecord: Bool
    /// How many nodes it has.
    package let size: Int
    let expression: Expression

    init(_ expression: Expression) {
        self.expression = expression
        let parts = expression.operands.map { FormulaPart($0) }
        var slots = parts.reduce(into: Set<Int>()) { $0.formUnion($1.slots) }
        var dependsOnRecord = parts.contains(where: \.dependsOnRecord)
        switch expression {
        case .constant(let value): shape = .constant(value)
        case .field(let slot):
            shape = .field(slot)
            slots = [slot]
        case .binary(let sign, _, _) where sign.level == 1: shape = .comparison(sign, parts[0], parts[1])
        case .call(let call):
            shape = .call(call.name, parts)
            if Self.functionsOfRecords.contains(call.name) { dependsOnRecord = true }
        default: shape = .other
        }
        self.slots = slots
        self.dependsOnRecord = dependsOnRecord
        size = parts.reduce(1) { $0 + $1.size }
    }

    private static let functionsOfRecords: Set<String> = ["RECORD_ID", "CREATED_TIME", "LAST_MODIFIED_TIME"]

    /// The value for the record of the evaluation.
    package func evaluate(_ evaluation: inout Evaluation) throws(FormulaLimit) -> FormulaValue {
        try expression.evaluate(&evaluation)
    }
}

extension Expression {
    fileprivate func insertSlots(into slots: inout Set<Int>) {
        if case .field(let slot) = self { slots.insert(slot) }
        for operand in operands { operand.insertSlots(into: &slots) }
    }

    fileprivate var operands: [Expression] {
        switch self {
        case .constant, .field: []
        case .negate(let operand): [operand]
        case .binary(_, let left, let right): [left, right]
        case .chain(let first, let links): [first] + links.map(\.operand)
        case .call(let call): call.arguments
        }
    }
}

extension CheckedFormula {
    /// The whole formula as a part.
    package var whole: FormulaPart { FormulaPart(root) }

    /// The slots of the fields that it looks at; of a part of a formula, fewer than there are `fields`.
    package var usedSlots: Set<Int> {
        var slots: Set<Int> = []
        root.insertSlots(into: &slots)
        return slots
    }

    /// Whether a filter of this formula keeps the record of the evaluation: the value as it is, not as a field shows it.
    package func isTrue(_ evaluation: inout Evaluation) throws(FormulaLimit) -> Bool {
        try root.evaluate(&evaluation).isTrue
    }

    /// The formula that is true when all these parts of it are, the items of lists one by one as in `AND`.
    package func all(of parts: [FormulaPart]) -> CheckedFormula {
        let call = FormulaCall(LogicalFunctions.and, parts.map(\.expression), yielding: .boolean)
        return CheckedFormula(fields: fields, type: .boolean, dependsOnNow: dependsOnNow, root: .call(call))
    }
}
