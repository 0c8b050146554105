import Platform

/// The committed state that new reads begin with.
final class LatestState: Sendable {
    private let state: Guarded<StoreState>

    init(_ state: StoreState) { self.state = Guarded(state) }

    var value: StoreState { state.withLock { $0 } }
    func set(_ new: StoreState) { state.withLock { $0 = new } }
}
