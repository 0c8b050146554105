import Platform
import RowhouseModel

/// Decides who writes: one at a time, in the order of asking, whoever waits in groups.
///
/// A caller who finds nobody writing does his own job on his own thread, which saves two changes of thread; whoever
/// comes meanwhile waits and is done by the writing thread, all who wait in one group.
final class CommitQueue: Sendable {
    /// One caller's write.
    final class Job: @unchecked Sendable {
        // Shared between the caller and the writer, which hand it over by the queue's lock and by `done`.
        let body: (WriteTransaction) throws(APIError) -> Void
        var error: APIError?
        let done = Semaphore()

        init(_ body: @escaping @Sendable (WriteTransaction) throws(APIError) -> Void) { self.body = body }
    }

    private struct State {
        var waiting: [Job] = []
        var isWriting = false
        var isClosed = false
    }
    private enum Turn { case now, later, never }
    private static let groupSize = 64
    private let state = Guarded(State())
    private let wake = Semaphore()
    private let capacity: Int
    private let writer: Writer

    init(capacity: Int, writer: Writer) {
        self.capacity = capacity
        self.writer = writer
    }

    /// Does the job, now or in its turn, and returns when it is durable or has failed.
    func perform(_ job: Job) throws(APIError) {
        switch turn(for: job) {
        case .never: throw .retriable
        case .later: job.done.wait()
        case .now:
            writer.perform([job])
            endTurn()
        }
        if let error = job.error { throw error }
    }

    /// Runs `body` as a job.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws(APIError) -> Value
    ) throws(APIError) -> Value {
        let answer = Answer<Value>()
        try perform(Job { (transaction) throws(APIError) in answer.value = try body(transaction) })
        guard let value = answer.value else { throw .internalError }
        return value
    }

    // Written by the writer, read by the caller when his job is done.
    private final class Answer<Value>: @unchecked Sendable {
        var value: Value?
    }

    private func turn(for job: Job) -> Turn {
        state.withLock { state in
            if state.isClosed || state.waiting.count >= capacity { return .never }
            if !state.isWriting, state.waiting.isEmpty {
                state.isWriting = true
                return .now
            }
            state.waiting.append(job)
            return .later
        }
    }

    private func endTurn() {
        let needsThread = state.withLock { state in
            state.isWriting = false
            return !state.waiting.isEmpty || state.isClosed
        }
        if needsThread { wake.signal() }
    }

    /// Accepts no more jobs; those that wait are still done.
    func close() {
        state.withLock { $0.isClosed = true }
        wake.signal()
    }

    /// The work of the writing thread, until closed and empty.
    func run() {
        var isOpen = true
        while isOpen {
            wake.wait()
            while let group = nextGroup() {
                writer.perform(group)
                for job in group { job.done.signal() }
                state.withLock { $0.isWriting = false }
            }
            isOpen = state.withLock { !$0.isClosed || $0.isWriting || !$0.waiting.isEmpty }
        }
    }

    /// Closes the writer's connection, after `run` has ended.
    func releaseWriter() { writer.close() }

    private func nextGroup() -> [Job]? {
        state.withLock { state in
            guard !state.isWriting, !state.waiting.isEmpty else { return nil }
            state.isWriting = true
            let group = Array(state.waiting.prefix(Self.groupSize))
            state.waiting.removeFirst(group.count)
            return group
        }
    }
}
