extension LocaleTable {
    /// German.
    static let german = LocaleTable(
        identifier: "de",
        months: [
            "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
            "Dezember",
        ],
        shortMonths: ["Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sep.", "Okt.", "Nov.", "Dez."],
        weekdays: ["Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"],
        shortWeekdays: ["So.", "Mo.", "Di.", "Mi.", "Do.", "Fr.", "Sa."],
        minimalWeekdays: ["So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"],
        meridiems: [
            Meridiem(fromMinute: 0, upper: "AM", lower: "am"),
            Meridiem(fromMinute: 720, upper: "PM", lower: "pm", half: .afternoon),
        ],
        ordinal: .suffix("."),
        longFormats: LongFormats(
            time: "HH:mm", timeWithSeconds: "HH:mm:ss",
            dates: ["DD.MM.YYYY", "D. MMMM YYYY", "D. MMMM YYYY HH:mm", "dddd, D. MMMM YYYY HH:mm"]),
        firstWeekday: 1, firstWeekRule: 4,
        relativeWords: RelativeWords(
            fewSeconds: "ein paar Sekunden", seconds: "%d Sekunden", minute: "eine Minute", minutes: "%d Minuten",
            hour: "eine Stunde", hours: "%d Stunden", day: "ein Tag", days: "%d Tage", month: "ein Monat",
            months: "%d Monate", year: "ein Jahr", years: "%d Jahre"),
        monthReading: .longestHere, weekdayReading: .longestHere, ordinalEndings: ["."])
}
