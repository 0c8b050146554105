import CSQLite
import RowhouseModel

extension SQLiteStorage {
    /// What SQLite's own check finds wrong in a closed folder's file; empty when all is well.
    package static func integrity(folder: String) -> [String] {
        do {
            let connection = try Connection(path: folder + "/rowhouse.db", flags: SQLITE_OPEN_READONLY) { _ in }
            let statement = try connection.prepare("PRAGMA integrity_check")
            var faults: [String] = []
            while try statement.step() { faults.append(statement.text(0)) }
            return faults == ["ok"] ? [] : faults
        } catch {
            return ["\(error)"]
        }
    }
}
