import Platform
import RowhouseModel
import Storage

/// The store as it was at one moment, for as long as that takes: one read transaction of a connection of its own.
///
/// While it is open the write-ahead log keeps all that was written since; so it is for work that ends.
final class StorageMoment: Storage {
    private let session: ReaderPool
    private let version: Guarded<LatestState.Version>
    let secret: [UInt8]
    let trashDays: Int

    init(_ sessions: sending [RecordSession], _ version: LatestState.Version, secret: [UInt8], trashDays: Int) {
        session = ReaderPool(sessions)
        self.version = Guarded(version)
        self.secret = secret
        self.trashDays = trashDays
    }

    deinit { end() }

    /// Begins at what is committed now, which must be of this version.
    func begin(_ new: LatestState.Version, time: Int64) throws(APIError) {
        try session.use { (session) throws(APIError) in
            if !session.connection.isIdle { try session.connection.run(.commit) }
            session.follow(new)
            session.time = time
            try session.connection.run(.beginRead)
            // A transaction begins with its first read.
            _ = try session.connection.integer("SELECT count(*) FROM counters")
        }
        version.withLock { $0 = new }
    }

    /// Waits for a read under way and closes the connection; every later read fails.
    func end() { session.close() }

    var schema: Schema { version.withLock { $0.state.schema } }
    var users: UserDirectory { version.withLock { $0.state.users } }
    /// Nothing changes.
    func changeNumber(of table: TableID) -> Int { 0 }
    func moment() -> any Storage { self }

    func read<Value>(_ body: (any StorageReader) throws(APIError) -> Value) throws(APIError) -> Value {
        try session.use { (session) throws(APIError) in try body(session) }
    }

    func readEach<Value>(_ body: (any StorageReader) throws(APIError) -> Value) throws(APIError) -> Value {
        try read(body)
    }

    func readNow<Value>(_ body: (any StorageReader) throws(APIError) -> Value) throws(APIError) -> Value? {
        try session.tryUse { (session) throws(APIError) in try body(session) }
    }

    /// What is past is not written to.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageWriter) throws(APIError) -> Value
    ) throws(APIError) -> Value { throw .internalError }
}

/// The moments of a store that may still be open.
struct OpenMoments {
    private struct Place {
        weak var moment: StorageMoment?
    }
    private var places: [Place] = []

    mutating func add(_ moment: StorageMoment) {
        places = places.filter { $0.moment != nil } + [Place(moment: moment)]
    }

    var all: [StorageMoment] { places.compactMap(\.moment) }
}
