/// What a text said about a time, unit by unit, before it becomes an instant.
struct DateFields {
    /// What was read in words or digits; months from 1.
    var year, month, day, dayOfYear: Int?
    var hour, minute, second, millisecond: Int?
    var dayHalf: LocaleTable.DayHalf?
    /// 0 for Sunday.
    var weekday: Int?
    /// Days from the locale's first weekday; 1 for Monday.
    var localeWeekday, isoWeekday: Int?
    var weekYear, week, isoWeekYear, isoWeek: Int?
    var offsetMinutes = 0
    /// Milliseconds since 1970, which count alone.
    var timestamp: Double?
    /// Whether nothing at all was found.
    var isEmpty = true
    /// Whether a word stood where a name was looked for.
    private var hasUnknownName = false

    /// Takes a name that was looked for into its place.
    mutating func take(_ name: TextScanner.Name?, as place: WritableKeyPath<DateFields, Int?>, countedFrom first: Int) {
        guard let name else { return }
        isEmpty = false
        switch name {
        case .known(let index): self[keyPath: place] = index + first
        case .unknown: hasUnknownName = true
        }
    }

    mutating func set(_ token: DatePattern.Token, to digits: TextScanner.Digits) {
        let value = digits.value
        switch token {
        case .month, .paddedMonth: month = value
        case .quarter: month = (value - 1) * 3 + 1
        case .day, .paddedDay, .ordinalDay: day = value
        case .dayOfYear, .paddedDayOfYear: dayOfYear = value
        case .weekday: weekday = value
        case .localeWeekday: localeWeekday = value
        case .isoWeekday: isoWeekday = value
        case .week, .paddedWeek: week = value
        case .isoWeek, .paddedISOWeek: isoWeek = value
        case .shortYear: year = Self.fullYear(value)
        case .year: year = digits.text.count == 2 ? Self.fullYear(value) : value
        case .shortWeekYear: weekYear = Self.fullYear(value)
        case .shortISOWeekYear: isoWeekYear = Self.fullYear(value)
        case .weekYear, .fiveDigitWeekYear: weekYear = value
        case .isoWeekYear, .fiveDigitISOWeekYear: isoWeekYear = value
        case .plainYear, .fiveDigitYear, .signedYear, .eraYear, .eraYear2, .eraYear3, .eraYear4: year = value
        default: setTime(token, to: digits)
        }
    }

    private mutating func setTime(_ token: DatePattern.Token, to digits: TextScanner.Digits) {
        switch token {
        case .hour, .paddedHour, .hour12, .paddedHour12: hour = digits.value
        case .hour24, .paddedHour24: hour = digits.value == 24 ? 0 : digits.value
        case .minute, .paddedMinute: minute = digits.value
        case .second, .paddedSecond: second = digits.value
        case .hourMinute, .hour12Minute:
            (hour, minute) = digits.value.dividedByHundred
        case .hourMinuteSecond, .hour12MinuteSecond:
            let (rest, second) = digits.value.dividedByHundred
            (hour, minute) = rest.dividedByHundred
            self.second = second
        default:
            // Like moment in floating point; digits after the thirtieth change nothing.
            let fraction = Double("0." + String(decoding: digits.text.prefix(30), as: UTF8.self)) ?? 0
            millisecond = Int(fraction * 1000)
        }
    }

    /// Years of two digits are those from 1969 to 2068.
    private static func fullYear(_ value: Int) -> Int { value + (value > 68 ? 1900 : 2000) }

    /// The instant; nil when the fields are empty, contradict each other or the calendar, or lie outside the years
    /// 0001 to 9999.
    func instant(now: Instant, locale: LocaleTable) -> Instant? {
        guard !isEmpty, !hasUnknownName, dayHalf == nil || hasParts else { return nil }
        if let timestamp { return Instant(roundingTowardZero: timestamp) }
        guard let date = date(today: CivilDateTime(now).date, locale: locale), weekday ?? date.weekday == date.weekday,
            let milliseconds = millisecondsOfDay
        else { return nil }
        let local = CivilDateTime(startOf: date).localMilliseconds &+ Int64(milliseconds)
        return Instant(milliseconds: local &- Int64(offsetMinutes) &* 60_000).ifWritable
    }

    /// Whether anything was read but weeks, weekdays and days of the year.
    private var hasParts: Bool {
        [year, month, day, hour, minute, second, millisecond].contains { $0 != nil }
    }
}

extension Int {
    fileprivate var dividedByHundred: (Int, Int) { (self / 100, self % 100) }
}
