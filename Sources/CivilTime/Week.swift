/// A week of a year, counted by a locale's or ISO 8601's rule.
struct Week: Equatable {
    let year: Int
    /// 1 to 53.
    let number: Int

    /// The week of the date; `rule` is moment's `doy` (`LocaleTable.firstWeekRule`).
    init(of date: CivilDate, firstWeekday: Int, rule: Int) {
        let days = date.daysSinceEpoch
        let starts = (date.year - 1...date.year + 1).map { Self.start(of: $0, firstWeekday, rule) }
        let index = days >= starts[2] ? 2 : days >= starts[1] ? 1 : 0
        year = date.year - 1 + index
        number = (days - starts[index]) / 7 + 1
    }

    /// Days from 1970-01-01 to the first day of the year's first week.
    private static func start(of year: Int, _ firstWeekday: Int, _ rule: Int) -> Int {
        let mustContain = CivilDate.firstDay(of: year) + 6 + firstWeekday - rule
        let weekday = CivilDate(daysSinceEpoch: mustContain).weekday
        return mustContain - (weekday - firstWeekday + 7) % 7
    }
}
