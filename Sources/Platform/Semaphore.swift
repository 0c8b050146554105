import Glibc

/// A counting semaphore for threads that may block.
package final class Semaphore: @unchecked Sendable {
    // Safe to share: the memory never moves and is only touched by the calls of sem_overview(7).
    private let pointer: UnsafeMutablePointer<sem_t>

    /// A semaphore that lets so many pass.
    package init(value: UInt32 = 0) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: sem_t())
        sem_init(pointer, 0, value)
    }

    deinit {
        sem_destroy(pointer)
        pointer.deallocate()
    }

    /// Lets one more pass.
    package func signal() { sem_post(pointer) }

    /// Waits until let pass.
    package func wait() {
        while sem_wait(pointer) != 0, errno == EINTR {}
    }

    /// Waits at most so long; false when the time ran out.
    package func wait(milliseconds: Int) -> Bool {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let nanoseconds = time.tv_nsec + milliseconds % 1000 * 1_000_000
        time.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        while sem_timedwait(pointer, &time) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }

    /// Passes if that needs no waiting; false otherwise.
    package func tryWait() -> Bool {
        while sem_trywait(pointer) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }
}
