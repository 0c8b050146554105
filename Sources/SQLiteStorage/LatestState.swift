import Synchronization

/// The committed state that new reads begin with.
final class LatestState: Sendable {
    private let state: Mutex<StoreState>

    init(_ state: StoreState) { self.state = Mutex(state) }

    var value: StoreState { state.withLock { $0 } }
    func set(_ new: StoreState) { state.withLock { $0 = new } }
}
