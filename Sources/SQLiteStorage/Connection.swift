import CSQLite
import Glibc
import RowhouseModel

/// One connection to the database file, used by one thread at a time, with its prepared statements.
final class Connection {
    private(set) var handle: OpaquePointer?
    let statements = StatementCache()
    private var mapping: FileMapping?
    private var mappedMethods: UnsafeMutableRawPointer?
    private(set) var lastError: APIError?
    private let log: @Sendable (String) -> Void
    private var fixed = [Statement?](repeating: nil, count: FixedStatement.allCases.count)

    /// What holds for all connections, set before the first.
    private static let configuration: Void = rowhouse_count_no_memory()

    /// Opens a database file.
    ///
    /// With `isSoleProcess` no other process can open it meanwhile, which spares two calls of the operating system
    /// for each read: the index of the write-ahead log is then in this process's memory.
    init(
        path: String, flags: Int32, isSoleProcess: Bool = false, log: @escaping @Sendable (String) -> Void
    ) throws(StorageOpenError) {
        Self.configuration
        var handle: OpaquePointer?
        let system = isSoleProcess ? "unix-excl" : nil
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, system)
        guard code == SQLITE_OK, let handle else {
            let text = String(cString: sqlite3_errstr(code))
            sqlite3_close_v2(handle)
            throw .failed("Cannot open \(path): \(text)")
        }
        self.handle = handle
        self.log = log
        sqlite3_extended_result_codes(handle, 1)
        rowhouse_refuse_double_quoted_text(handle)
        sqlite3_busy_timeout(handle, 5000)
    }

    deinit { close() }

    /// Finishes all cached statements and closes; every later use fails.
    func close() {
        statements.removeAll()
        for index in fixed.indices { fixed[index] = nil }
        // With a statement still open, SQLite keeps the connection and all it uses until that is finished.
        let isClosed = sqlite3_close(handle) == SQLITE_OK
        if !isClosed { sqlite3_close_v2(handle) }
        handle = nil
        if isClosed { free(mappedMethods) }
        mappedMethods = nil
    }

    /// Reads the file through the mapping from now on.
    func use(_ mapping: FileMapping) throws(APIError) {
        try execute("PRAGMA mmap_size = \(mapping.limit)")
        mappedMethods = rowhouse_use_mapping(handle, mapping.pointer)
        self.mapping = mapping
    }

    /// Whether no transaction is open (also after SQLite has rolled one back by itself).
    var isIdle: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// How many records the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// Runs statements without values.
    func execute(_ sql: String) throws(APIError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, sql) }
    }

    func prepare(_ sql: String) throws(APIError) -> Statement {
        guard let statement = tryPrepare(sql) else { throw failure(sqlite3_extended_errcode(handle), sql) }
        return statement
    }

    /// The statement, or nil when the database does not have what it names.
    func tryPrepare(_ sql: String) -> Statement? {
        var pointer: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        guard sqlite3_prepare_v3(handle, sql, -1, flags, &pointer, nil) == SQLITE_OK, let pointer else { return nil }
        return Statement(pointer, of: self)
    }

    /// The statement, prepared on first use.
    func statement(_ fixed: FixedStatement) throws(APIError) -> Statement {
        if let statement = self.fixed[fixed.rawValue] { return statement }
        let statement = try prepare(fixed.sql)
        self.fixed[fixed.rawValue] = statement
        return statement
    }

    /// Runs a fixed statement that answers nothing.
    func run(_ fixed: FixedStatement) throws(APIError) {
        let statement = try statement(fixed)
        defer { statement.reset() }
        _ = try statement.step()
    }

    /// The first column of the first answer, as a number.
    func integer(_ sql: String) throws(APIError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The error a caller sees; what it hides goes to the log, without values.
    func failure(_ code: Int32, _ sql: String) -> APIError {
        let error = Self.error(code, system: sqlite3_system_errno(handle))
        lastError = error
        log("SQLite \(code): \(String(cString: sqlite3_errmsg(handle))) in: \(sql.prefix(300))")
        return error
    }

    private static func error(_ code: Int32, system: Int32) -> APIError {
        switch code & 0xFF {
        case SQLITE_FULL: .storageFull
        case SQLITE_BUSY, SQLITE_LOCKED: .retriable
        case SQLITE_IOERR where system == ENOSPC || system == EDQUOT: .storageFull
        default: .internalError
        }
    }
}

extension Connection {
    /// The number of the row inserted last.
    var lastRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

    /// How often this connection has looked at a page so far.
    var pageUses: Int { status(SQLITE_DBSTATUS_CACHE_HIT) + status(SQLITE_DBSTATUS_CACHE_MISS) }

    private func status(_ code: Int32) -> Int {
        var current: Int32 = 0
        var highest: Int32 = 0
        return sqlite3_db_status(handle, code, &current, &highest, 0) == SQLITE_OK ? Int(current) : 0
    }
}
