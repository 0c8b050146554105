extension LocaleTable {
    /// Chinese as written in Taiwan.
    static let traditionalChinese = LocaleTable(
        identifier: "zh-tw",
        months: ["一月", "二月", "三月", "四月", "五月", "六月", "七月", "八月", "九月", "十月", "十一月", "十二月"],
        shortMonths: ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"],
        weekdays: ["星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"],
        shortWeekdays: ["週日", "週一", "週二", "週三", "週四", "週五", "週六"],
        minimalWeekdays: ["日", "一", "二", "三", "四", "五", "六"],
        meridiems: [
            Meridiem(fromMinute: 0, upper: "凌晨", lower: "凌晨"),
            Meridiem(fromMinute: 360, upper: "早上", lower: "早上"),
            Meridiem(fromMinute: 540, upper: "上午", lower: "上午"),
            Meridiem(fromMinute: 690, upper: "中午", lower: "中午", half: .noon),
            Meridiem(fromMinute: 750, upper: "下午", lower: "下午", half: .strictAfternoon),
            Meridiem(fromMinute: 1080, upper: "晚上", lower: "晚上", half: .strictAfternoon),
        ],
        ordinal: .units(day: "日", month: "月", week: "週"),
        longFormats: LongFormats(
            time: "HH:mm", timeWithSeconds: "HH:mm:ss",
            dates: ["YYYY/MM/DD", "YYYY年M月D日", "YYYY年M月D日 HH:mm", "YYYY年M月D日dddd HH:mm"],
            shortDates: ["YYYY/M/D", "YYYY年M月D日", "YYYY年M月D日 HH:mm", "YYYY年M月D日dddd HH:mm"]),
        firstWeekday: 0, firstWeekRule: 6,
        relativeWords: RelativeWords(
            fewSeconds: "幾秒", seconds: "%d 秒", minute: "1 分鐘", minutes: "%d 分鐘", hour: "1 小時", hours: "%d 小時",
            day: "1 天", days: "%d 天", month: "1 個月", months: "%d 個月", year: "1 年", years: "%d 年"),
        readsLatinMeridiems: false, ordinalEndings: ["日", "月", "週"])

    /// Chinese as written in Hong Kong.
    static let hongKongChinese = {
        var locale = traditionalChinese
        locale.identifier = "zh-hk"
        // Noon is the minute of twelve o'clock alone.
        locale.meridiems[3].fromMinute = 720
        locale.meridiems[4].fromMinute = 721
        return locale
    }()
}
