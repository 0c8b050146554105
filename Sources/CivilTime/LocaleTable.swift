/// The words and habits of a language that date texts need, as the library moment has them.
package struct LocaleTable: Sendable {
    /// A part of the day with its words, from a minute of the day on.
    package struct Meridiem: Sendable {
        /// Minutes since midnight from which the words hold.
        package var fromMinute: Int
        /// What the token `A` writes.
        package var upper: String
        /// What the token `a` writes.
        package var lower: String
        /// What the words make of an hour beside them.
        package var half: DayHalf

        /// The words from a minute of the day on.
        package init(fromMinute: Int, upper: String, lower: String, half: DayHalf = .morning) {
            (self.fromMinute, self.upper, self.lower, self.half) = (fromMinute, upper, lower, half)
        }
    }

    /// What a word for a part of the day makes of the hour that stands beside it.
    package enum DayHalf: Sendable {
        /// 12 is midnight, other hours stay.
        case morning
        /// Hours before 12 are moved into the afternoon.
        case afternoon
        /// 11 stays, other hours are moved into the afternoon; 12 is noon.
        case noon
        /// Every hour but 12 is moved by 12, so that 13 is refused.
        case strictAfternoon
    }

    /// How names of months or weekdays are found in a text that is read by a pattern.
    package enum NameReading: Sendable {
        /// The next word wherever it begins; it is the name that it begins with.
        case nextWord
        /// The longest name exactly here.
        case longestHere
        /// The first long, then short name exactly here; a dot may be left out.
        case longFirstHere
        /// The first short, then long name wherever it begins; a dot may be left out.
        case shortFirstAnywhere
    }

    /// An era of a calendar with its names.
    package struct Era: Sendable {
        /// Its first day.
        package var since: CivilDate
        /// The number of its first year.
        package var firstYear: Int
        /// The tokens `NNNN`, `NNNNN` and `N`.
        package var name, narrowName, abbreviation: String
    }

    /// Words for lengths of time without saying whether before or after; `%d` stands for the number.
    package struct RelativeWords: Sendable {
        package var fewSeconds, seconds: String
        package var minute, minutes: String
        package var hour, hours: String
        package var day, days: String
        package var month, months: String
        package var year, years: String
    }

    /// How `Do` and its like write a number.
    package enum Ordinal: Sendable {
        /// 1st, 2nd, 3rd, 4th, 11th.
        case english
        /// 1er, 2e; of days of the month only the first has an ending, and weeks are feminine.
        case french
        /// The number and always the same after it, maybe nothing.
        case suffix(String)
        /// One ending for days, one for months, one for weeks; others have none.
        case units(day: String, month: String, week: String)
    }

    /// Patterns behind the tokens `LT`, `LTS`, `L` to `LLLL`; `l` to `llll` follow from them.
    package struct LongFormats: Sendable {
        /// The token `LT`.
        package var time: String
        /// The token `LTS`.
        package var timeWithSeconds: String
        /// The tokens `L`, `LL`, `LLL` and `LLLL`, shortest first.
        package var dates: [String]
        /// The tokens `l`, `ll`, `lll` and `llll` where they do not follow from the others.
        package var shortDates: [String] = []
    }

    /// The lower-case name moment gives the locale, such as `en` or `zh-tw`.
    package var identifier: String
    /// January to December.
    package var months: [String]
    /// Jan to Dec.
    package var shortMonths: [String]
    /// Jan to Dec as they are written between two hyphens, where that differs.
    package var shortMonthsBetweenHyphens: [String] = []
    /// Sunday to Saturday.
    package var weekdays: [String]
    /// Sun to Sat.
    package var shortWeekdays: [String]
    /// Su to Sa.
    package var minimalWeekdays: [String]
    /// The parts of the day in their order; the first begins at midnight.
    package var meridiems: [Meridiem]
    /// How ordinal numbers are written.
    package var ordinal: Ordinal
    /// The patterns behind the `L` tokens.
    package var longFormats: LongFormats
    /// The weekday a week begins with, 0 for Sunday.
    package var firstWeekday: Int
    /// moment's `doy`: the first week of a year is the one that holds the day `7 + firstWeekday - firstWeekRule` of
    /// January (6 with Sunday: the 1st; 4 with Monday: the 4th, as in ISO 8601).
    package var firstWeekRule: Int
    /// Lengths of time.
    package var relativeWords: RelativeWords
    /// How names of months are found in a text.
    package var monthReading = NameReading.nextWord
    /// How names of weekdays are found in a text.
    package var weekdayReading = NameReading.nextWord
    /// Whether parts of the day are read by the letters a and p, as in `a.m.` and `PM`, rather than by their words.
    package var readsLatinMeridiems = true
    /// What may follow the day of the month where the token `Do` reads it.
    package var ordinalEndings: [String]
    /// The last one first.
    package var eras = [LocaleTable.commonEra]
}
