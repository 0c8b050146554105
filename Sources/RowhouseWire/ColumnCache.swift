import RowhouseModel
import Synchronization

/// What is prepared for the fields of tables, kept for the newest version of each table that was asked for.
final class ColumnCache: Sendable {
    private struct Entry {
        let table: TableSchema
        let byName: [ColumnEncoder]
        let byID: [ColumnEncoder]

        init(_ table: TableSchema) {
            self.table = table
            byName = table.fields.map { ColumnEncoder(field: $0, byID: false) }
            byID = table.fields.map { ColumnEncoder(field: $0, byID: true) }
        }
    }

    private static let mostTables = 1_000
    private let entries = Mutex<[TableID: Entry]>([:])

    /// The columns of a batch, in the order of its slots.
    func columns(of shape: RecordShape, byID: Bool) -> [ColumnEncoder] {
        let entry = entry(of: shape.table)
        let all = byID ? entry.byID : entry.byName
        return shape.positions.count == all.count && shape.positions.isAscending
            ? all : shape.positions.map { all[$0] }
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

extension [Int] {
    fileprivate var isAscending: Bool { indices.allSatisfy { self[$0] == $0 } }
}
