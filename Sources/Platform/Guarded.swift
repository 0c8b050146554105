import Glibc

/// A value that one thread at a time sees, under a lock of the operating system.
///
/// Like `Synchronization.Mutex`, whose lock the thread sanitizer cannot see.
package final class Guarded<State>: @unchecked Sendable {
    // Safe to share: the state is only touched with the lock held.
    @usableFromInline let lock = Lock()
    @usableFromInline var state: State

    /// Guards a value that nobody else holds.
    @inlinable package init(_ state: sending State) { self.state = state }

    /// Runs `body` on the value while no other thread can.
    @inlinable package func withLock<Value, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}

/// The lock of a `Guarded` value.
@usableFromInline final class Lock: @unchecked Sendable {
    // Safe to share: the memory never moves and is only touched by the calls of pthread_mutex_lock(3).
    private let pointer: UnsafeMutablePointer<pthread_mutex_t>

    @usableFromInline init() {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: pthread_mutex_t())
        pthread_mutex_init(pointer, nil)
    }

    deinit {
        pthread_mutex_destroy(pointer)
        pointer.deallocate()
    }

    @usableFromInline func lock() { pthread_mutex_lock(pointer) }
    @usableFromInline func unlock() { pthread_mutex_unlock(pointer) }
}
