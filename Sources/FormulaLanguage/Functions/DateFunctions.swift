import CivilTime

/// The family of date functions.
///
/// A date is a date cell, or a text in ISO 8601 or a common American form, which is read in UTC. A text that is none is
/// an error, and so is a number. Of a date that is missing, functions that take it apart or show it are blank, and so
/// are comparisons; `DATETIME_FORMAT` and functions that reckon with it are errors.
enum DateFunctions {
    static let all: [FormulaFunction] =
        [
            today, now, year, month, day, hour, minute, second, weekday, weekNumber, setTimeZone, setLocale, isSame,
            isBefore, isAfter,
        ] + arithmetic + texts + workdays

    /// TODAY() is midnight UTC at the start of the present day; the brackets may be left out.
    ///
    /// Example: {Deadline} < TODAY()
    static let today = FormulaFunction(
        "TODAY", 0...0, dependsOnContext: true, result: { _ in .date(hasTime: false) }
    ) { evaluation, _ throws(FormulaLimit) in
        .date(FormulaDate(evaluation.now.start(of: .day)))
    }

    /// NOW() is the present time; the brackets may be left out.
    ///
    /// Example: DATETIME_DIFF(NOW(), {Arrived}, "hours")
    static let now = FormulaFunction(
        "NOW", 0...0, dependsOnContext: true, result: { _ in .date(hasTime: true) }
    ) { evaluation, _ throws(FormulaLimit) in
        .date(FormulaDate(evaluation.now))
    }

    /// YEAR(date) is the year of a date.
    ///
    /// Example: YEAR({Birthday})
    static let year = part("YEAR") { $0.date.year }

    /// MONTH(date) is the month of a date, 1 for January to 12.
    ///
    /// Example: MONTH({Birthday})
    static let month = part("MONTH") { $0.date.month }

    /// DAY(date) is the day of the month, 1 to 31.
    ///
    /// Example: DAY({Birthday})
    static let day = part("DAY") { $0.date.day }

    /// HOUR(date) is the hour, 0 to 23.
    ///
    /// Example: HOUR(SET_TIMEZONE({Arrived}, "Asia/Taipei"))
    static let hour = part("HOUR") { $0.hour }

    /// MINUTE(date) is the minute, 0 to 59.
    ///
    /// Example: MINUTE({Arrived})
    static let minute = part("MINUTE") { $0.minute }

    /// SECOND(date) is the second, 0 to 59.
    ///
    /// Example: SECOND({Arrived})
    static let second = part("SECOND") { $0.second }

    /// WEEKDAY(date, [start]) is the day of the week, 0 for Sunday to 6 for Saturday; with the start "Monday", 0 for
    /// Monday to 6 for Sunday.
    ///
    /// Example: WEEKDAY({Date}, "Monday")
    static let weekday = weekPart("WEEKDAY") { date, firstWeekday in (date.weekday - firstWeekday + 7) % 7 }

    /// WEEKNUM(date, [start]) is the number of the week in its year. The first week is the one with the 1st of January;
    /// weeks begin on Sunday, or on Monday with the start "Monday".
    ///
    /// Example: WEEKNUM("2013-02-17")
    static let weekNumber = weekPart("WEEKNUM") { date, firstWeekday in
        Week(of: date, firstWeekday: firstWeekday, rule: 6 + firstWeekday).number
    }

    /// SET_TIMEZONE(date, zone) is the date as clocks of a time zone show it, for functions around it; the zone goes by
    /// its IANA name. The point in time stays the same.
    ///
    /// Example: DATETIME_FORMAT(SET_TIMEZONE({Start}, "Asia/Taipei"), "M/D/YYYY h:mm")
    static let setTimeZone = FormulaFunction(
        "SET_TIMEZONE", 2...2, dependsOnContext: true, result: { $0[0].asDate }
    ) { evaluation, arguments throws(FormulaLimit) in
        let name = try evaluation.asText(arguments[1])
        // Airtable's "client" is the zone of whoever looks; who asks over the API looks from UTC.
        guard let zone = name == "client" ? .utc : evaluation.zones.zone(named: name) else { return .error }
        return DateArgument(arguments[0]).map { date in
            .date(FormulaDate(date.instant, setting: .init(zone: zone, locale: date.setting?.locale)))
        }
    }

    /// SET_LOCALE(date, locale) is the date as a language writes it, for functions around it: `en`, `en-gb`, `zh-tw`,
    /// `zh-cn`, `ja`, `ko`, `de`, `fr`, `es` and some of their regions.
    ///
    /// Example: DATETIME_FORMAT(SET_LOCALE({Date}, "zh-tw"), "LLLL")
    static let setLocale = FormulaFunction("SET_LOCALE", 2...2, result: { $0[0].asDate }) {
        evaluation, arguments throws(FormulaLimit) in
        guard let locale = LocaleTable.named(try evaluation.asText(arguments[1])) else { return .error }
        return DateArgument(arguments[0]).map { date in
            .date(FormulaDate(date.instant, setting: .init(zone: date.setting?.zone, locale: locale)))
        }
    }

    /// IS_SAME(date, other, [unit]) is 1 when both dates are in the same unit (the same day, the same month), without a
    /// unit when they are the same point in time.
    ///
    /// Example: IS_SAME({Date}, TODAY(), "day")
    static let isSame = FormulaFunction("IS_SAME", 2...3, result: { _ in .boolean }) {
        evaluation, arguments throws(FormulaLimit) in
        guard let unit = try evaluation.unit(arguments, 2, without: .millisecond, unknown: nil) else { return .error }
        return compare(arguments) { date, other in
            let first = date.locale.firstWeekday
            return date.instant.start(of: unit, in: date.zone, firstWeekday: first)
                == other.instant.start(of: unit, in: date.zone, firstWeekday: first)
        }
    }

    /// IS_BEFORE(date, other) is 1 when the date is before the other one.
    ///
    /// Example: IS_BEFORE({Deadline}, TODAY())
    static let isBefore = FormulaFunction("IS_BEFORE", 2...2, result: { _ in .boolean }) {
        _, arguments throws(FormulaLimit) in compare(arguments) { $0.instant < $1.instant }
    }

    /// IS_AFTER(date, other) is 1 when the date is after the other one.
    ///
    /// Example: IS_AFTER({Deadline}, TODAY())
    static let isAfter = FormulaFunction("IS_AFTER", 2...2, result: { _ in .boolean }) {
        _, arguments throws(FormulaLimit) in compare(arguments) { $0.instant > $1.instant }
    }

    /// An answer about the first two arguments.
    private static func compare(
        _ arguments: [FormulaValue], _ holds: (FormulaDate, FormulaDate) -> Bool
    ) -> FormulaValue {
        DateArgument(arguments[0]).map { date in
            DateArgument(arguments[1]).map { other in .boolean(holds(date, other)) }
        }
    }

    /// A function that takes a whole number out of a date.
    private static func part(_ name: String, _ take: @escaping @Sendable (CivilDateTime) -> Int) -> FormulaFunction {
        FormulaFunction(name, 1...1, result: { _ in .number(.integer) }) { _, arguments throws(FormulaLimit) in
            DateArgument(arguments[0]).map { .number(Double(take($0.local))) }
        }
    }

    /// A function that takes a whole number out of a date, counted in weeks that begin on Sunday or Monday.
    private static func weekPart(
        _ name: String, _ take: @escaping @Sendable (CivilDate, Int) -> Int
    ) -> FormulaFunction {
        FormulaFunction(name, 1...2, result: { _ in .number(.integer) }) { evaluation, arguments throws(FormulaLimit) in
            let start = arguments.count > 1 ? try evaluation.asText(arguments[1]).lowercased() : ""
            guard ["", "sunday", "monday"].contains(start) else { return .error }
            return DateArgument(arguments[0]).map { .number(Double(take($0.local.date, start == "monday" ? 1 : 0))) }
        }
    }
}
