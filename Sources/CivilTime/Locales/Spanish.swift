extension LocaleTable {
    /// Spanish.
    static let spanish = LocaleTable(
        identifier: "es",
        months: [
            "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
            "noviembre", "diciembre",
        ],
        shortMonths: ["ene.", "feb.", "mar.", "abr.", "may.", "jun.", "jul.", "ago.", "sep.", "oct.", "nov.", "dic."],
        shortMonthsBetweenHyphens: [
            "ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic",
        ],
        weekdays: ["domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"],
        shortWeekdays: ["dom.", "lun.", "mar.", "mié.", "jue.", "vie.", "sáb."],
        minimalWeekdays: ["do", "lu", "ma", "mi", "ju", "vi", "sá"],
        meridiems: [
            Meridiem(fromMinute: 0, upper: "AM", lower: "am"),
            Meridiem(fromMinute: 720, upper: "PM", lower: "pm", half: .afternoon),
        ],
        ordinal: .suffix("º"),
        longFormats: LongFormats(
            time: "H:mm", timeWithSeconds: "H:mm:ss",
            dates: [
                "DD/MM/YYYY", "D [de] MMMM [de] YYYY", "D [de] MMMM [de] YYYY H:mm", "dddd, D [de] MMMM [de] YYYY H:mm",
            ]),
        firstWeekday: 1, firstWeekRule: 4,
        relativeWords: RelativeWords(
            fewSeconds: "unos segundos", seconds: "%d segundos", minute: "un minuto", minutes: "%d minutos",
            hour: "una hora", hours: "%d horas", day: "un día", days: "%d días", month: "un mes", months: "%d meses",
            year: "un año", years: "%d años"),
        monthReading: .longFirstHere, weekdayReading: .longestHere, ordinalEndings: ["º"])
}
