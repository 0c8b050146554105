import Platform
import RowhouseModel
import Synchronization

/// The writes that wait, and the one thread that makes them durable in groups.
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
        var isClosed = false
    }
    private static let groupSize = 64
    private let state = Mutex(State())
    private let wake = Semaphore()
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    /// Lets the job wait for its turn.
    func add(_ job: Job) throws(APIError) {
        let isAccepted = state.withLock { state in
            guard !state.isClosed, state.waiting.count < capacity else { return false }
            state.waiting.append(job)
            return true
        }
        guard isAccepted else { throw .retriable }
        wake.signal()
    }

    /// Accepts no more jobs; those that wait are still done.
    func close() {
        state.withLock { $0.isClosed = true }
        wake.signal()
    }

    /// The jobs to do next, waiting for the first; nil when closed and empty.
    func nextGroup() -> [Job]? {
        while true {
            wake.wait()
            let (group, isClosed) = state.withLock { state in
                let group = Array(state.waiting.prefix(Self.groupSize))
                state.waiting.removeFirst(group.count)
                return (group, state.isClosed)
            }
            // Each job signalled once; those taken together need no further wake-ups.
            for _ in group.dropFirst() { _ = wake.tryWait() }
            if !group.isEmpty { return group }
            if isClosed { return nil }
        }
    }
}
