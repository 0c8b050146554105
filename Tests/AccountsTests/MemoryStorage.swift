import CivilTime
import RowhouseModel
import Storage
import Synchronization

/// A store of users and tokens in memory, without records.
final class MemoryStorage: Storage {
    struct State {
        var users = UserDirectory(version: 0, users: [])
        var schema = Schema(version: 0, bases: [])
        var tokens: [StoredToken] = []
        var touches: [[TokenID]] = []
        var failure: APIError?
    }
    let state = Mutex(State())
    let clock: TestClock

    let secret = [UInt8](repeating: 7, count: 32)

    init(clock: TestClock) { self.clock = clock }

    var schema: Schema { state.withLock { $0.schema } }
    var users: UserDirectory { state.withLock { $0.users } }

    func read<Value>(_ body: (any StorageReader) throws(APIError) -> Value) throws(APIError) -> Value {
        try body(Transaction(state: state.withLock { $0 }, now: clock.now))
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageWriter) throws(APIError) -> Value
    ) throws(APIError) -> Value {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        let transaction = Transaction(state: state.withLock { $0 }, now: clock.now)
        let value = try body(transaction)
        state.withLock { $0 = transaction.state }
        return value
    }

    private final class Transaction: StorageWriter {
        var state: State
        let now: Instant
        init(state: State, now: Instant) {
            self.state = state
            self.now = now
        }
        var schema: Schema { state.schema }
        var users: UserDirectory { state.users }
        func tokens() throws(APIError) -> [StoredToken] { state.tokens }
        func insert(_ user: User) throws(APIError) {
            state.users = UserDirectory(version: state.users.version + 1, users: state.users.users + [user])
        }
        func insert(_ token: StoredToken) throws(APIError) { state.tokens.append(token) }
        func revoke(_ token: TokenID) throws(APIError) -> Bool {
            guard let index = state.tokens.firstIndex(where: { $0.id == token && !$0.isRevoked }) else { return false }
            state.tokens[index].isRevoked = true
            return true
        }
        func touch(_ uses: [(token: TokenID, time: Instant)]) throws(APIError) {
            state.touches.append(uses.map(\.token))
            for use in uses {
                guard let index = state.tokens.firstIndex(where: { $0.id == use.token }) else { continue }
                state.tokens[index].lastUsedTime = use.time
            }
        }
        func createBase(_ base: BaseSchema) throws(APIError) { state.schema = state.schema.replacing(base) }

        func record(_ id: RecordID, in table: TableSchema, fields: [Int]) throws(APIError) -> RecordBatch? { nil }
        func records(_ ids: [RecordID], in table: TableSchema, fields: [Int]) throws(APIError) -> RecordBatch {
            throw .internalError
        }
        func page(_ plan: PagePlan) throws(APIError) -> StoredPage { throw .internalError }
        func isImmediate(_ plan: PagePlan) -> Bool { false }
        func find(
            _ cells: [(field: Int, value: StoredCell)], in table: TableSchema, limit: Int
        ) throws(APIError) -> [RecordID] { [] }
        func answer(idempotencyKey: String, user: UserID) throws(APIError) -> StoredAnswer? { nil }
        func recordCount(of table: TableID) throws(APIError) -> Int { 0 }
        func deleteBase(_ base: BaseID) throws(APIError) { throw .internalError }
        func createTable(_ table: TableSchema) throws(APIError) { throw .internalError }
        func updateTable(_ table: TableSchema) throws(APIError) { throw .internalError }
        func deleteTable(_ table: TableID, in base: BaseID) throws(APIError) { throw .internalError }
        func newRecordID() -> RecordID { RecordID(text: IdentifierText(time: 0, counter: 0)) }
        func insert(_ records: [NewRecord], in table: TableSchema, by user: UserID) throws(APIError) {
            throw .internalError
        }
        func update(
            _ id: RecordID, in table: TableSchema, cells: [(field: Int, value: StoredCell)], by user: UserID
        ) throws(APIError) { throw .internalError }
        func delete(_ ids: [RecordID], in table: TableSchema) throws(APIError) { throw .internalError }
        func removeChoices(
            _ numbers: Set<Int>, of field: Int, in table: TableSchema, by user: UserID
        ) throws(APIError) {
            throw .internalError
        }
        func append(_ change: Change) throws(APIError) { throw .internalError }
        func save(_ answer: StoredAnswer, idempotencyKey: String, user: UserID) throws(APIError) {
            throw .internalError
        }
    }
}
