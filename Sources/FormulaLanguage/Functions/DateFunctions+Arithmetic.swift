import CivilTime

extension DateFunctions {
    static let arithmetic = [dateAdd, difference]

    /// DATEADD(date, number, [unit]) is the date so many units later, or earlier when the number is negative. From the
    /// 31st of January a month leads to the last of February. Units are `years`, `quarters`, `months`, `weeks`, `days`,
    /// `hours`, `minutes`, `seconds` and `milliseconds`, also as `y`, `Q`, `M`, `w`, `d`, `h`, `m`, `s` and `ms`;
    /// without one the number counts milliseconds.
    ///
    /// Example: DATEADD({Start}, 10, "days")
    static let dateAdd = FormulaFunction("DATEADD", 2...3, result: { $0[0].asDate }) {
        evaluation, arguments throws(FormulaLimit) in
        guard let unit = try evaluation.unit(arguments, 2, without: .millisecond, unknown: nil),
            let date = DateArgument(arguments[0]).date
        else { return .error }
        return date.moved(to: date.instant.adding(arguments[1].asNumber, unit, in: date.zone))
    }

    /// DATETIME_DIFF(date, other, [unit]) is how many whole units the date is after the other one, negative when it is
    /// before. Units are those of DATEADD; without one it counts seconds, and milliseconds for a word that is none.
    ///
    /// Example: DATETIME_DIFF({End}, {Start}, "days")
    static let difference = FormulaFunction("DATETIME_DIFF", 2...3, result: { _ in .number(.integer) }) {
        evaluation, arguments throws(FormulaLimit) in
        let unit = try evaluation.unit(arguments, 2, without: .second, unknown: .millisecond) ?? .millisecond
        guard let date = DateArgument(arguments[0]).date, let other = DateArgument(arguments[1]).date else {
            return .error
        }
        return .number(date.instant.difference(from: other.instant, in: unit, zone: date.zone))
    }
}

extension Evaluation {
    /// The unit that an argument names.
    mutating func unit(
        _ arguments: [FormulaValue], _ index: Int, without missing: CalendarUnit, unknown: CalendarUnit?
    ) throws(FormulaLimit) -> CalendarUnit? {
        guard arguments.indices.contains(index) else { return missing }
        let name = try asText(arguments[index])
        return name.isEmpty ? missing : CalendarUnit(name) ?? unknown
    }
}
