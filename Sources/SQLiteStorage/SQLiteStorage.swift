import CivilTime
import Platform
package import RowhouseModel
package import Storage
import Synchronization

/// A store in one folder: an SQLite file in WAL mode, one writing thread, a few reading connections.
package final class SQLiteStorage: Storage {
    private let latest: LatestState
    private let readers: ReaderPool
    private let queue: CommitQueue
    private let writerThread: OwnThread
    private let file: DatabaseFile
    private let isClosed = Atomic(false)
    private let clock: @Sendable () -> Instant
    package let secret: [UInt8]

    /// Opens the folder, making it and its database when missing, and bringing an older one up to date.
    ///
    /// - Throws: `StorageOpenError`; the folder is then as it was.
    package init(folder: String, options: Options = Options()) throws(StorageOpenError) {
        let file = try DatabaseFile(folder: folder, options: options)
        try file.bringUpToDate()
        let indexes = IndexRegistry()
        let transaction = try file.openTransaction(indexes)
        secret = try DatabaseFile.opening { () throws(APIError) in try FolderSecret.load(transaction.connection) }
        let latest = LatestState(transaction.state)
        let queue = CommitQueue(capacity: options.waitingWrites)
        readers = ReaderPool(try file.openSessions(indexes, latest.value))
        let writer = Writer(transaction, clock: options.clock) { latest.set($0) }
        guard let thread = OwnThread(name: "rowhouse-writer", { writer.run(queue) }) else {
            throw .failed("Cannot start the writing thread")
        }
        self.file = file
        self.latest = latest
        self.queue = queue
        clock = options.clock
        writerThread = thread
    }

    deinit { close() }

    /// Finishes what is under way, brings the write-ahead log into the file and gives the folder back.
    package func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.close()
        writerThread.join()
        readers.close()
        file.finish()
    }

    package var schema: Schema { latest.value.schema }
    package var users: UserDirectory { latest.value.users }

    package func read<Value>(
        _ body: (any StorageReader) throws(APIError) -> Value
    ) throws(APIError) -> Value {
        try readers.use { (session) throws(APIError) in
            session.state = latest.value
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
        try readers.use { (session) throws(APIError) in
            session.state = latest.value
            session.time = clock().milliseconds
            return try body(session)
        }
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageWriter) throws(APIError) -> Value
    ) throws(APIError) -> Value {
        let answer = Answer<Value>()
        let job = CommitQueue.Job { (transaction) throws(APIError) in answer.value = try body(transaction) }
        try queue.add(job)
        job.done.wait()
        if let error = job.error { throw error }
        guard let value = answer.value else { throw .internalError }
        return value
    }

    // Written by the writer, read by the caller after the job's semaphore.
    private final class Answer<Value>: @unchecked Sendable {
        var value: Value?
    }
}
