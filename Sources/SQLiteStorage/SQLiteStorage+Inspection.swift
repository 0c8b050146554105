import CSQLite
package import RowhouseModel
package import Storage

/// Looking inside, for tests and for commands that check a closed folder.
extension SQLiteStorage {
    /// The schema that this version brings folders to.
    package static var schemaVersion: Int { Migration.all.count }

    /// How many pages of the file a write looks at: what it costs, whatever the machine.
    package func pagesUsed(
        by body: @escaping @Sendable (any StorageWriter) throws(APIError) -> Void
    ) throws(APIError) -> Int {
        try write { (writer) throws(APIError) in
            guard let connection = (writer as? WriteTransaction)?.connection else { throw .internalError }
            let before = connection.pageUses
            try body(writer)
            return connection.pageUses - before
        }
    }

    /// What SQLite's own check finds wrong in a closed folder's file; empty when all is well.
    package static func integrity(folder: String) -> [String] {
        let faults = rows("PRAGMA integrity_check", folder: folder)
        return faults == ["ok"] ? [] : faults
    }

    /// The rows of a query on a closed folder's file, values with a bar between two.
    package static func rows(_ sql: String, folder: String, file: String = "rowhouse.db") -> [String] {
        do {
            let connection = try Connection(path: folder + "/" + file, flags: SQLITE_OPEN_READONLY) { _ in }
            let statement = try connection.prepare(sql)
            var rows: [String] = []
            while try statement.step() {
                rows.append((0..<statement.columns).map { statement.text($0) }.joined(separator: "|"))
            }
            return rows
        } catch {
            return ["\(error)"]
        }
    }

    /// Brings a closed folder to a schema with further steps, as a later version will.
    package static func upgrade(folder: String, adding steps: [String]) throws(StorageOpenError) {
        let migrations = Migration.all + steps.map { Migration(sql: $0) }
        let file = try DatabaseFile(folder: folder, options: Options(), migrations: migrations)
        try file.bringUpToDate()
        file.finish()
    }
}
