package import RowhouseModel

/// A formula that was read and whose names and arguments were found to be right: ready to run on any record.
package struct CheckedFormula: Sendable {
    /// The fields it refers to, in the order of their first appearance; a slot is a place in this list.
    package let fields: [FieldID]
    package let type: FormulaType
    /// Whether it asks for the time (`NOW`, `TODAY`, `FROMNOW`, `TONOW`): the same record may give another value later.
    package let dependsOnNow: Bool
    let root: Expression

    /// Reads a text, finds its names in the scope, and checks that functions exist and get the right number of
    /// arguments.
    ///
    /// Takes time linear in the text, of which at most `FormulaParser.longest` characters are taken.
    package init(_ text: String, _ scope: FormulaScope) throws(FormulaError) {
        var parser = FormulaParser(text, scope)
        do throws(FormulaFault) {
            let part = try parser.formula()
            root = part.expression
            type = part.type
        } catch {
            // The first mistake is told: a name that is none may be what makes the rest unreadable.
            let fault = parser.checker.unknown ?? error
            throw FormulaError(fault, in: text, unknownNames: parser.checker.unknownNames)
        }
        if let fault = parser.checker.unknown {
            throw FormulaError(fault, in: text, unknownNames: parser.checker.unknownNames)
        }
        fields = parser.checker.fields
        dependsOnNow = parser.checker.dependsOnNow
    }

    init(fields: [FieldID], type: FormulaType, dependsOnNow: Bool, root: Expression) {
        self.fields = fields
        self.type = type
        self.dependsOnNow = dependsOnNow
        self.root = root
    }

    /// The value for the record of the evaluation, as the field shows it.
    package func evaluate(_ evaluation: inout Evaluation) throws(FormulaLimit) -> FormulaValue {
        try finished(try root.evaluate(&evaluation), &evaluation)
    }

    /// In a formula of type text all else becomes text, and a 0 that is no text becomes blank (Airtable: the branch
    /// that gives 0 shows empty).
    private func finished(
        _ value: FormulaValue, _ evaluation: inout Evaluation
    ) throws(FormulaLimit) -> FormulaValue {
        guard type == .text else { return value }
        switch value {
        case .text, .blank, .error: return value
        case .number(0), .boolean(false): return .blank
        case .array where value.holdsError: return .error
        default: return .text(try evaluation.asText(value))
        }
    }
}
