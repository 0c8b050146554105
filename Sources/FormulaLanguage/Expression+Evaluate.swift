extension Expression {
    /// The value for the record of the evaluation.
    ///
    /// Goes as deep as brackets and calls stand in one another, which the parser limits.
    func evaluate(_ evaluation: inout Evaluation) throws(FormulaLimit) -> FormulaValue {
        try evaluation.spend()
        switch self {
        case .constant(let value): return value
        case .field(let slot): return evaluation.record.value(slot)
        case .negate(let operand):
            let value = try operand.evaluate(&evaluation)
            return try evaluation.isError(value) ? .error : .number(-value.asNumber)
        case .binary(let sign, let left, let right):
            let left = try left.evaluate(&evaluation)
            return try sign.apply(left, try right.evaluate(&evaluation), &evaluation)
        case .chain(let first, let links):
            if links.first?.sign == .concatenate { return try Self.join(first, links, &evaluation) }
            var value = try first.evaluate(&evaluation)
            for link in links {
                value = try link.sign.apply(value, try link.operand.evaluate(&evaluation), &evaluation)
            }
            return value
        case .call(let call):
            return try call.evaluate(&evaluation)
        }
    }

    /// One text of many operands, put together once.
    private static func join(
        _ first: Expression, _ links: [ChainLink], _ evaluation: inout Evaluation
    ) throws(FormulaLimit) -> FormulaValue {
        let value = try first.evaluate(&evaluation)
        if try evaluation.isError(value) { return .error }
        var text = try evaluation.asText(value)
        for link in links {
            let value = try link.operand.evaluate(&evaluation)
            if try evaluation.isError(value) { return .error }
            text += try evaluation.asText(value)
            guard text.utf8.count <= evaluation.budget.longestText else { throw .size }
        }
        return .text(text)
    }
}

extension FormulaCall {
    func evaluate(_ evaluation: inout Evaluation) throws(FormulaLimit) -> FormulaValue {
        switch body {
        case .lazy(let body): return try body(&evaluation, arguments)
        case .eager(let body):
            var values: [FormulaValue] = []
            values.reserveCapacity(arguments.count)
            for argument in arguments {
                let value = try argument.evaluate(&evaluation)
                if !takesErrors, try evaluation.isError(value) { return .error }
                values.append(value)
            }
            return try body(&evaluation, values)
        }
    }
}

extension BinaryOperator {
    /// What the operator makes of two values; an error of either makes an error.
    func apply(
        _ left: FormulaValue, _ right: FormulaValue, _ evaluation: inout Evaluation
    ) throws(FormulaLimit) -> FormulaValue {
        // Most operands are two numbers or two texts.
        if case .number(let left) = left, case .number(let right) = right, self != .concatenate {
            return numbers(left, right)
        }
        if case .text(let leftText) = left, case .text(let rightText) = right, level == 1 {
            try evaluation.spend(leftText.utf8.count >> 4 + rightText.utf8.count >> 4)
            if self == .equal { return .boolean(leftText.hasSameBytes(as: rightText)) }
            if self == .notEqual { return .boolean(!leftText.hasSameBytes(as: rightText)) }
            return .boolean(holds(for: left.compare(right)))
        }
        if try evaluation.isError(left) { return .error }
        if try evaluation.isError(right) { return .error }
        switch self {
        case .add, .subtract, .multiply, .divide: return numbers(left.asNumber, right.asNumber)
        case .concatenate:
            return try evaluation.text(try evaluation.asText(left) + (try evaluation.asText(right)))
        case .equal: return .boolean(try evaluation.scalar(left).equals(try evaluation.scalar(right)))
        case .notEqual: return .boolean(!(try evaluation.scalar(left).equals(try evaluation.scalar(right))))
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return .boolean(holds(for: try evaluation.scalar(left).compare(try evaluation.scalar(right))))
        }
    }

    private func numbers(_ left: Double, _ right: Double) -> FormulaValue {
        switch self {
        case .add: .number(left + right)
        case .subtract: .number(left - right)
        case .multiply: .number(left * right)
        case .divide: .number(left / right)
        case .equal: .boolean(left == right)
        case .notEqual: .boolean(left != right)
        case .less: .boolean(left < right)
        case .lessOrEqual: .boolean(left <= right)
        case .greater: .boolean(left > right)
        case .greaterOrEqual: .boolean(left >= right)
        case .concatenate: .error
        }
    }

    private func holds(for ordering: FormulaOrdering?) -> Bool {
        switch self {
        case .less: ordering == .before
        case .lessOrEqual: ordering == .before || ordering == .same
        case .greater: ordering == .after
        case .greaterOrEqual: ordering == .after || ordering == .same
        default: false
        }
    }
}
