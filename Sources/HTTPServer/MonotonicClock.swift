import Glibc

/// Nanoseconds of the operating system's monotonic clock.
enum MonotonicClock {
    /// Exact to the microsecond.
    static func now() -> UInt64 { read(CLOCK_MONOTONIC) }

    /// Exact to a few milliseconds, and several times cheaper.
    static func coarse() -> UInt64 { read(CLOCK_MONOTONIC_COARSE) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: time.tv_nsec)
    }
}

extension Duration {
    /// The whole length in nanoseconds, at least zero.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(min(seconds, 1_000_000_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
