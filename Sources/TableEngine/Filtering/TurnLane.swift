import Platform
import RowhouseModel

/// Lets a few long reads work at once, each for a short time and in turn; those that wait hold no thread.
final class TurnLane: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// The place in `waiting` of who has waited longest.
        var first = 0
    }
    private let state: Guarded<State>
    private let mostWaiting: Int

    init(atOnce: Int, mostWaiting: Int) {
        state = Guarded(State(free: atOnce))
        self.mostWaiting = mostWaiting
    }

    /// Waits for a turn.
    ///
    /// - Throws: 503 when too many wait.
    func enter() async throws(APIError) {
        let isNow = try state.withLock { (state) throws(APIError) in
            if state.free > 0 {
                state.free -= 1
                return true
            }
            if state.waiting.count - state.first >= mostWaiting { throw .retriable }
            return false
        }
        if isNow { return }
        await withCheckedContinuation { continuation in
            let isNow = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isNow { continuation.resume() }
        }
    }

    /// Ends a turn: who has waited longest goes on.
    func leave() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.first < state.waiting.count else {
                state.free += 1
                return nil
            }
            let next = state.waiting[state.first]
            state.first += 1
            if state.first == state.waiting.count {
                state.waiting.removeAll(keepingCapacity: true)
                state.first = 0
            } else if state.first > 1_000 {
                state.waiting.removeFirst(state.first)
                state.first = 0
            }
            return next
        }
        next?.resume()
    }
}
