import Platform
import RowhouseModel

/// The committed state that new reads begin with: one object a version, so that taking it counts one reference.
final class LatestState: Sendable {
    /// One version of the state.
    final class Version: Sendable {
        let state: StoreState
        init(_ state: StoreState) { self.state = state }
    }

    private let version: Guarded<Version>

    init(_ state: StoreState) { version = Guarded(Version(state)) }

    var current: Version { version.withLock { $0 } }
    var value: StoreState { current.state }
    func set(_ new: StoreState) {
        let next = Version(new)
        version.withLock { $0 = next }
    }
}
