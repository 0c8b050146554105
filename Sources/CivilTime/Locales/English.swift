extension LocaleTable {
    /// The years after Christ.
    static let commonEra = Era(
        since: CivilDate(daysSinceEpoch: -719_162), firstYear: 1, name: "Anno Domini", narrowName: "AD",
        abbreviation: "AD")

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
            Meridiem(fromMinute: 0, upper: "AM", lower: "am"),
            Meridiem(fromMinute: 720, upper: "PM", lower: "pm", half: .afternoon),
        ],
        ordinal: .english,
        longFormats: LongFormats(
            time: "h:mm A", timeWithSeconds: "h:mm:ss A",
            dates: ["MM/DD/YYYY", "MMMM D, YYYY", "MMMM D, YYYY h:mm A", "dddd, MMMM D, YYYY h:mm A"]),
        firstWeekday: 0, firstWeekRule: 6,
        relativeWords: RelativeWords(
            fewSeconds: "a few seconds", seconds: "%d seconds", minute: "a minute", minutes: "%d minutes",
            hour: "an hour", hours: "%d hours", day: "a day", days: "%d days", month: "a month", months: "%d months",
            year: "a year", years: "%d years"),
        ordinalEndings: ["th", "st", "nd", "rd"])

    /// British English.
    static let britishEnglish = english(
        "en-gb", long: ["DD/MM/YYYY", "D MMMM YYYY", "D MMMM YYYY HH:mm", "dddd, D MMMM YYYY HH:mm"])

    /// Irish English.
    static let irishEnglish = english(
        "en-ie", long: ["DD/MM/YYYY", "D MMMM YYYY", "D MMMM YYYY HH:mm", "dddd D MMMM YYYY HH:mm"])

    /// Australian English.
    static let australianEnglish = english("en-au", long: commonwealthDates, isTwelveHour: true, firstWeekday: 0)

    /// New Zealand's English.
    static let newZealandEnglish = english("en-nz", long: commonwealthDates, isTwelveHour: true)

    /// Indian English.
    static let indianEnglish = english(
        "en-in", long: commonwealthDates, isTwelveHour: true, firstWeekday: 0, firstWeekRule: 6)

    /// Singapore's English.
    static let singaporeanEnglish = english(
        "en-sg", long: ["DD/MM/YYYY", "D MMMM YYYY", "D MMMM YYYY HH:mm", "dddd, D MMMM YYYY HH:mm"])

    /// Canadian English.
    static let canadianEnglish = english(
        "en-ca", long: ["YYYY-MM-DD", "MMMM D, YYYY", "MMMM D, YYYY h:mm A", "dddd, MMMM D, YYYY h:mm A"],
        isTwelveHour: true, firstWeekday: 0, firstWeekRule: 6)

    private static let commonwealthDates = [
        "DD/MM/YYYY", "D MMMM YYYY", "D MMMM YYYY h:mm A", "dddd, D MMMM YYYY h:mm A",
    ]

    private static func english(
        _ identifier: String, long dates: [String], isTwelveHour: Bool = false, firstWeekday: Int = 1,
        firstWeekRule: Int = 4
    ) -> LocaleTable {
        var locale = english
        locale.identifier = identifier
        locale.longFormats.dates = dates
        if !isTwelveHour { (locale.longFormats.time, locale.longFormats.timeWithSeconds) = ("HH:mm", "HH:mm:ss") }
        (locale.firstWeekday, locale.firstWeekRule) = (firstWeekday, firstWeekRule)
        return locale
    }
}
