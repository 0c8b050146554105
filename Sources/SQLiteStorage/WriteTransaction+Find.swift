import Platform
import RowhouseModel
import Storage

/// An index for finding records by equal cells: `e_<table>_<column>_…`, kept by SQLite itself.
struct FindIndex: Hashable, Sendable {
    let table: Int
    /// Column numbers with an underscore between two.
    let columns: String

    var name: String { "e_\(table)_\(columns)" }
}

/// The indexes for finding that the committed file has.
final class FindIndexes: Sendable {
    private let known: Guarded<Set<FindIndex>>
    init(_ known: Set<FindIndex>) { self.known = Guarded(known) }

    func contains(_ index: FindIndex) -> Bool { known.withLock { $0.contains(index) } }
    func count(ofTable table: Int) -> Int { known.withLock { $0.count { $0.table == table } } }
    func add(_ index: FindIndex) { known.withLock { _ = $0.insert(index) } }
    func remove(_ index: FindIndex) { known.withLock { _ = $0.remove(index) } }

    /// Those of a table that look at a column.
    func indexes(ofTable table: Int, on column: Int) -> [FindIndex] {
        known.withLock { $0.filter { $0.table == table && $0.columns.split(separator: "_").contains("\(column)") } }
    }
}

extension WriteTransaction {
    /// Above so many records, finding by equal cells makes itself an index.
    static let tableToIndex = 1000
    /// How many such indexes a table has at most; further ways to find read the whole table.
    static let findIndexLimit = 16

    /// Drops the indexes that look at a column, with this transaction.
    func dropFindIndexes(_ physical: PhysicalTable, on column: Int) throws(APIError) {
        for index in findIndexes.indexes(ofTable: physical.number, on: column) {
            try connection.execute("DROP INDEX IF EXISTS \(index.name)")
            let condition = "table_number = \(index.table) AND columns = '\(index.columns)'"
            try connection.execute("DELETE FROM find_indexes WHERE \(condition)")
            let findIndexes = findIndexes
            afterCommit.append { findIndexes.remove(index) }
        }
    }

    /// Makes an index on the fields unless there is one, with this transaction.
    func makeFindIndex(_ fields: [Int], _ physical: PhysicalTable, _ table: TableSchema) throws(APIError) {
        var columns: [Int] = []
        for position in fields {
            guard table.fields.indices.contains(position),
                let column = physical.column(of: table.fields[position]), !columns.contains(column)
            else { continue }
            columns.append(column)
        }
        let index = FindIndex(table: physical.number, columns: columns.sorted().map(String.init).joined(separator: "_"))
        guard !columns.isEmpty, !findIndexes.contains(index),
            findIndexes.count(ofTable: physical.number) < Self.findIndexLimit
        else { return }
        let list = columns.sorted().map { "f_\($0)" }.joined(separator: ", ")
        try connection.execute("CREATE INDEX IF NOT EXISTS \(index.name) ON t_\(physical.number) (\(list))")
        let insert = "INSERT OR IGNORE INTO find_indexes (table_number, columns) VALUES"
        try connection.execute("\(insert) (\(physical.number), '\(index.columns)')")
        let findIndexes = findIndexes
        afterCommit.append { findIndexes.add(index) }
    }
}
