/// A point in time in whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
package struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970 UTC; negative before.
    package var milliseconds: Int64

    /// The instant so many milliseconds after 1970 UTC.
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// The instant so many milliseconds later; stops at the ends of what can be counted.
    package func adding(milliseconds: Int64) -> Instant {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        return Instant(milliseconds: overflow ? (milliseconds < 0 ? .min : .max) : sum)
    }

    /// Whole seconds since 1970 UTC, rounded down.
    package var seconds: Int64 { milliseconds.dividedDown(by: 1000).quotient }

    /// The first and the last millisecond of the years 0001 to 9999 in UTC.
    package static let writable =
        Instant(milliseconds: -62_135_596_800_000)...Instant(milliseconds: 253_402_300_799_999)
}

extension Int64 {
    /// Division that rounds down, so that the remainder is never negative; the divisor is positive.
    func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient &- 1, remainder &+ divisor) : (quotient, remainder)
    }
}
