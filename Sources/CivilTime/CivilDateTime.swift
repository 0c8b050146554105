/// A date and a time of day as a clock on a wall shows them, without a zone.
package struct CivilDateTime: Hashable, Comparable, Sendable {
    /// The day.
    package let date: CivilDate
    /// Milliseconds since midnight, 0 to 86,399,999.
    package let millisecondOfDay: Int

    /// The time on the day, or nil when an hour is not within 0 to 23 and so on.
    package init?(date: CivilDate, hour: Int, minute: Int, second: Int = 0, millisecond: Int = 0) {
        guard 0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second, 0...999 ~= millisecond else { return nil }
        self.date = date
        millisecondOfDay = ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
    }

    /// Midnight at the start of the day.
    package init(startOf date: CivilDate) {
        self.date = date
        millisecondOfDay = 0
    }

    /// What a clock shows at the instant that is so many seconds ahead of UTC.
    package init(_ instant: Instant, offsetSeconds: Int = 0) {
        self.init(localMilliseconds: instant.adding(milliseconds: Int64(clamping: offsetSeconds) &* 1000).milliseconds)
    }

    init(localMilliseconds: Int64) {
        let (days, rest) = localMilliseconds.dividedDown(by: 86_400_000)
        date = CivilDate(daysSinceEpoch: Int(days))
        millisecondOfDay = Int(rest)
    }

    /// Milliseconds since midnight of 1970-01-01 on the same clock.
    var localMilliseconds: Int64 {
        Int64(date.daysSinceEpoch) &* 86_400_000 &+ Int64(millisecondOfDay)
    }

    /// 0 to 23.
    package var hour: Int { millisecondOfDay / 3_600_000 }

    /// 0 to 59.
    package var minute: Int { millisecondOfDay / 60_000 % 60 }

    /// 0 to 59.
    package var second: Int { millisecondOfDay / 1000 % 60 }

    /// 0 to 999.
    package var millisecond: Int { millisecondOfDay % 1000 }

    package static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
        (left.date, left.millisecondOfDay) < (right.date, right.millisecondOfDay)
    }
}
