import Glibc
import Synchronization

/// A thread that does the same thing again and again until it is stopped.
final class Ticker: Sendable {
    private let signal: Signal

    /// Starts at once; `action` runs after each `interval`.
    init(_ interval: Duration, _ action: @escaping @Sendable () -> Void) {
        let signal = Signal()
        self.signal = signal
        let context = Unmanaged.passRetained(Loop(signal: signal, interval: interval, action: action))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Loop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        if result == 0 { pthread_detach(thread) } else { context.release() }
    }

    deinit { stop() }

    /// Ends the thread; an action that runs at this moment ends by itself.
    func stop() { signal.raise() }

    private final class Loop {
        let signal: Signal
        let interval: Duration
        let action: @Sendable () -> Void

        init(signal: Signal, interval: Duration, action: @escaping @Sendable () -> Void) {
            self.signal = signal
            self.interval = interval
            self.action = action
        }

        func run() {
            while !signal.wait(interval) { action() }
        }
    }

    /// A flag one can wait for.
    ///
    /// `@unchecked Sendable`: a semaphore is made to be shared; its storage lives as long as this object.
    private final class Signal: @unchecked Sendable {
        private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

        init() { sem_init(semaphore, 0, 0) }

        deinit {
            sem_destroy(semaphore)
            semaphore.deallocate()
        }

        func raise() { sem_post(semaphore) }

        /// Waits for the flag for at most so long; whether it is raised, and then it stays so.
        func wait(_ limit: Duration) -> Bool {
            var end = timespec()
            clock_gettime(CLOCK_REALTIME, &end)
            let sum = UInt64(end.tv_nsec) &+ limit.nanoseconds
            end.tv_sec += Int(sum / 1_000_000_000)
            end.tv_nsec = Int(sum % 1_000_000_000)
            while sem_timedwait(semaphore, &end) != 0 {
                if errno != EINTR { return false }
            }
            sem_post(semaphore)
            return true
        }
    }
}
