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
        case shortYear = "YY", year = "YYYY", plainYear = "Y", fiveDigitYear = "YYYYY", signedYear = "YYYYYY"
        case shortWeekYear = "gg", weekYear = "gggg", shortISOWeekYear = "GG", isoWeekYear = "GGGG"
        case fiveDigitWeekYear = "ggggg", fiveDigitISOWeekYear = "GGGGG"
        case eraYear = "y", eraYear2 = "yy", eraYear3 = "yyy", eraYear4 = "yyyy", ordinalEraYear = "yo"
        case era = "N", era2 = "NN", era3 = "NNN", eraName = "NNNN", narrowEra = "NNNNN"
        case upperMeridiem = "A", lowerMeridiem = "a"
        case hour = "H", paddedHour = "HH", hour12 = "h", paddedHour12 = "hh", hour24 = "k", paddedHour24 = "kk"
        case hourMinute = "Hmm", hourMinuteSecond = "Hmmss", hour12Minute = "hmm", hour12MinuteSecond = "hmmss"
        case minute = "m", paddedMinute = "mm", second = "s", paddedSecond = "ss"
        case tenths = "S", hundredths = "SS", milliseconds = "SSS"
        case fraction4 = "SSSS", fraction5 = "SSSSS", fraction6 = "SSSSSS", fraction7 = "SSSSSSS"
        case fraction8 = "SSSSSSSS", fraction9 = "SSSSSSSSS"
        case offset = "Z", compactOffset = "ZZ", abbreviation = "z", abbreviation2 = "zz"
        case unixSeconds = "X", unixMilliseconds = "x"
    }

    let pieces: [Piece]
    let locale: LocaleTable

    /// The name of its locale.
    package var localeIdentifier: String { locale.identifier }

    /// Reads the pattern; every text is one, for what is no token stands for itself.
    ///
    /// Text in square brackets is literal. The tokens `LT`, `LTS`, `L` to `LLLL` and `l` to `llll` stand for patterns of
    /// the locale.
    package init(_ pattern: String, locale: LocaleTable = .english) {
        var locale = locale
        if !locale.shortMonthsBetweenHyphens.isEmpty, pattern.utf8.contains("-MMM-".utf8) {
            locale.shortMonths = locale.shortMonthsBetweenHyphens
        }
        self.locale = locale
        pieces = Self.joined(PatternReader(pattern, locale: locale, for: .writing).pieces)
    }

    /// The pieces with literals that follow each other in one.
    private static func joined(_ pieces: [Piece]) -> [Piece] {
        var result: [Piece] = []
        var literal: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .literal(let text): literal.append(contentsOf: text)
            case .token:
                if !literal.isEmpty { result.append(.literal(literal)) }
                literal = []
                result.append(piece)
            }
        }
        if !literal.isEmpty { result.append(.literal(literal)) }
        return result
    }

    /// The instant as clocks of the zone show it.
    package func format(_ instant: Instant, in zone: TimeZoneRules = .utc) -> String {
        let offset = zone.offsetSeconds(at: instant)
        let local = CivilDateTime(instant, offsetSeconds: offset)
        return format(local, offsetSeconds: offset, abbreviation: zone.abbreviation(at: instant))
    }

    /// The date at midnight.
    package func format(_ date: CivilDate) -> String {
        format(CivilDateTime(startOf: date))
    }

    /// The time on a clock that is so many seconds ahead of UTC.
    package func format(_ local: CivilDateTime, offsetSeconds: Int = 0, abbreviation: String = "UTC") -> String {
        var writer = DateTextWriter(
            local: local, offsetSeconds: offsetSeconds, abbreviation: abbreviation, locale: locale)
        for piece in pieces {
            switch piece {
            case .literal(let text): writer.bytes.append(contentsOf: text)
            case .token(let token): writer.append(token)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
