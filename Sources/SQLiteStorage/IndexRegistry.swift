import Platform
import RowhouseModel

/// The sort indexes of the committed state, and those that readers would like to have.
final class IndexRegistry: Sendable {
    struct Request: Hashable, Sendable {
        let base: BaseID
        let table: TableID
        let definition: SortDefinition
    }
    private struct State {
        var indexes: [Int: [SortIndex]] = [:]
        var requests: [Request] = []
    }
    private let state = Guarded(State())
    /// Signalled when there is a new request.
    let wishes = Semaphore()
    private static let waitingRequests = 64
    private let takesRequests: Bool

    init(takesRequests: Bool = true) { self.takesRequests = takesRequests }

    /// The indexes of a table, ready or not.
    func indexes(ofTable number: Int) -> [SortIndex] { state.withLock { $0.indexes[number] ?? [] } }

    func add(_ index: SortIndex) { state.withLock { $0.indexes[index.tableNumber, default: []].append(index) } }

    func remove(_ index: SortIndex) {
        index.status = .dropped
        state.withLock { $0.indexes[index.tableNumber]?.removeAll { $0 === index } }
    }

    /// Asks for an index; forgotten when too many are asked for at once, since it will be asked for again.
    func request(_ request: Request) {
        guard takesRequests else { return }
        let isNew = state.withLock { state in
            guard state.requests.count < Self.waitingRequests, !state.requests.contains(request) else { return false }
            state.requests.append(request)
            return true
        }
        if isNew { wishes.signal() }
    }

    /// The request to fulfil next; it stays listed until `finish`.
    func nextRequest() -> Request? { state.withLock { $0.requests.first } }

    func finish(_ request: Request) { state.withLock { $0.requests.removeAll { $0 == request } } }
}
