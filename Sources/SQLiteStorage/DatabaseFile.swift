import CSQLite
import CivilTime
import Platform
import RowhouseModel

/// The database file of a folder, held by this process alone.
final class DatabaseFile: Sendable {
    let folder: String
    let options: SQLiteStorage.Options
    private let migrations: [Migration]
    private let lock: FolderLock

    init(
        folder: String, options: SQLiteStorage.Options, migrations: [Migration] = Migration.all
    ) throws(StorageOpenError) {
        self.folder = folder
        self.options = options
        self.migrations = migrations
        do throws(FileError) {
            try PrivateFiles.makeFolder(folder)
        } catch { throw .failed(error.description) }
        do throws(FolderLock.Failure) {
            lock = try FolderLock(path: folder + "/rowhouse.lock")
        } catch {
            switch error {
            case .held(let process): throw .held(process: process)
            case .failed(let error): throw .failed(error.description)
            }
        }
    }

    var path: String { folder + "/rowhouse.db" }

    /// Makes the database, or brings it to the newest schema after copying it.
    func bringUpToDate() throws(StorageOpenError) {
        let isNew = (PrivateFiles.size(path) ?? 0) == 0
        if !isNew { try refuseForeign() }
        do throws(FileError) {
            try PrivateFiles.makeFile(path)
        } catch { throw .failed(error.description) }
        let connection = try open()
        try Self.opening { () throws(APIError) in
            try connection.execute("PRAGMA page_size = 4096")
            try connection.execute("PRAGMA journal_mode = WAL")
            try connection.execute("PRAGMA synchronous = FULL")
            let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
            guard version < migrations.count else { return }
            if version > 0 { try copy(connection, version: version) }
            for number in version..<migrations.count { try apply(migrations[number], number + 1, connection) }
        }
    }

    /// Looks at an existing file without changing it.
    private func refuseForeign() throws(StorageOpenError) {
        let connection = try open(SQLITE_OPEN_READONLY)
        let (application, version) = try Self.opening { () throws(APIError) in
            (try connection.integer("PRAGMA application_id"), try connection.integer("PRAGMA user_version"))
        }
        guard application == Migration.applicationID else { throw .foreign }
        let found = Int(version ?? 0)
        guard found <= migrations.count else { throw .newerSchema(found: found, known: migrations.count) }
    }

    private func copy(_ connection: Connection, version: Int) throws(APIError) {
        let copy = "\(path).before-\(version + 1)"
        try withFiles { () throws(FileError) in
            try PrivateFiles.remove(copy + ".new")
            try PrivateFiles.makeFile(copy + ".new")
        }
        let statement = try connection.prepare("VACUUM INTO ?1")
        statement.bind(1, copy + ".new")
        try statement.run()
        try withFiles { () throws(FileError) in
            try PrivateFiles.replace(copy, by: copy + ".new", in: folder)
        }
    }

    private func withFiles(_ body: () throws(FileError) -> Void) throws(APIError) {
        do throws(FileError) {
            try body()
        } catch {
            options.log(error.description)
            throw .internalError
        }
    }

    private func apply(_ migration: Migration, _ number: Int, _ connection: Connection) throws(APIError) {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(APIError) {
            try connection.execute(migration.sql)
            try connection.execute("PRAGMA application_id = \(Migration.applicationID)")
            try connection.execute("PRAGMA user_version = \(number)")
            try connection.execute("COMMIT")
        } catch {
            if !connection.isIdle { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    /// The writer's transaction on what the file holds.
    func openTransaction(_ indexes: IndexRegistry) throws(StorageOpenError) -> WriteTransaction {
        let connection = try open()
        return try Self.opening { () throws(APIError) in
            try configure(connection, cacheKiB: options.writerCacheKiB)
            try connection.execute("PRAGMA synchronous = \(options.synchronous.rawValue)")
            try connection.execute("PRAGMA wal_autocheckpoint = 10000")
            try connection.execute("PRAGMA journal_size_limit = 67108864")
            if let limit = options.pageLimit { try connection.execute("PRAGMA max_page_count = \(limit)") }
            let loader = CatalogLoader(connection)
            try connection.makeMissingTwins()
            try loader.forgetRetypings()
            try loader.abandonUnfinishedBases()
            let state = try loader.state()
            try loader.indexes(of: state, into: indexes)
            let last = try loader.lastRecordTime()
            return WriteTransaction(
                connection: connection, indexes: indexes, state: state, recordIDs: RecordIDSource(after: last),
                findIndexes: try loader.findIndexes(), linksInTrash: try loader.linksInTrash(),
                pageBytes: options.pageBytes, columnLimit: options.columnLimit)
        }
    }

    func openSessions(
        _ count: Int, _ indexes: IndexRegistry, _ state: StoreState, _ mapping: FileMapping?
    ) throws(StorageOpenError) -> [RecordSession] {
        var sessions: [RecordSession] = []
        for _ in 0..<max(1, count) {
            let connection = try open()
            try Self.opening { () throws(APIError) in
                try configure(connection, cacheKiB: options.cacheKiB)
                try connection.execute("PRAGMA query_only = ON")
                if let mapping { try connection.use(mapping) }
            }
            sessions.append(
                RecordSession(connection: connection, indexes: indexes, state: state, pageBytes: options.pageBytes))
        }
        return sessions
    }

    private func configure(_ connection: Connection, cacheKiB: Int) throws(APIError) {
        try connection.execute("PRAGMA cache_size = -\(cacheKiB)")
        try connection.execute("PRAGMA temp_store = MEMORY")
        try connection.execute("PRAGMA secure_delete = FAST")
        try connection.execute("PRAGMA foreign_keys = ON")
    }

    /// The file in memory; to be made before any connection.
    func map() -> FileMapping? { FileMapping(path: path, limit: options.mappedBytes) }

    /// Gives the folder back without a change to it.
    func release() { lock.release() }

    /// Brings the write-ahead log into the file, when every other connection is closed, and gives the folder back.
    func finish() {
        if let connection = try? open(SQLITE_OPEN_READWRITE) {
            try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        lock.release()
    }

    /// A connection that writes, or one that reads but counts as writing for SQLite's sharing within the process.
    func open(_ flags: Int32 = SQLITE_OPEN_READWRITE) throws(StorageOpenError) -> Connection {
        let isSoleProcess = flags & SQLITE_OPEN_READWRITE != 0
        return try Connection(path: path, flags: flags, isSoleProcess: isSoleProcess, log: options.log)
    }

    static func opening<Value>(_ body: () throws(APIError) -> Value) throws(StorageOpenError) -> Value {
        do throws(APIError) {
            return try body()
        } catch {
            guard error != .internalError else {
                throw .failed(
                    "rowhouse.db cannot be read: it is damaged, or no database; the log says what SQLite found")
            }
            throw .failed("Cannot open the database: \(error.message ?? error.type)")
        }
    }
}
