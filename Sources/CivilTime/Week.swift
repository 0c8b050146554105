/// A week of a year, counted by a locale's or ISO 8601's rule.
package struct Week: Equatable, Sendable {
    /// The year whose week it is, which may be another than the date's.
    package let year: Int
    /// 1 to 53.
    package let number: Int

    /// The week of the date; `rule` is moment's `doy` (`LocaleTable.firstWeekRule`).
    package init(of date: CivilDate, firstWeekday: Int, rule: Int) {
        let days = date.daysSinceEpoch
        let starts = (date.year - 1...date.year + 1).map { Self.start(of: $0, firstWeekday, rule) }
        let index = days >= starts[2] ? 2 : days >= starts[1] ? 1 : 0
        year = date.year - 1 + index
        number = (days - starts[index]) / 7 + 1
    }

    /// Days from 1970-01-01 to the first day of a week; nil when the year has no such week or is beyond 1 to 9999.
    static func start(_ number: Int, of year: Int, firstWeekday: Int, rule: Int) -> Int? {
        guard 1...9999 ~= year, 1...53 ~= number else { return nil }
        let start = start(of: year, firstWeekday, rule) + (number - 1) * 7
        return start < Self.start(of: year + 1, firstWeekday, rule) ? start : nil
    }

    /// Days from 1970-01-01 to the first day of the year's first week.
    private static func start(of year: Int, _ firstWeekday: Int, _ rule: Int) -> Int {
        let mustContain = CivilDate.firstDay(of: year) + 6 + firstWeekday - rule
        let weekday = CivilDate(daysSinceEpoch: mustContain).weekday
        return mustContain - (weekday - firstWeekday + 7) % 7
    }
}
