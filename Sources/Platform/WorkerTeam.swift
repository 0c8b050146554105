/// A fixed number of own threads with one bounded queue, usable as a task executor so that async work stays on it.
///
/// Swift's cooperative pool has one thread a core, so two blocking calls would stop every task of the process;
/// the threads of a team may block in the operating system or in a database without harming anyone else.
package final class WorkerTeam: TaskExecutor {
    private let crew: Crew

    /// Starts `workers` threads (at least one) that share a queue of at most `waitingLimit` submitted jobs.
    ///
    /// - Parameter niceness: added to the threads' scheduling priority, 0 … 19; the greater, the more they yield to others.
    package init(name: String, workers: Int, waitingLimit: Int, niceness: Int = 0) {
        crew = Crew(name: name, waitingLimit: max(waitingLimit, 1), niceness: Int32(clamping: niceness))
        crew.start(max(workers, 1))
    }

    deinit { crew.close() }

    /// Queues a job; false, and nothing done, when the queue is full or the team is shutting down.
    package func trySubmit(_ job: @escaping @Sendable () -> Void) -> Bool {
        crew.push(.closure(job), isBounded: true)
    }

    /// Queues an async job whose every part runs on this team; false when the queue is full or the team is shutting down.
    package func trySubmit(async job: @escaping @Sendable () async -> Void) -> Bool {
        crew.push(.asynchronous(job, self), isBounded: true)
    }

    /// Continues a task on the team; never refused, because its work was admitted when it began.
    package func enqueue(_ job: consuming ExecutorJob) {
        _ = crew.push(.task(UnownedJob(job), asUnownedTaskExecutor()), isBounded: false)
    }

    /// Refuses new jobs, lets the queued ones run for at most `gracePeriod`, and tells whether every thread has ended.
    @discardableResult
    package func shutDown(gracePeriod: Duration) -> Bool {
        crew.close()
        return crew.waitForEnd(gracePeriod)
    }

    /// The number of jobs that wait for a free thread.
    package var waitingCount: Int { crew.waitingCount }
}
