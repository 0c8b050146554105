import Glibc
import Synchronization

/// The threads of a ``WorkerTeam`` and the queue they share.
///
/// `@unchecked Sendable`: every stored variable is read and written only while `mutex` is held.
final class Crew: @unchecked Sendable {
    enum Job {
        case closure(@Sendable () -> Void)
        case asynchronous(@Sendable () async -> Void, WorkerTeam)
        case task(UnownedJob, UnownedTaskExecutor)
    }

    /// How often a thread lets others run before it sleeps: being woken costs more than the next few jobs' arrival.
    private static let patience = 8

    let name: String
    let waitingLimit: Int
    let niceness: Int32
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wake = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private let ended = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var queue = JobQueue()
    private var running = 0
    private var idle = 0
    private var isClosed = false

    init(name: String, waitingLimit: Int, niceness: Int32) {
        self.name = name
        self.waitingLimit = waitingLimit
        self.niceness = niceness
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        sem_init(wake, 0, 0)
        pthread_cond_init(ended, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        sem_destroy(wake)
        pthread_cond_destroy(ended)
        mutex.deallocate()
        wake.deallocate()
        ended.deallocate()
    }

    func start(_ workers: Int) {
        for _ in 0..<workers {
            pthread_mutex_lock(mutex)
            running += 1
            pthread_mutex_unlock(mutex)
            if !launch() {
                pthread_mutex_lock(mutex)
                running -= 1
                pthread_mutex_unlock(mutex)
            }
        }
    }

    private func launch() -> Bool {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Crew>.fromOpaque(context).takeRetainedValue().work()
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    func push(_ job: Job, isBounded: Bool) -> Bool {
        pthread_mutex_lock(mutex)
        if isBounded && (isClosed || queue.count >= waitingLimit) {
            pthread_mutex_unlock(mutex)
            return false
        }
        queue.append(job)
        let wakes = idle > 0
        if wakes { idle -= 1 }
        pthread_mutex_unlock(mutex)
        if wakes { sem_post(wake) }
        return true
    }

    private func work() {
        // On Linux the priority belongs to the thread; 0 names the calling one.
        if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
        nameThread()
        while let job = next() {
            switch job {
            case .closure(let run): run()
            case .asynchronous(let run, let team): drain(run, team)
            case .task(let task, let executor): task.runSynchronously(on: executor)
            }
        }
    }

    /// Runs an async job, and those that wait behind it, in one task for as long as none of them suspends.
    ///
    /// A task for each would cost more than most jobs. Once one suspends, its task keeps that job only, and this thread
    /// goes on with another.
    private func drain(_ first: @escaping @Sendable () async -> Void, _ team: WorkerTeam) {
        let hold = Hold()
        _ = Task.immediate(executorPreference: team) {
            await first()
            while hold.isUninterrupted, let next = self.nextAsynchronous() { await next() }
        }
        hold.end()
    }

    /// Whether a task has run without a break since its thread began it.
    private final class Hold: Sendable {
        private let flag = Atomic(true)

        var isUninterrupted: Bool { flag.load(ordering: .acquiring) }

        func end() { flag.store(false, ordering: .releasing) }
    }

    private func nextAsynchronous() -> (@Sendable () async -> Void)? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard case .asynchronous(let job, _) = queue.first else { return nil }
        _ = queue.popFirst()
        return job
    }

    /// Shows the name in `ps` and debuggers.
    private func nameThread() {
        let descriptor = open("/proc/thread-self/comm", O_WRONLY)
        guard descriptor >= 0 else { return }
        _ = Array(name.utf8.prefix(15)).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        Glibc.close(descriptor)
    }

    private func next() -> Job? {
        var patience = Crew.patience
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let job = queue.popFirst() { return job }
            if patience > 0, !isClosed {
                patience -= 1
                pthread_mutex_unlock(mutex)
                sched_yield()
                pthread_mutex_lock(mutex)
                continue
            }
            if isClosed {
                running -= 1
                pthread_cond_broadcast(ended)
                return nil
            }
            idle += 1
            pthread_mutex_unlock(mutex)
            // Whoever wakes a thread has taken it off the idle count.
            while sem_wait(wake) != 0 {}
            pthread_mutex_lock(mutex)
        }
    }

    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        let sleepers = idle
        idle = 0
        pthread_mutex_unlock(mutex)
        for _ in 0..<sleepers { sem_post(wake) }
    }

    func waitForEnd(_ limit: Duration) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        let (seconds, attoseconds) = limit.components
        let nanoseconds = deadline.tv_nsec + Int(attoseconds / 1_000_000_000)
        deadline.tv_sec += Int(clamping: seconds) + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while running > 0 {
            if pthread_cond_timedwait(ended, mutex, &deadline) != 0 { return running == 0 }
        }
        return true
    }

    var waitingCount: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return queue.count
    }
}

/// A ring of jobs that grows by doubling and keeps its storage.
private struct JobQueue {
    private var slots: [Crew.Job?] = Array(repeating: nil, count: 64)
    private var head = 0
    private(set) var count = 0

    mutating func append(_ job: Crew.Job) {
        if count == slots.count { grow() }
        slots[(head + count) & (slots.count - 1)] = job
        count += 1
    }

    var first: Crew.Job? { count > 0 ? slots[head] : nil }

    mutating func popFirst() -> Crew.Job? {
        guard count > 0 else { return nil }
        let job = slots[head].take()
        head = (head + 1) & (slots.count - 1)
        count -= 1
        return job
    }

    private mutating func grow() {
        var larger: [Crew.Job?] = []
        larger.reserveCapacity(slots.count * 2)
        for offset in 0..<count { larger.append(slots[(head + offset) & (slots.count - 1)]) }
        larger.append(contentsOf: Array(repeating: nil, count: slots.count * 2 - count))
        slots = larger
        head = 0
    }
}
