import CivilTime
import Platform
package import RowhouseModel
package import Storage
import Synchronization

/// A store in one folder: an SQLite file in WAL mode, one writing thread, a few reading connections.
package final class SQLiteStorage: Storage {
    private let latest: LatestState
    private let readers: ReaderPool
    /// For reads that must not wait behind long ones.
    private let shortReaders: ReaderPool
    private let queue: CommitQueue
    private let writerThread: OwnThread
    private let housekeeper: Housekeeper
    let file: DatabaseFile
    private let isClosed = Atomic(false)
    private let clock: @Sendable () -> Instant
    package let secret: [UInt8]
    package let trashDays: Int

    /// Opens the folder, making it and its database when missing, and bringing an older one up to date.
    ///
    /// - Throws: `StorageOpenError`; what the folder held is then unchanged.
    package init(folder: String, options: Options = Options()) throws(StorageOpenError) {
        let file = try DatabaseFile(folder: folder, options: options)
        try file.bringUpToDate()
        let mapping = file.map()
        let indexes = IndexRegistry(takesRequests: options.makesIndexes)
        let transaction = try file.openTransaction(indexes)
        secret = try DatabaseFile.opening { () throws(APIError) in try FolderSecret.load(transaction.connection) }
        let latest = LatestState(transaction.state)
        let writer = Writer(transaction, clock: options.clock) { latest.set($0) }
        let queue = CommitQueue(capacity: options.waitingWrites, writer: writer)
        readers = ReaderPool(try file.openSessions(options.readers, indexes, latest.value, mapping))
        shortReaders = ReaderPool(try file.openSessions(options.shortReaders, indexes, latest.value, mapping))
        let builder = try file.openSessions(1, indexes, latest.value, mapping)
        guard let thread = OwnThread(name: "rowhouse-writer", { queue.run() }) else {
            throw .failed("Cannot start the writing thread")
        }
        guard let housekeeper = Housekeeper(builder[0], queue, indexes, latest, options) else {
            queue.close()
            throw .failed("Cannot start the housekeeping thread")
        }
        self.file = file
        self.latest = latest
        self.queue = queue
        self.housekeeper = housekeeper
        clock = options.clock
        trashDays = max(0, options.trashDays)
        writerThread = thread
    }

    deinit { close() }

    /// Finishes what is under way, brings the write-ahead log into the file and gives the folder back.
    package func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        housekeeper.stop()
        queue.close()
        writerThread.join()
        readers.close()
        shortReaders.close()
        queue.releaseWriter()
        file.finish()
    }

    package var schema: Schema { latest.current.state.schema }
    package var users: UserDirectory { latest.current.state.users }

    package func changeNumber(of table: TableID) -> Int {
        latest.value.catalog.tables[table]?.counters.changes.load(ordering: .acquiring) ?? 0
    }

    package func read<Value>(
        _ body: (any StorageReader) throws(APIError) -> Value
    ) throws(APIError) -> Value {
        try readers.use { (session) throws(APIError) in
            session.follow(latest.current)
            session.time = clock().milliseconds
            try session.connection.run(.beginRead)
            // Nothing was written: ending a read cannot fail in a way that matters to the caller.
            defer { try? session.connection.run(.commit) }
            return try body(session)
        }
    }

    package func readEach<Value>(
        _ body: (any StorageReader) throws(APIError) -> Value
    ) throws(APIError) -> Value {
        try readers.use { (session) throws(APIError) in try each(session, body) }
    }

    package func readNow<Value>(
        _ body: (any StorageReader) throws(APIError) -> Value
    ) throws(APIError) -> Value? {
        try shortReaders.tryUse { (session) throws(APIError) in try each(session, body) }
    }

    private func each<Value>(
        _ session: RecordSession, _ body: (any StorageReader) throws(APIError) -> Value
    ) throws(APIError) -> Value {
        session.follow(latest.current)
        session.time = clock().milliseconds
        return try body(session)
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageWriter) throws(APIError) -> Value
    ) throws(APIError) -> Value {
        try queue.write(body)
    }

    /// Forgets what is too old, as happens by itself every minute.
    package func tidy() { housekeeper.tidy() }

    /// Whether an index has been asked for that is not ready yet.
    package var isBuildingIndexes: Bool { housekeeper.isBusy }
}
