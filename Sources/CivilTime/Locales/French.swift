extension LocaleTable {
    /// French.
    static let french = LocaleTable(
        identifier: "fr",
        months: [
            "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
            "décembre",
        ],
        shortMonths: [
            "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc.",
        ],
        weekdays: ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"],
        shortWeekdays: ["dim.", "lun.", "mar.", "mer.", "jeu.", "ven.", "sam."],
        minimalWeekdays: ["di", "lu", "ma", "me", "je", "ve", "sa"],
        meridiems: [
            Meridiem(fromMinute: 0, upper: "AM", lower: "am"),
            Meridiem(fromMinute: 720, upper: "PM", lower: "pm", half: .afternoon),
        ],
        ordinal: .french,
        longFormats: LongFormats(
            time: "HH:mm", timeWithSeconds: "HH:mm:ss",
            dates: ["DD/MM/YYYY", "D MMMM YYYY", "D MMMM YYYY HH:mm", "dddd D MMMM YYYY HH:mm"]),
        firstWeekday: 1, firstWeekRule: 4,
        relativeWords: RelativeWords(
            fewSeconds: "quelques secondes", seconds: "%d secondes", minute: "une minute", minutes: "%d minutes",
            hour: "une heure", hours: "%d heures", day: "un jour", days: "%d jours", month: "un mois",
            months: "%d mois", year: "un an", years: "%d ans"),
        monthReading: .shortFirstAnywhere, weekdayReading: .longestHere, ordinalEndings: ["er"])
}
