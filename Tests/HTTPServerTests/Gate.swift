import Glibc
import Synchronization

/// Blocks threads until it is opened, and counts who came.
final class Gate: Sendable {
    private let isOpen = Atomic(false)
    private let count = Atomic(0)

    /// How many threads have come to the gate.
    var arrived: Int { count.load(ordering: .acquiring) }

    func open() { isOpen.store(true, ordering: .releasing) }

    func pass() {
        count.add(1, ordering: .acquiringAndReleasing)
        wait { isOpen.load(ordering: .acquiring) }
    }
}

/// Waits until something is so, for at most ten seconds; whether it is.
@discardableResult
func wait(until isSo: () -> Bool) -> Bool {
    for _ in 0..<10_000 {
        if isSo() { return true }
        usleep(1_000)
    }
    return isSo()
}
