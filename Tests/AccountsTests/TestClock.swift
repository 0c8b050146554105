import CivilTime
import Synchronization

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_700_000_000_000)
    var now: Instant { Instant(milliseconds: milliseconds.withLock { $0 }) }
    func advance(milliseconds step: Int64) { milliseconds.withLock { $0 += step } }
}
