/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Comparable, Sendable {
    /// The year; 1 to 9999 when it comes from text.
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    /// The day, or nil when the year is not within 1 to 9999 or the calendar has no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, 1...Self.days(inMonth: month, of: year) ~= day else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day so many days after 1970-01-01; exact for at least a million million days either way, then clamped.
    package init(daysSinceEpoch: Int) {
        let limit = 1_000_000_000_000
        // Count from 0000-03-01, so that the leap day is the last of a year and 400 years are one full cycle.
        let days = Int64(min(max(daysSinceEpoch, -limit), limit)) &+ 719_468
        let (era, dayOfEra) = days.dividedDown(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01; negative before.
    package var daysSinceEpoch: Int {
        let marchYear = Int64(month <= 2 ? year - 1 : year)
        let (era, yearOfEra) = marchYear.dividedDown(by: 400)
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + Int64(dayOfYear)
        return Int(era * 146_097 + dayOfEra - 719_468)
    }

    /// 0 for Sunday to 6 for Saturday.
    package var weekday: Int {
        Int(Int64(daysSinceEpoch + 4).dividedDown(by: 7).remainder)
    }

    /// 1 for the first of January.
    package var dayOfYear: Int {
        daysSinceEpoch - Self.firstDay(of: year) + 1
    }

    /// Whether the year has a 29th of February.
    package static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// 28 to 31; 0 when there is no such month.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        case 1...12: 31
        default: 0
        }
    }

    /// Days from 1970-01-01 to the first of January.
    static func firstDay(of year: Int) -> Int {
        let years = Int64(year) - 1
        let leapDays =
            years.dividedDown(by: 4).quotient - years.dividedDown(by: 100).quotient
            + years.dividedDown(by: 400).quotient
        return Int(years * 365 + leapDays) - 719_162
    }

    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}
