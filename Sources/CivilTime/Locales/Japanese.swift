extension LocaleTable {
    /// Japanese.
    static let japanese = LocaleTable(
        identifier: "ja",
        months: ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"],
        shortMonths: ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"],
        weekdays: ["日曜日", "月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日"],
        shortWeekdays: ["日", "月", "火", "水", "木", "金", "土"],
        minimalWeekdays: ["日", "月", "火", "水", "木", "金", "土"],
        meridiems: [
            Meridiem(fromMinute: 0, upper: "午前", lower: "午前"),
            Meridiem(fromMinute: 720, upper: "午後", lower: "午後", half: .afternoon),
        ],
        ordinal: .units(day: "日", month: "", week: ""),
        longFormats: LongFormats(
            time: "HH:mm", timeWithSeconds: "HH:mm:ss",
            dates: ["YYYY/MM/DD", "YYYY年M月D日", "YYYY年M月D日 HH:mm", "YYYY年M月D日 dddd HH:mm"],
            shortDates: ["YYYY/MM/DD", "YYYY年M月D日", "YYYY年M月D日 HH:mm", "YYYY年M月D日(ddd) HH:mm"]),
        firstWeekday: 0, firstWeekRule: 6,
        relativeWords: RelativeWords(
            fewSeconds: "数秒", seconds: "%d秒", minute: "1分", minutes: "%d分", hour: "1時間", hours: "%d時間", day: "1日",
            days: "%d日", month: "1ヶ月", months: "%dヶ月", year: "1年", years: "%d年"),
        readsLatinMeridiems: false, ordinalEndings: ["日"],
        eras: japaneseEras)

    private static let japaneseEras = [
        era(18_017, 1, "令和", "㋿", "R"), era(6_947, 1, "平成", "㍻", "H"), era(-15_713, 1, "昭和", "㍼", "S"),
        era(-20_974, 1, "大正", "㍽", "T"), era(-35_428, 6, "明治", "㍾", "M"), era(-719_162, 1, "西暦", "AD", "AD"),
    ]

    private static func era(_ day: Int, _ firstYear: Int, _ name: String, _ narrowName: String, _ letter: String) -> Era
    {
        Era(
            since: CivilDate(daysSinceEpoch: day), firstYear: firstYear, name: name, narrowName: narrowName,
            abbreviation: letter)
    }
}
