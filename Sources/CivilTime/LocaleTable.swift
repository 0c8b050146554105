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

        /// The words from a minute of the day on.
        package init(fromMinute: Int, upper: String, lower: String) {
            (self.fromMinute, self.upper, self.lower) = (fromMinute, upper, lower)
        }
    }

    /// How `Do` and its like write a number.
    package enum Ordinal: Sendable {
        /// 1st, 2nd, 3rd, 4th, 11th.
        case english
        /// The number and always the same after it, maybe nothing.
        case suffix(String)
    }

    /// Patterns behind the tokens `LT`, `LTS`, `L` to `LLLL`; `l` to `llll` follow from them.
    package struct LongFormats: Sendable {
        /// The token `LT`.
        package var time: String
        /// The token `LTS`.
        package var timeWithSeconds: String
        /// The tokens `L`, `LL`, `LLL` and `LLLL`, shortest first.
        package var dates: [String]
    }

    /// The lower-case name moment gives the locale, such as `en` or `zh-tw`.
    package var identifier: String
    /// January to December.
    package var months: [String]
    /// Jan to Dec.
    package var shortMonths: [String]
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
}

extension LocaleTable {
    /// American English, moment's default.
    package static let english = LocaleTable(
        identifier: "en",
        months: [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ],
        shortMonths: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
        weekdays: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
        shortWeekdays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
        minimalWeekdays: ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"],
        meridiems: [
            Meridiem(fromMinute: 0, upper: "AM", lower: "am"), Meridiem(fromMinute: 720, upper: "PM", lower: "pm"),
        ],
        ordinal: .english,
        longFormats: LongFormats(
            time: "h:mm A", timeWithSeconds: "h:mm:ss A",
            dates: ["MM/DD/YYYY", "MMMM D, YYYY", "MMMM D, YYYY h:mm A", "dddd, MMMM D, YYYY h:mm A"]),
        firstWeekday: 0, firstWeekRule: 6)
}
