/// Reads a text by a pattern of moment's tokens, forgiving as moment's `moment.utc(text, pattern, locale)`.
///
/// Each token takes the first place further on in the text that looks like it; what lies between is passed over, and
/// a token that finds nothing is left out. What no token gave comes from the present for units above the largest one
/// given, and is the least possible below.
package struct DateReader: Sendable {
    private let pieces: [DatePattern.Piece]
    private let locale: LocaleTable

    /// Reads the pattern as `DatePattern` does.
    package init(_ pattern: String, locale: LocaleTable = .english) {
        pieces = PatternReader(pattern, locale: locale, for: .reading).pieces
        self.locale = locale
    }

    /// What the text says, on the clock of UTC where it names no offset; nil when it says nothing or nothing possible.
    package func instant(_ text: String, now: Instant) -> Instant? {
        var fields = DateFields()
        var scanner = TextScanner(text)
        for piece in pieces {
            switch piece {
            case .literal(let literal): scanner.skip(past: literal)
            case .token(let token): read(token, from: &scanner, into: &fields)
            }
        }
        return fields.instant(now: now, locale: locale)
    }

    private func read(_ token: DatePattern.Token, from scanner: inout TextScanner, into fields: inout DateFields) {
        switch token {
        case .shortMonthName, .monthName:
            fields.take(scanner.name(locale.monthNames, locale.monthReading), as: \.month, countedFrom: 1)
        case .minimalWeekdayName, .shortWeekdayName, .weekdayName:
            fields.take(scanner.name(locale.weekdayNames, locale.weekdayReading), as: \.weekday, countedFrom: 0)
        case .upperMeridiem, .lowerMeridiem:
            guard let half = scanner.dayHalf(locale) else { return }
            fields.dayHalf = half
            fields.isEmpty = false
        case .offset, .compactOffset:
            guard let minutes = scanner.offsetMinutes() else { return }
            fields.offsetMinutes = minutes
            fields.isEmpty = false
        case .unixSeconds, .unixMilliseconds: readTimestamp(token, from: &scanner, into: &fields)
        default: readNumber(token, from: &scanner, into: &fields)
        }
    }

    private func readTimestamp(
        _ token: DatePattern.Token, from scanner: inout TextScanner, into fields: inout DateFields
    ) {
        guard let number = scanner.decimal(hasFraction: token == .unixSeconds) else { return }
        fields.isEmpty = false
        fields.timestamp = token == .unixSeconds ? number * 1000 : number
    }

    private func readNumber(_ token: DatePattern.Token, from scanner: inout TextScanner, into fields: inout DateFields)
    {
        guard let width = token.digits else {
            // A token that is only for writing stands for its own letters.
            if scanner.skip(past: Array(token.rawValue.utf8)) { fields.isEmpty = false }
            return
        }
        let isSigned =
            token == .plainYear || token == .fiveDigitYear || token == .signedYear
            || token == .fiveDigitWeekYear || token == .fiveDigitISOWeekYear
        let endings = token == .ordinalDay ? locale.ordinalEndings : []
        guard let digits = scanner.digits(width, isSigned: isSigned, endings: endings) else { return }
        fields.isEmpty = false
        fields.set(token, to: digits)
    }
}

extension DatePattern.Token {
    /// How many digits the token takes from a text; nil for a token that takes no number.
    fileprivate var digits: ClosedRange<Int>? {
        switch self {
        case .month, .paddedMonth, .day, .paddedDay, .ordinalDay, .weekday, .localeWeekday, .isoWeekday, .week,
            .paddedWeek, .isoWeek, .paddedISOWeek, .shortYear, .shortWeekYear, .shortISOWeekYear, .hour, .paddedHour,
            .hour12, .paddedHour12, .hour24, .paddedHour24, .minute, .paddedMinute, .second, .paddedSecond:
            1...2
        case .quarter: 1...1
        case .dayOfYear, .tenths, .hundredths, .milliseconds: 1...3
        case .paddedDayOfYear: 3...3
        case .year, .weekYear, .isoWeekYear: 1...4
        case .fiveDigitYear, .signedYear, .fiveDigitWeekYear, .fiveDigitISOWeekYear: 1...6
        case .hourMinute, .hour12Minute: 3...4
        case .hourMinuteSecond, .hour12MinuteSecond: 5...6
        case .plainYear, .eraYear, .eraYear2, .eraYear3, .eraYear4, .fraction4, .fraction5, .fraction6, .fraction7,
            .fraction8, .fraction9:
            1...Int.max
        default: nil
        }
    }
}

extension LocaleTable {
    /// Lists of the same twelve months, longest names first.
    fileprivate var monthNames: [[String]] { [months, shortMonths] }
    /// Lists of the same seven weekdays, longest names first.
    fileprivate var weekdayNames: [[String]] { [weekdays, shortWeekdays, minimalWeekdays] }
}
