/// The offsets from UTC that hold in one time zone, over all time.
package struct TimeZoneRules: Sendable {
    struct LocalTimeType: Sendable, Equatable {
        var offsetSeconds: Int
        var isDaylightSaving: Bool
        var abbreviation: String
    }

    /// Seconds since 1970 UTC at which a type begins to hold, ascending, and the types beside them.
    let transitions: [Int64]
    let types: [LocalTimeType]
    /// The type before the first transition.
    let initialType: LocalTimeType
    /// What holds from the last transition on; nil when its type holds forever.
    let footer: PosixTimeZone?

    /// Universal time.
    package static let utc = TimeZoneRules(fixedOffsetSeconds: 0, abbreviation: "UTC")

    /// A zone that is always so many seconds ahead of UTC (less than 26 hours either way, else clamped).
    package init(fixedOffsetSeconds: Int, abbreviation: String = "") {
        transitions = []
        types = []
        initialType = LocalTimeType(
            offsetSeconds: min(max(fixedOffsetSeconds, -93_599), 93_599), isDaylightSaving: false,
            abbreviation: abbreviation)
        footer = nil
    }

    init(transitions: [Int64], types: [LocalTimeType], initialType: LocalTimeType, footer: PosixTimeZone?) {
        self.transitions = transitions
        self.types = types
        self.initialType = initialType
        self.footer = footer
    }

    /// Seconds that clocks of the zone are ahead of UTC at the instant.
    package func offsetSeconds(at instant: Instant) -> Int { type(at: instant.seconds).offsetSeconds }

    /// The zone's abbreviation at the instant, such as `CST`, or `+0845` where there is none.
    package func abbreviation(at instant: Instant) -> String { type(at: instant.seconds).abbreviation }

    /// Whether clocks are set for summer at the instant.
    package func isDaylightSaving(at instant: Instant) -> Bool { type(at: instant.seconds).isDaylightSaving }

    /// What clocks of the zone show at the instant.
    package func local(at instant: Instant) -> CivilDateTime {
        CivilDateTime(instant, offsetSeconds: offsetSeconds(at: instant))
    }

    /// The instant at which clocks of the zone show the time.
    ///
    /// A time that is skipped moves forward by the length of the gap; of a time that occurs twice the first is taken.
    package func instant(of local: CivilDateTime) -> Instant {
        let (seconds, milliseconds) = local.localMilliseconds.dividedDown(by: 1000)
        let utc = utcSeconds(ofLocal: seconds)
        return Instant(milliseconds: utc &* 1000 &+ milliseconds)
    }

    private func utcSeconds(ofLocal local: Int64) -> Int64 {
        // Offsets are below 26 hours, so this is before the answer; from here the first period whose end is later wins.
        var start = local &- 93_600
        for _ in 0..<8 {
            let utc = local &- Int64(type(at: start).offsetSeconds)
            guard let end = nextTransition(after: start), utc >= end else { return utc }
            // Not later than the end of its period: in the next one, or skipped, when the offset before holds.
            if local &- Int64(type(at: end).offsetSeconds) < end { return utc }
            start = end
        }
        return local &- Int64(type(at: start).offsetSeconds)
    }

    func type(at seconds: Int64) -> LocalTimeType {
        let next = firstTransition(after: seconds)
        if next == transitions.count, let footer { return footer.type(at: seconds) }
        return next == 0 ? initialType : types[next - 1]
    }

    /// The first transition later than the time, or nil when nothing changes any more.
    private func nextTransition(after seconds: Int64) -> Int64? {
        let next = firstTransition(after: seconds)
        return next < transitions.count ? transitions[next] : footer?.nextTransition(after: seconds)
    }

    private func firstTransition(after seconds: Int64) -> Int {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
