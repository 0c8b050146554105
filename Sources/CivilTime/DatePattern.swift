/// A pattern of moment's format tokens, such as `YYYY-MM-DD` or `dddd [at] h:mma`, read once and used often.
package struct DatePattern: Sendable {
    enum Piece: Sendable, Equatable {
        case literal([UInt8])
        case token(Token)
    }

    /// A token, spelled as in the pattern.
    enum Token: String, CaseIterable, Sendable {
        case month = "M", ordinalMonth = "Mo", paddedMonth = "MM", shortMonthName = "MMM", monthName = "MMMM"
        case quarter = "Q", ordinalQuarter = "Qo"
        case day = "D", ordinalDay = "Do", paddedDay = "DD"
        case dayOfYear = "DDD", ordinalDayOfYear = "DDDo", paddedDayOfYear = "DDDD"
        case weekday = "d", ordinalWeekday = "do", minimalWeekdayName = "dd", shortWeekdayName = "ddd"
        case weekdayName = "dddd", localeWeekday = "e", isoWeekday = "E"
        case week = "w", ordinalWeek = "wo", paddedWeek = "ww"
        case isoWeek = "W", ordinalISOWeek = "Wo", paddedISOWeek = "WW"
        case shortYear = "YY", year = "YYYY", plainYear = "Y"
        case shortWeekYear = "gg", weekYear = "gggg", shortISOWeekYear = "GG", isoWeekYear = "GGGG"
        case upperMeridiem = "A", lowerMeridiem = "a"
        case hour = "H", paddedHour = "HH", hour12 = "h", paddedHour12 = "hh", hour24 = "k", paddedHour24 = "kk"
        case minute = "m", paddedMinute = "mm", second = "s", paddedSecond = "ss"
        case tenths = "S", hundredths = "SS", milliseconds = "SSS"
        case offset = "Z", compactOffset = "ZZ"
        case unixSeconds = "X", unixMilliseconds = "x"
    }

    let pieces: [Piece]
    let locale: LocaleTable

    /// Reads the pattern; every text is one, for what is no token stands for itself.
    ///
    /// Text in square brackets is literal. The tokens `LT`, `LTS`, `L` to `LLLL` and `l` to `llll` stand for patterns of
    /// the locale.
    package init(_ pattern: String, locale: LocaleTable = .english) {
        var reader = PatternReader(locale: locale)
        reader.read(Array(pattern.utf8))
        pieces = reader.pieces
        self.locale = locale
    }

    /// The instant as clocks of the zone show it.
    package func format(_ instant: Instant, in zone: TimeZoneRules = .utc) -> String {
        let offset = zone.offsetSeconds(at: instant)
        return format(CivilDateTime(instant, offsetSeconds: offset), offsetSeconds: offset)
    }

    /// The date at midnight.
    package func format(_ date: CivilDate) -> String {
        format(CivilDateTime(startOf: date))
    }

    /// The time on a clock that is so many seconds ahead of UTC.
    package func format(_ local: CivilDateTime, offsetSeconds: Int = 0) -> String {
        var writer = DateTextWriter(local: local, offsetSeconds: offsetSeconds, locale: locale)
        for piece in pieces {
            switch piece {
            case .literal(let text): writer.bytes.append(contentsOf: text)
            case .token(let token): writer.append(token)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
