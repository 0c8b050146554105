import Backups
import Platform

/// How far a command has come: one line of a terminal, written anew in its place; nothing where nobody looks.
final class ProgressLine: Sendable {
    private struct State {
        var isShown = false
        var next: UInt64 = 0
    }

    private let state = Guarded(State())
    private let isOn: Bool
    private static let pause: UInt64 = 100_000_000
    // Back to the beginning, and away with what stands there.
    private static let wipe = "\r\u{1B}[K"

    init(isOn: Bool = StandardStream.error.isTerminal) { self.isOn = isOn }

    func show(_ done: Int, of total: Int, _ what: String, _ unit: AdminEvent.Unit) {
        guard isOn else { return }
        state.withLock { state in
            let now = SystemClock.monotonicNanoseconds()
            guard now >= state.next else { return }
            state.next = now + Self.pause
            state.isShown = true
            StandardStream.error.write(Self.wipe + Self.text(done, of: total, what, unit))
        }
    }

    /// Takes the line away.
    func clear() {
        state.withLock { state in
            guard state.isShown else { return }
            state = State()
            StandardStream.error.write(Self.wipe)
        }
    }

    /// `Copying the database 43 % · 1.2 of 2.8 GB`
    static func text(_ done: Int, of total: Int, _ what: String, _ unit: AdminEvent.Unit) -> String {
        guard total > 0 else { return what + " …" }
        let percent = Int(Double(max(0, min(done, total))) / Double(total) * 100)
        let amount =
            switch unit {
            case .bytes: SizeText.bytes(done, of: total)
            case .records: "\(SizeText.count(done)) of \(SizeText.count(total, "record"))"
            }
        return "\(what) \(percent) % · \(amount)"
    }
}
