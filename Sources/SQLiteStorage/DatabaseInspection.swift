import CSQLite
import Platform
package import RowhouseModel

/// Looks into a database as it is at one moment, and changes nothing. Used by one thread at a time.
package final class DatabaseInspection {
    let connection: Connection
    /// The schema that the file has; 0 for none of ours.
    package let schemaVersion: Int
    /// Holds the folder as long as it is looked into; nil when this process holds it anyway, or for a file by itself.
    private let file: DatabaseFile?

    private init(_ connection: Connection, file: DatabaseFile? = nil) throws(StorageOpenError) {
        self.connection = connection
        self.file = file
        schemaVersion = try DatabaseFile.opening { () throws(APIError) in
            try connection.execute("PRAGMA query_only = ON; PRAGMA cache_size = -8192; BEGIN")
            guard try connection.integer("PRAGMA application_id") == Migration.applicationID else { return 0 }
            return Int(try connection.integer("PRAGMA user_version") ?? 0)
        }
        guard schemaVersion > 0 else { throw .foreign }
        guard schemaVersion <= Migration.all.count else {
            throw .newerSchema(found: schemaVersion, known: Migration.all.count)
        }
    }

    deinit {
        connection.close()
        file?.release()
    }

    /// Looks into a file that nobody writes to, such as the copy in a backup.
    package static func copy(
        _ path: String, log: @escaping @Sendable (String) -> Void
    ) throws(StorageOpenError) -> DatabaseInspection {
        try DatabaseInspection(try Connection(path: path, flags: SQLITE_OPEN_READONLY, log: log))
    }

    /// Looks into a folder, which is held meanwhile.
    ///
    /// - Throws: `held` when another process has it.
    package static func folder(
        _ path: String, log: @escaping @Sendable (String) -> Void
    ) throws(StorageOpenError) -> DatabaseInspection {
        var options = SQLiteStorage.Options()
        options.log = log
        let file = try DatabaseFile(folder: path, options: options)
        // What a crash left in the write-ahead log stays there; an empty one goes again.
        let hasLog = (PrivateFiles.size(file.path + "-wal") ?? 0) > 0
        let connection = try file.open()
        if hasLog { rowhouse_keep_log(connection.handle) }
        return try DatabaseInspection(connection, file: file)
    }

    /// Looks into the database of an open store.
    static func live(_ file: DatabaseFile) throws(StorageOpenError) -> DatabaseInspection {
        try DatabaseInspection(try file.open())
    }

    /// Ends the moment: what is asked from now on is of the time when it is asked, and the write-ahead log of a running
    /// server is held no longer.
    package func letGo() throws(APIError) { try connection.execute("ROLLBACK") }

    /// What SQLite's own check finds, at most a hundred faults; empty when all is well. That the check does not come to
    /// its end is a fault too.
    package func integrityFaults() -> [String] {
        var faults: [String] = []
        do throws(APIError) {
            let statement = try connection.prepare("PRAGMA integrity_check")
            while try statement.step() { faults.append(statement.text(0)) }
        } catch {
            if faults.isEmpty { faults.append(String(cString: sqlite3_errmsg(connection.handle))) }
        }
        return faults == ["ok"] ? [] : faults
    }

    /// Runs `body` and asks every now and then whether to go on; what runs when the answer is no fails.
    package func asking<Value, Failure: Error>(
        _ goOn: () -> Bool, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try withoutActuallyEscaping(goOn) { (goOn) throws(Failure) in
            let question = Question(goOn)
            let callback: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
                guard let context else { return 0 }
                return Unmanaged<Question>.fromOpaque(context).takeUnretainedValue().goOn() ? 0 : 1
            }
            sqlite3_progress_handler(
                connection.handle, Self.stepsBetweenQuestions, callback, Unmanaged.passUnretained(question).toOpaque())
            defer {
                sqlite3_progress_handler(connection.handle, 0, nil, nil)
                withExtendedLifetime(question) {}
            }
            return try body()
        }
    }

    /// Of SQLite's machine: some milliseconds.
    private static let stepsBetweenQuestions: Int32 = 200_000

    private final class Question {
        let goOn: () -> Bool
        init(_ goOn: @escaping () -> Bool) { self.goOn = goOn }
    }

    /// How many bytes the pages of the database take.
    package func size() throws(APIError) -> Int {
        Int(try connection.integer("PRAGMA page_count") ?? 0) * Int(try connection.integer("PRAGMA page_size") ?? 0)
    }

    /// The folder's own secret.
    package func secret() throws(APIError) -> [UInt8] {
        let statement = try connection.prepare("SELECT value FROM secrets WHERE name = 'signing'")
        return try statement.step() ? statement.bytes(0) : []
    }

    // MARK: files

    /// Files that attachments name, each once, in the order of the hashes: the next thousand.
    package func files(after last: FileHash?) throws(APIError) -> [(hash: FileHash, size: Int)] {
        guard schemaVersion >= 4 else { return [] }
        let statement = try connection.prepare(
            """
            SELECT hash, max(size) FROM attachments WHERE hash IS NOT NULL AND hash > ?1
            GROUP BY hash ORDER BY hash LIMIT 1000
            """)
        statement.bind(1, last?.description ?? "")
        var files: [(hash: FileHash, size: Int)] = []
        while try statement.step() {
            guard let hash = FileHash(statement.text(0)) else { throw .internalError }
            files.append((hash, statement.int(1)))
        }
        return files
    }

    /// How many files attachments name, and their bytes.
    package func fileTotals() throws(APIError) -> (count: Int, bytes: Int) {
        guard schemaVersion >= 4 else { return (0, 0) }
        return try pair(
            """
            SELECT count(*), coalesce(sum(size), 0) FROM (
                SELECT max(size) AS size FROM attachments WHERE hash IS NOT NULL GROUP BY hash)
            """)
    }

    /// Whether an attachment names the file.
    package func isNamed(_ file: FileHash) throws(APIError) -> Bool {
        guard schemaVersion >= 4 else { return false }
        let statement = try connection.statement(.isAttached)
        defer { statement.reset() }
        statement.bind(1, file.description)
        return try statement.step()
    }
}

extension SQLiteStorage {
    /// Looks into the database as it is now, while others read and write.
    package func inspection() throws(StorageOpenError) -> DatabaseInspection { try DatabaseInspection.live(file) }
}
