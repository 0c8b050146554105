extension IdentifierText {
    /// How many numbers the last six characters tell apart.
    private static let counters: UInt64 = 62 * 62 * 62 * 62 * 62 * 62

    /// Writes a number that is not negative, most significant digit first, so that order is kept.
    package init(number: Int64) {
        let number = UInt64(clamping: number)
        self.init(time: number / Self.counters, counter: number % Self.counters)
    }

    /// The number that `init(number:)` wrote; `Int64.max` for one that is too great.
    package var number: Int64 {
        let (high, isTooGreat) = time.multipliedReportingOverflow(by: Self.counters)
        return isTooGreat ? .max : Int64(clamping: high &+ counter)
    }
}
