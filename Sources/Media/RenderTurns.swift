import Platform
import RowhouseModel

/// Whose turn it is to have something rendered: that of the base for which the least was done lately, so that the slow
/// files of one keep no other out. Of heavy jobs, which take memory, one is done at a time.
final class RenderTurns: Sendable {
    private struct Ticket {
        let number: Int
        let base: BaseID
        let isHeavy: Bool
        let semaphore = Semaphore()
    }

    private struct State {
        var freeLanes: Int
        var isHeavyRunning = false
        var waiting: [Ticket] = []
        var lastNumber = 0
        /// Seconds of work.
        var used: [BaseID: Double] = [:]

        /// Lets in whoever may begin now.
        mutating func next() -> Ticket? {
            guard freeLanes > 0 else { return nil }
            let ready = waiting.indices.filter { !waiting[$0].isHeavy || !isHeavyRunning }
            let first = ready.min { (used[waiting[$0].base] ?? 0) < (used[waiting[$1].base] ?? 0) }
            guard let first else { return nil }
            let ticket = waiting.remove(at: first)
            freeLanes -= 1
            if ticket.isHeavy { isHeavyRunning = true }
            return ticket
        }

        /// Notes work; what lies longer back than so much work counts less and less.
        mutating func note(_ seconds: Double, for base: BaseID) {
            used[base, default: 0] += seconds
            guard used.values.reduce(0, +) > 30 else { return }
            used = used.mapValues { $0 / 2 }.filter { $0.value > 0.01 }
        }
    }

    private let state: Guarded<State>

    /// - Parameter lanes: how many jobs are done at a time.
    init(lanes: Int) { state = Guarded(State(freeLanes: lanes)) }

    /// How many wait.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Waits for a turn; false when it did not come in time. After true, `leave` is to be called.
    func enter(_ base: BaseID, isHeavy: Bool, milliseconds: Int) -> Bool {
        let ticket = state.withLock { state in
            state.lastNumber += 1
            let ticket = Ticket(number: state.lastNumber, base: base, isHeavy: isHeavy)
            state.waiting.append(ticket)
            return ticket
        }
        letIn()
        if ticket.semaphore.wait(milliseconds: milliseconds) { return true }
        return state.withLock { state in
            guard let place = state.waiting.firstIndex(where: { $0.number == ticket.number }) else {
                // It was let in at the last moment.
                return true
            }
            state.waiting.remove(at: place)
            return false
        }
    }

    /// Ends a turn that took so long.
    func leave(_ base: BaseID, isHeavy: Bool, after time: Duration) {
        state.withLock { state in
            state.freeLanes += 1
            if isHeavy { state.isHeavyRunning = false }
            state.note(max(0, time / .seconds(1)), for: base)
        }
        letIn()
    }

    private func letIn() {
        while let ticket = state.withLock({ $0.next() }) { ticket.semaphore.signal() }
    }
}
