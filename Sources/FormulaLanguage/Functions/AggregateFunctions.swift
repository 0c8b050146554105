/// Those of the numeric functions that take any number of values and the items of lists among them.
enum AggregateFunctions {
    static let all: [FormulaFunction] = [sum, average, min, max, count, counta, countall]

    /// SUM(value1, [value2, …]) gives the sum of the numbers among its arguments.
    ///
    /// Example: SUM(1, 2.5, "text", BLANK()) → 3.5
    private static let sum = FormulaFunction("SUM", any, result: number) {
        evaluation, arguments throws(FormulaLimit) in
        .number(numbers(in: try evaluation.flattened(arguments)).reduce(0, +))
    }

    /// AVERAGE(value1, [value2, …]) gives the mean of the numbers among its arguments; NaN when there is none.
    ///
    /// Example: AVERAGE(1, 2, "text", 6) → 3
    private static let average = FormulaFunction("AVERAGE", any, result: { _ in .number(.decimal) }) {
        evaluation, arguments throws(FormulaLimit) in
        let numbers = numbers(in: try evaluation.flattened(arguments))
        return .number(numbers.reduce(0, +) / Double(numbers.count))
    }

    /// MIN(value1, [value2, …]) gives the least number among its arguments, or the earliest date if there are dates; 0
    /// when there is neither, and blank where all are fields of dates.
    ///
    /// Example: MIN(3, 1, "text", 2) → 1
    private static let min = FormulaFunction("MIN", any, result: extreme, yielding: { datesOnly($0, earliest) }) {
        evaluation, arguments throws(FormulaLimit) in
        let values = try evaluation.flattened(arguments)
        return earliest(values) ?? .number(extremeNumber(in: values) { $0 < $1 })
    }

    /// MAX(value1, [value2, …]) gives the greatest number among its arguments, or the latest date if there are dates; 0
    /// when there is neither, and blank where all are fields of dates.
    ///
    /// Example: MAX(3, 1, "text", 2) → 3
    private static let max = FormulaFunction("MAX", any, result: extreme, yielding: { datesOnly($0, latest) }) {
        evaluation, arguments throws(FormulaLimit) in
        let values = try evaluation.flattened(arguments)
        return latest(values) ?? .number(extremeNumber(in: values) { $0 > $1 })
    }

    /// COUNT(value1, [value2, …]) tells how many of its arguments are numbers.
    ///
    /// Example: COUNT(1, "two", 3, BLANK()) → 2
    private static let count = FormulaFunction("COUNT", any, result: { _ in .number(.integer) }) {
        evaluation, arguments throws(FormulaLimit) in
        .number(Double(numbers(in: try evaluation.flattened(arguments)).count))
    }

    /// COUNTA(value1, [value2, …]) tells how many of its arguments are neither blank nor an empty text.
    ///
    /// Example: COUNTA(1, "two", "", BLANK()) → 2
    private static let counta = FormulaFunction("COUNTA", any, result: { _ in .number(.integer) }) {
        evaluation, arguments throws(FormulaLimit) in
        .number(Double(try evaluation.flattened(arguments).lazy.filter { !$0.isEmpty }.count))
    }

    /// COUNTALL(value1, [value2, …]) tells how many arguments it has, those that are blank too.
    ///
    /// Example: COUNTALL(1, "two", "", BLANK()) → 4
    private static let countall = FormulaFunction("COUNTALL", any, result: { _ in .number(.integer) }) {
        evaluation, arguments throws(FormulaLimit) in
        .number(Double(try evaluation.flattened(arguments).count))
    }

    private static let any = 1...FormulaFunction.anyNumber

    /// Numbers and answers; dates, texts and blanks are not counted with.
    private static func numbers(in values: [FormulaValue]) -> [Double] {
        values.compactMap { value in
            switch value {
            case .number(let number): number
            case .boolean(let answer): answer ? 1 : 0
            default: nil
            }
        }
    }

    /// The number that stands before all others, NaN if one is; 0 when there is none.
    private static func extremeNumber(in values: [FormulaValue], _ precedes: (Double, Double) -> Bool) -> Double {
        let numbers = numbers(in: values)
        if numbers.contains(where: \.isNaN) { return .nan }
        return numbers.min(by: precedes) ?? 0
    }

    private static let earliest = { @Sendable (values: [FormulaValue]) -> FormulaValue? in
        dates(in: values).min { $0.instant < $1.instant }.map { .date($0) }
    }
    private static let latest = { @Sendable (values: [FormulaValue]) -> FormulaValue? in
        dates(in: values).max { $0.instant < $1.instant }.map { .date($0) }
    }

    /// What works on nothing but dates: without any there is none, not the number 0.
    private static func datesOnly(
        _ type: FormulaType, _ extreme: @escaping @Sendable ([FormulaValue]) -> FormulaValue?
    ) -> FormulaFunction.Body? {
        guard case .date = type else { return nil }
        return .eager { evaluation, arguments throws(FormulaLimit) in
            extreme(try evaluation.flattened(arguments)) ?? .blank
        }
    }

    private static func dates(in values: [FormulaValue]) -> [FormulaDate] {
        values.compactMap { if case .date(let date) = $0 { date } else { nil } }
    }

    /// Whole if all that may be numbers are.
    static let number: @Sendable ([FormulaType]) -> FormulaType = { types in
        let areWhole = types.allSatisfy { type in
            switch type.item {
            case .number(.decimal), .any: false
            default: true
            }
        }
        return .number(areWhole ? .integer : .decimal)
    }

    /// A date for dates, a number for all else, either for both.
    private static let extreme: @Sendable ([FormulaType]) -> FormulaType = { types in
        let joined = FormulaType.joined(types.map(\.item).filter { $0 != .text })
        switch joined {
        case .date, .any: return joined
        case .text: return .any
        default: return number(types)
        }
    }
}

extension FormulaType {
    /// The type of the items of a list and of the lists within it; of all else the type itself.
    var item: FormulaType { if case .array(let item) = self { item.item } else { self } }
}

extension FormulaValue {
    /// Whether it is blank or a text without characters.
    var isEmpty: Bool {
        switch self {
        case .blank: true
        case .text(let text): text.isEmpty
        default: false
        }
    }
}
