import Platform
import RowhouseModel

/// Who renders what: one caller a file, and the others wait for it; files that went wrong are left alone for a while.
final class RenderDesk: Sendable {
    /// What a caller is to do.
    enum Turn {
        /// Render the file, then call `finish`.
        case work
        /// Wait for the one who does.
        case wait(Semaphore)
    }

    /// Most files are fine; the oldest of those that are not are forgotten past this.
    private static let memory = 1000

    private struct Refusal {
        let count: Int
        let end: ContinuousClock.Instant
    }

    private struct State {
        var callers: [BaseID: Int] = [:]
        var waiting: [FileHash: [Semaphore]] = [:]
        var refused: [FileHash: Refusal] = [:]
    }

    private let callerLimit: Int
    private let firstRefusal: Duration
    private let state = Guarded(State())

    /// - Parameter firstRefusal: how long a file is left alone; four times as long each further time.
    init(callerLimit: Int, firstRefusal: Duration) {
        self.callerLimit = callerLimit
        self.firstRefusal = firstRefusal
    }

    /// - Throws: 503 when too many are here, or too many for one base: the last places are for others.
    func enter(_ base: BaseID) throws(APIError) {
        try state.withLock { state throws(APIError) in
            let own = state.callers[base] ?? 0
            guard state.callers.values.reduce(0, +) < callerLimit, own < callerLimit - callerLimit / 4 else {
                throw .retriable
            }
            state.callers[base] = own + 1
        }
    }

    func leave(_ base: BaseID) {
        state.withLock { state in
            let left = (state.callers[base] ?? 1) - 1
            state.callers[base] = left > 0 ? left : nil
        }
    }

    /// - Throws: 422 for a file that went wrong not long ago.
    func turn(_ hash: FileHash) throws(APIError) -> Turn {
        try state.withLock { state throws(APIError) in
            if let refusal = state.refused[hash], ContinuousClock.now < refusal.end { throw .imageNotRenderable }
            guard state.waiting[hash] != nil else {
                state.waiting[hash] = []
                return .work
            }
            let semaphore = Semaphore()
            state.waiting[hash, default: []].append(semaphore)
            return .wait(semaphore)
        }
    }

    /// Ends the work on a file, and lets those who wait for it look.
    func finish(_ hash: FileHash) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: hash) } ?? []
        for semaphore in waiting { semaphore.signal() }
    }

    /// Leaves a file alone for a while.
    func refuse(_ hash: FileHash) {
        state.withLock { state in
            let count = state.refused[hash]?.count ?? 0
            if state.refused.count >= Self.memory, state.refused[hash] == nil {
                if let oldest = state.refused.min(by: { $0.value.end < $1.value.end }) {
                    state.refused[oldest.key] = nil
                }
            }
            let time = firstRefusal * (1 << (2 * min(count, 4)))
            state.refused[hash] = Refusal(count: count + 1, end: ContinuousClock.now + time)
        }
    }

    /// Forgets what went wrong with a file.
    func forgive(_ hash: FileHash) { state.withLock { $0.refused[hash] = nil } }
}
