import RowhouseModel
import Synchronization

/// What is prepared for the fields of tables, kept for the newest version of each table that was asked for.
final class ColumnCache: Sendable {
    private struct Entry {
        let table: TableSchema
        let byName: PreparedColumns
        let byID: PreparedColumns

        init(_ table: TableSchema) {
            self.table = table
            byName = PreparedColumns(fields: table.fields, byID: false)
            byID = PreparedColumns(fields: table.fields, byID: true)
        }
    }

    private static let mostTables = 1_000
    private let entries = Mutex<[TableID: Entry]>([:])

    /// The columns of a batch, in the order of its slots.
    func columns(of shape: RecordShape, byID: Bool) -> PreparedColumns {
        let entry = entry(of: shape.table)
        return (byID ? entry.byID : entry.byName).selecting(shape.positions)
    }

    private func entry(of table: TableSchema) -> Entry {
        if let entry = entries.withLock({ $0[table.id] }), entry.table === table { return entry }
        let entry = Entry(table)
        entries.withLock { entries in
            if entries.count >= Self.mostTables { entries.removeAll() }
            entries[table.id] = entry
        }
        return entry
    }
}
