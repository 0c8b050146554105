import RegularExpressions
import Synchronization

/// The patterns compiled last, so that a formula compiles its pattern once and not for every record.
///
/// Holds at most twice `generation` patterns: when the younger half is full it becomes the older one, and what was not
/// asked for since is forgotten.
final class PatternCache: Sendable {
    private struct Halves {
        var younger: [[UInt8]: RegularExpression?] = [:]
        var older: [[UInt8]: RegularExpression?] = [:]
    }

    private let generation: Int
    private let halves = Mutex(Halves())

    init(generation: Int) { self.generation = generation }

    /// What is known of a text: its pattern, nil within for one that is no pattern, nil when it is unknown.
    func pattern(for text: [UInt8]) -> RegularExpression?? {
        halves.withLock { halves in
            if let known = halves.younger[text] { return .some(known) }
            guard let known = halves.older[text] else { return nil }
            keep(known, for: text, &halves)
            return .some(known)
        }
    }

    /// Remembers what became of a text.
    func remember(_ pattern: RegularExpression?, for text: [UInt8]) {
        halves.withLock { keep(pattern, for: text, &$0) }
    }

    private func keep(_ pattern: RegularExpression?, for text: [UInt8], _ halves: inout Halves) {
        if halves.younger.count >= generation { halves = Halves(older: halves.younger) }
        halves.younger[text] = .some(pattern)
    }
}
