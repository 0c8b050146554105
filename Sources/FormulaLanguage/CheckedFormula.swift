package import RowhouseModel

/// A formula that was read and whose names and arguments were found to be right: ready to run on any record.
package struct CheckedFormula: Sendable {
    /// The fields it refers to, in the order of their first appearance; a slot is a place in this list.
    package let fields: [FieldID]
    package let type: FormulaType
    /// Whether it asks for the time (`NOW`, `TODAY`, `FROMNOW`, `TONOW`): the same record may give another value later.
    package let dependsOnNow: Bool
    let root: Expression

    init(fields: [FieldID], type: FormulaType, dependsOnNow: Bool, root: Expression) {
        self.fields = fields
        self.type = type
        self.dependsOnNow = dependsOnNow
        self.root = root
    }
}

extension CheckedFormula {
    /// Reads a text and finds its names and functions.
    package init(_ text: String, _ scope: FormulaScope) throws(FormulaError) {
        throw FormulaError(reason: .syntax, message: "Not built yet", line: 1, column: 1)
    }

    /// The value for the record of the evaluation, as the field shows it (see `finished`).
    package func evaluate(_ evaluation: inout Evaluation) throws(FormulaLimit) -> FormulaValue {
        finished(try root.evaluate(&evaluation))
    }

    /// In a formula of type text all else becomes text, and a 0 that is no text becomes blank (Airtable: the branch
    /// that gives 0 shows empty).
    func finished(_ value: FormulaValue) -> FormulaValue { value }
}

/// Why a text is no formula, with the place: `line` and `column` count from 1, the column in characters.
package struct FormulaError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// The text breaks the grammar, calls an unknown function or gives it too few or too many arguments.
        case syntax
        /// A name that no field has.
        case unknownField(String)
    }
    package let reason: Reason
    package let message: String
    package let line: Int
    package let column: Int

    package init(reason: Reason, message: String, line: Int, column: Int) {
        self.reason = reason
        self.message = message
        self.line = line
        self.column = column
    }
}
