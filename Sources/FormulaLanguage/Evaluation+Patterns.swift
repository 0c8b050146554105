import Platform
import RegularExpressions

extension Evaluation {
    /// The compiled pattern; nil for a text that is none.
    mutating func pattern(_ text: String) throws(FormulaLimit) -> RegularExpression? {
        guard text.utf8.count <= Patterns.longest else { return nil }
        try spend(1 + text.utf8.count >> 4)
        // Bytes, as texts that are canonically equivalent are different patterns.
        let key = Array(text.utf8)
        if let known = Patterns.cache.pattern(for: key) { return known }
        let pattern = RegularExpression(text)
        Patterns.cache.remember(pattern, for: key)
        try spend(text.utf8.count + (pattern?.programSize ?? 0) >> 2)
        return pattern
    }

    /// Runs a search through so many bytes and pays for the time it took.
    ///
    /// A search usually takes time in proportion to the text alone, but a hostile pattern can make it take time in
    /// proportion to its own size too: what could take too long is refused before it starts.
    mutating func search<Found>(
        _ pattern: RegularExpression, _ bytes: Int, _ body: () -> Found
    ) throws(FormulaLimit) -> Found {
        let work = bytes.multipliedReportingOverflow(by: pattern.programSize)
        guard !work.overflow, work.partialValue <= Patterns.mostWork else { throw .steps }
        let start = SystemClock.monotonicNanoseconds()
        let found = body()
        let nanoseconds = Int(truncatingIfNeeded: SystemClock.monotonicNanoseconds() &- start)
        // The clock also counts what other threads did meanwhile; a search never takes more than this.
        try spend(1 + max(0, min(nanoseconds / Patterns.nanosecondsOfStep, work.partialValue / 4)))
        return found
    }
}

private enum Patterns {
    /// A formula text holds its pattern rarely; most evaluations find it here.
    static let cache = PatternCache(generation: 32)
    /// The longest text that can be a pattern, in bytes.
    static let longest = 10_000
    /// Bytes times instructions of one search: at worst a few tenths of a second.
    static let mostWork = 1 << 24
    static let nanosecondsOfStep = 100
}
