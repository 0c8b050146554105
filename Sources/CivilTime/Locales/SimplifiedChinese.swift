extension LocaleTable {
    /// Chinese as written in mainland China.
    static let simplifiedChinese = LocaleTable(
        identifier: "zh-cn",
        months: ["一月", "二月", "三月", "四月", "五月", "六月", "七月", "八月", "九月", "十月", "十一月", "十二月"],
        shortMonths: ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"],
        weekdays: ["星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"],
        shortWeekdays: ["周日", "周一", "周二", "周三", "周四", "周五", "周六"],
        minimalWeekdays: ["日", "一", "二", "三", "四", "五", "六"],
        meridiems: [
            Meridiem(fromMinute: 0, upper: "凌晨", lower: "凌晨"),
            Meridiem(fromMinute: 360, upper: "早上", lower: "早上"),
            Meridiem(fromMinute: 540, upper: "上午", lower: "上午"),
            Meridiem(fromMinute: 690, upper: "中午", lower: "中午", half: .noon),
            Meridiem(fromMinute: 750, upper: "下午", lower: "下午", half: .strictAfternoon),
            Meridiem(fromMinute: 1080, upper: "晚上", lower: "晚上", half: .strictAfternoon),
        ],
        ordinal: .units(day: "日", month: "月", week: "周"),
        longFormats: LongFormats(
            time: "HH:mm", timeWithSeconds: "HH:mm:ss",
            dates: ["YYYY/MM/DD", "YYYY年M月D日", "YYYY年M月D日Ah点mm分", "YYYY年M月D日ddddAh点mm分"],
            shortDates: ["YYYY/M/D", "YYYY年M月D日", "YYYY年M月D日 HH:mm", "YYYY年M月D日dddd HH:mm"]),
        firstWeekday: 1, firstWeekRule: 4,
        relativeWords: RelativeWords(
            fewSeconds: "几秒", seconds: "%d 秒", minute: "1 分钟", minutes: "%d 分钟", hour: "1 小时", hours: "%d 小时",
            day: "1 天", days: "%d 天", month: "1 个月", months: "%d 个月", year: "1 年", years: "%d 年"),
        readsLatinMeridiems: false, ordinalEndings: ["日", "月", "周"])
}
