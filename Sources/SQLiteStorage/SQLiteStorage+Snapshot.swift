import CSQLite
import Glibc
import Platform
package import RowhouseModel

extension SQLiteStorage {
    /// How many pages are copied at a time, and after how many such steps they are brought to the disk: at the end there
    /// is not much left that would hold up the writes of others.
    private static let pagesAtOnce: Int32 = 128
    private static let stepsBetweenSyncs = 32

    /// Copies the database as it is at one moment into a new file, which is on the disk when this returns, while others
    /// read and write.
    ///
    /// - Parameter goOn: is told how many bytes of how many are done, and may end the copying.
    /// - Returns: false when it was ended.
    /// - Throws: 507 when there is no more room.
    package func snapshot(to path: String, goOn: (_ done: Int, _ of: Int) -> Bool) throws(APIError) -> Bool {
        do throws(FileError) { try PrivateFiles.makeFile(path) } catch {
            file.options.log(error.description)
            throw error.number == ENOSPC || error.number == EDQUOT ? .storageFull : .internalError
        }
        let target = try opened { () throws(StorageOpenError) in
            try Connection(path: path, flags: SQLITE_OPEN_READWRITE, log: file.options.log)
        }
        // Nothing else will have seen the file when the machine stops half-way.
        try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
        guard try copy(to: target, path, goOn) else { return false }
        // Whoever looks into the copy needs no right to write beside it.
        try target.execute("PRAGMA journal_mode = DELETE")
        target.close()
        try synchronize(path)
        return true
    }

    private func opened(_ body: () throws(StorageOpenError) -> Connection) throws(APIError) -> Connection {
        do throws(StorageOpenError) { return try body() } catch {
            file.options.log(error.description)
            throw .internalError
        }
    }

    private func copy(
        to target: Connection, _ path: String, _ goOn: (_ done: Int, _ of: Int) -> Bool
    ) throws(APIError) -> Bool {
        let source = try opened { () throws(StorageOpenError) in try file.open() }
        try source.execute("PRAGMA query_only = ON; PRAGMA cache_size = -256; BEGIN")
        // The moment of the copy: a transaction begins with its first read.
        let pageSize = Int(try source.integer("PRAGMA page_size") ?? 4096)
        _ = try source.integer("SELECT count(*) FROM counters")
        guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
            throw target.failure(sqlite3_extended_errcode(target.handle), "backup")
        }
        defer { sqlite3_backup_finish(backup) }
        var steps = 0
        while true {
            let code = sqlite3_backup_step(backup, Self.pagesAtOnce)
            let total = Int(sqlite3_backup_pagecount(backup)) * pageSize
            let done = total - Int(sqlite3_backup_remaining(backup)) * pageSize
            guard goOn(done, total) else { return false }
            if code == SQLITE_DONE { return true }
            guard code == SQLITE_OK else { throw target.failure(code, "backup") }
            steps += 1
            if steps % Self.stepsBetweenSyncs == 0 { try synchronize(path) }
        }
    }

    private func synchronize(_ path: String) throws(APIError) {
        do throws(SystemCallError) { try OpenFile(path).synchronize() } catch {
            file.options.log("\(path): \(error.reason)")
            throw error.isFull ? .storageFull : .internalError
        }
    }
}
