/// The family of logical functions.
enum LogicalFunctions {
    static let all: [FormulaFunction] = [
        ifFunction, switchFunction, and, or, xor, not, trueFunction, falseFunction, blank, error, isError,
    ]

    /// IF(condition, value, [otherwise]) gives the value when the condition is true, else the other one or blank. A
    /// condition is false when it is blank, an empty text, 0, NaN or an empty list. The branch not taken is not run.
    ///
    /// Example: IF({Stock} < 5, "Order more", "Enough")
    static let ifFunction = FormulaFunction(lazy: "IF", 2...3, result: { .joined($0.dropFirst()) }) {
        evaluation, arguments throws(FormulaLimit) in
        let condition = try arguments[0].evaluate(&evaluation)
        if try evaluation.isError(condition) { return .error }
        if condition.isTrue { return try arguments[1].evaluate(&evaluation) }
        return arguments.count > 2 ? try arguments[2].evaluate(&evaluation) : .blank
    }

    /// SWITCH(expression, pattern, result, [pattern, result …], [otherwise]) gives the result after the first pattern
    /// that equals the expression, else the last argument when it stands alone, else blank.
    ///
    /// Example: SWITCH({Status}, "Todo", 0, "Doing", 0.5, "Done", 1)
    static let switchFunction = FormulaFunction(
        lazy: "SWITCH", 3...FormulaFunction.anyNumber, result: { .joined(results(of: $0)) }
    ) { evaluation, arguments throws(FormulaLimit) in
        let value = try arguments[0].evaluate(&evaluation)
        if try evaluation.isError(value) { return .error }
        var position = 1
        while position + 1 < arguments.count {
            let pattern = try arguments[position].evaluate(&evaluation)
            if try evaluation.isError(pattern) { return .error }
            if try BinaryOperator.equal.apply(value, pattern, &evaluation).isTrue {
                return try arguments[position + 1].evaluate(&evaluation)
            }
            position += 2
        }
        return position < arguments.count ? try arguments[position].evaluate(&evaluation) : .blank
    }

    /// Of the arguments of `SWITCH` those that may be its result.
    private static func results(of types: [FormulaType]) -> [FormulaType] {
        types.indices.filter { $0 > 0 && ($0 % 2 == 0 || $0 == types.count - 1) }.map { types[$0] }
    }

    /// AND(condition, …) is 1 when all conditions are true, else 0. The items of lists count one by one.
    ///
    /// Example: AND({Paid}, {Total} > 100)
    static let and = FormulaFunction(lazy: "AND", 1...FormulaFunction.anyNumber, result: { _ in .boolean }) {
        evaluation, arguments throws(FormulaLimit) in
        guard let conditions = try Conditions(arguments, &evaluation) else { return .error }
        return .boolean(conditions.holding == conditions.count)
    }

    /// OR(condition, …) is 1 when at least one condition is true, else 0. The items of lists count one by one.
    ///
    /// Example: OR({Country} = "FR", {Country} = "BE")
    static let or = FormulaFunction(lazy: "OR", 1...FormulaFunction.anyNumber, result: { _ in .boolean }) {
        evaluation, arguments throws(FormulaLimit) in
        guard let conditions = try Conditions(arguments, &evaluation) else { return .error }
        return .boolean(conditions.holding > 0)
    }

    /// XOR(condition, …) is 1 when an odd number of conditions is true, else 0. The items of lists count one by one.
    ///
    /// Example: XOR({Indoors}, {Outdoors})
    static let xor = FormulaFunction(lazy: "XOR", 1...FormulaFunction.anyNumber, result: { _ in .boolean }) {
        evaluation, arguments throws(FormulaLimit) in
        guard let conditions = try Conditions(arguments, &evaluation) else { return .error }
        return .boolean(conditions.holding % 2 == 1)
    }

    /// NOT(condition) is 1 when the condition is false, else 0.
    ///
    /// Example: NOT({Paid})
    static let not = FormulaFunction("NOT", 1...1, result: { _ in .boolean }) { _, arguments throws(FormulaLimit) in
        .boolean(!arguments[0].isTrue)
    }

    /// TRUE() is 1; the brackets may be left out.
    ///
    /// Example: {Paid} = TRUE()
    static let trueFunction = FormulaFunction("TRUE", 0...0, result: { _ in .boolean }) { _, _ throws(FormulaLimit) in
        .boolean(true)
    }

    /// FALSE() is 0; the brackets may be left out.
    ///
    /// Example: {Paid} = FALSE()
    static let falseFunction = FormulaFunction("FALSE", 0...0, result: { _ in .boolean }) {
        _, _ throws(FormulaLimit) in .boolean(false)
    }

    /// BLANK() is the value of an empty cell; it equals blank, an empty text, 0 and false. The brackets may be left out.
    ///
    /// Example: IF({Price} > 0, {Price}, BLANK())
    static let blank = FormulaFunction("BLANK", 0...0, result: { _ in .blank }) { _, _ throws(FormulaLimit) in .blank }

    /// ERROR([message]) is an error, shown as #ERROR!; the message is for those who read the formula.
    ///
    /// Example: IF({Price} < 0, ERROR("A price below zero"), {Price})
    static let error = FormulaFunction("ERROR", 0...1, takesErrors: true, result: { _ in .blank }) {
        _, _ throws(FormulaLimit) in .error
    }

    /// ISERROR(value) is 1 when the value is an error or NaN, or a list that holds one, else 0.
    ///
    /// Example: IF(ISERROR({Total} / {Count}), 0, {Total} / {Count})
    static let isError = FormulaFunction("ISERROR", 1...1, takesErrors: true, result: { _ in .boolean }) {
        _, arguments throws(FormulaLimit) in
        .boolean(isWrong(arguments[0]))
    }

    private static func isWrong(_ value: FormulaValue) -> Bool {
        switch value {
        case .error: true
        case .number(let number): number.isNaN
        case .array(let items): items.contains { isWrong($0) }
        default: false
        }
    }
}

/// How many conditions there are and how many of them are true. All are looked at, since an error of any is an error.
private struct Conditions {
    private(set) var count = 0
    private(set) var holding = 0

    /// Nil when one is an error.
    init?(_ arguments: [Expression], _ evaluation: inout Evaluation) throws(FormulaLimit) {
        for argument in arguments {
            let value = try argument.evaluate(&evaluation)
            if try evaluation.isError(value) { return nil }
            add(value)
        }
    }

    private mutating func add(_ value: FormulaValue) {
        if case .array(let items) = value {
            for item in items { add(item) }
        } else {
            count += 1
            if value.isTrue { holding += 1 }
        }
    }
}
