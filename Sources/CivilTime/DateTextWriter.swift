/// Writes the tokens of a pattern for one moment.
struct DateTextWriter {
    let local: CivilDateTime
    let offsetSeconds: Int
    let abbreviation: String
    let locale: LocaleTable
    var bytes: [UInt8] = []

    private var date: CivilDate { local.date }

    mutating func append(_ token: DatePattern.Token) {
        switch token {
        case .year, .shortYear, .plainYear, .fiveDigitYear, .signedYear, .quarter, .ordinalQuarter, .month,
            .ordinalMonth, .paddedMonth, .shortMonthName, .monthName:
            appendYearOrMonth(token)
        case .eraYear, .eraYear2, .eraYear3, .eraYear4, .ordinalEraYear, .era, .era2, .era3, .eraName, .narrowEra:
            appendEra(token)
        case .day, .ordinalDay, .paddedDay, .dayOfYear, .ordinalDayOfYear, .paddedDayOfYear, .weekday,
            .ordinalWeekday, .minimalWeekdayName, .shortWeekdayName, .weekdayName, .localeWeekday, .isoWeekday:
            appendDay(token)
        case .week, .ordinalWeek, .paddedWeek, .isoWeek, .ordinalISOWeek, .paddedISOWeek, .shortWeekYear, .weekYear,
            .shortISOWeekYear, .isoWeekYear, .fiveDigitWeekYear, .fiveDigitISOWeekYear:
            appendWeek(token)
        case .tenths, .hundredths, .milliseconds, .fraction4, .fraction5, .fraction6, .fraction7, .fraction8,
            .fraction9:
            appendFraction(digits: token.rawValue.utf8.count)
        default: appendTime(token)
        }
    }

    private mutating func appendYearOrMonth(_ token: DatePattern.Token) {
        switch token {
        case .year: append(year: date.year)
        case .plainYear: date.year > 9999 ? append(year: date.year) : append(date.year)
        case .shortYear: append(date.year % 100, width: 2)
        case .fiveDigitYear: append(year: date.year, width: 5)
        case .signedYear:
            if date.year >= 0 { append("+") }
            append(date.year, width: 6)
        case .quarter: append((date.month + 2) / 3)
        case .ordinalQuarter: append(ordinal: (date.month + 2) / 3, of: .quarter)
        case .ordinalMonth: append(ordinal: date.month, of: .month)
        case .paddedMonth: append(date.month, width: 2)
        case .shortMonthName: append(locale.shortMonths, date.month - 1)
        case .monthName: append(locale.months, date.month - 1)
        default: append(date.month)
        }
    }

    private mutating func appendEra(_ token: DatePattern.Token) {
        let era = locale.eras.first { $0.since <= date }
        let year = era.map { date.year - $0.since.year + $0.firstYear } ?? date.year
        switch token {
        case .era, .era2, .era3: append(era?.abbreviation ?? "")
        case .eraName: append(era?.name ?? "")
        case .narrowEra: append(era?.narrowName ?? "")
        case .ordinalEraYear: append(ordinal: year, of: .eraYear)
        default: append(year, width: token.rawValue.utf8.count)
        }
    }

    private mutating func appendDay(_ token: DatePattern.Token) {
        switch token {
        case .ordinalDay: append(ordinal: date.day, of: .dayOfMonth)
        case .paddedDay: append(date.day, width: 2)
        case .dayOfYear: append(date.dayOfYear)
        case .ordinalDayOfYear: append(ordinal: date.dayOfYear, of: .day)
        case .paddedDayOfYear: append(date.dayOfYear, width: 3)
        case .weekday: append(date.weekday)
        case .ordinalWeekday: append(ordinal: date.weekday, of: .day)
        case .minimalWeekdayName: append(locale.minimalWeekdays, date.weekday)
        case .shortWeekdayName: append(locale.shortWeekdays, date.weekday)
        case .weekdayName: append(locale.weekdays, date.weekday)
        case .localeWeekday: append((date.weekday - locale.firstWeekday + 7) % 7)
        case .isoWeekday: append((date.weekday + 6) % 7 + 1)
        default: append(date.day)
        }
    }

    private mutating func appendWeek(_ token: DatePattern.Token) {
        let week = Week(of: date, firstWeekday: locale.firstWeekday, rule: locale.firstWeekRule)
        let isoWeek = Week(of: date, firstWeekday: 1, rule: 4)
        switch token {
        case .ordinalWeek: append(ordinal: week.number, of: .week)
        case .paddedWeek: append(week.number, width: 2)
        case .isoWeek: append(isoWeek.number)
        case .ordinalISOWeek: append(ordinal: isoWeek.number, of: .week)
        case .paddedISOWeek: append(isoWeek.number, width: 2)
        case .shortWeekYear: append(week.year % 100, width: 2)
        case .weekYear: append(week.year, width: 4)
        case .fiveDigitWeekYear: append(week.year, width: 5)
        case .fiveDigitISOWeekYear: append(isoWeek.year, width: 5)
        case .shortISOWeekYear: append(isoWeek.year % 100, width: 2)
        case .isoWeekYear: append(isoWeek.year, width: 4)
        default: append(week.number)
        }
    }

    private mutating func appendTime(_ token: DatePattern.Token) {
        switch token {
        case .hour: append(local.hour)
        case .paddedHour: append(local.hour, width: 2)
        case .hour12: append((local.hour + 11) % 12 + 1)
        case .paddedHour12: append((local.hour + 11) % 12 + 1, width: 2)
        case .hour24: append((local.hour + 23) % 24 + 1)
        case .paddedHour24: append((local.hour + 23) % 24 + 1, width: 2)
        case .minute: append(local.minute)
        case .paddedMinute: append(local.minute, width: 2)
        case .second: append(local.second)
        case .paddedSecond: append(local.second, width: 2)
        case .hourMinute, .hourMinuteSecond, .hour12Minute, .hour12MinuteSecond: appendCompactTime(token)
        case .offset: appendOffset(separator: ":")
        case .compactOffset: appendOffset(separator: "")
        case .abbreviation, .abbreviation2: append(abbreviation)
        case .unixSeconds: append(Int(utcMilliseconds.dividedDown(by: 1000).quotient))
        case .unixMilliseconds: append(Int(utcMilliseconds))
        case .upperMeridiem: append(meridiem?.upper ?? "")
        default: append(meridiem?.lower ?? "")
        }
    }

    private mutating func appendCompactTime(_ token: DatePattern.Token) {
        let isTwelveHour = token == .hour12Minute || token == .hour12MinuteSecond
        append(isTwelveHour ? (local.hour + 11) % 12 + 1 : local.hour)
        append(local.minute, width: 2)
        if token == .hourMinuteSecond || token == .hour12MinuteSecond { append(local.second, width: 2) }
    }

    private mutating func appendFraction(digits: Int) {
        let milliseconds = local.millisecond
        switch digits {
        case 1: append(milliseconds / 100)
        case 2: append(milliseconds / 10, width: 2)
        default:
            append(milliseconds, width: 3)
            for _ in 3..<digits { append("0") }
        }
    }

    private var utcMilliseconds: Int64 { local.localMilliseconds &- Int64(offsetSeconds) &* 1000 }

    private var meridiem: LocaleTable.Meridiem? {
        let minute = local.hour * 60 + local.minute
        return locale.meridiems.last { $0.fromMinute <= minute }
    }

    /// The offset in whole minutes.
    private mutating func appendOffset(separator: String) {
        append(offsetSeconds < 0 ? "-" : "+")
        let minutes = Int(offsetSeconds.magnitude / 60)
        append(minutes / 60, width: 2)
        append(separator)
        append(minutes % 60, width: 2)
    }

    private mutating func append(year: Int, width: Int = 4) {
        if year > 9999, width == 4 { append("+") }
        append(year, width: width)
    }

    private mutating func append(ordinal number: Int, of unit: LocaleTable.OrdinalUnit) {
        append(number)
        append(locale.ordinal.ending(of: number, unit))
    }

    private mutating func append(_ number: Int, width: Int = 1) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes.appendDigits(Int(clamping: number.magnitude), width: width)
    }

    /// A word of a table; nothing when the table is too short.
    private mutating func append(_ words: [String], _ index: Int) {
        if words.indices.contains(index) { append(words[index]) }
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
