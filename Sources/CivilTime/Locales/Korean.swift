extension LocaleTable {
    /// Korean.
    static let korean = LocaleTable(
        identifier: "ko",
        months: ["1월", "2월", "3월", "4월", "5월", "6월", "7월", "8월", "9월", "10월", "11월", "12월"],
        shortMonths: ["1월", "2월", "3월", "4월", "5월", "6월", "7월", "8월", "9월", "10월", "11월", "12월"],
        weekdays: ["일요일", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일"],
        shortWeekdays: ["일", "월", "화", "수", "목", "금", "토"],
        minimalWeekdays: ["일", "월", "화", "수", "목", "금", "토"],
        meridiems: [
            Meridiem(fromMinute: 0, upper: "오전", lower: "오전"),
            Meridiem(fromMinute: 720, upper: "오후", lower: "오후", half: .afternoon),
        ],
        ordinal: .units(day: "일", month: "월", week: "주"),
        longFormats: LongFormats(
            time: "A h:mm", timeWithSeconds: "A h:mm:ss",
            dates: ["YYYY.MM.DD.", "YYYY년 MMMM D일", "YYYY년 MMMM D일 A h:mm", "YYYY년 MMMM D일 dddd A h:mm"],
            shortDates: ["YYYY.MM.DD.", "YYYY년 MMMM D일", "YYYY년 MMMM D일 A h:mm", "YYYY년 MMMM D일 dddd A h:mm"]),
        firstWeekday: 0, firstWeekRule: 6,
        relativeWords: RelativeWords(
            fewSeconds: "몇 초", seconds: "%d초", minute: "1분", minutes: "%d분", hour: "한 시간", hours: "%d시간", day: "하루",
            days: "%d일", month: "한 달", months: "%d달", year: "일 년", years: "%d년"),
        readsLatinMeridiems: false, ordinalEndings: ["일", "월", "주"])
}
