import Platform
import RowhouseModel

/// What the column of a saved field is there for (`fields.is_retired`).
enum ColumnState {
    /// Its field's cells, also when that is deleted.
    static let live = 0
    /// The cells that a field had under an earlier type.
    static let retired = 1
    /// The cells that a field will have under a later type.
    static let filling = 2
    /// Nothing: the change of type that it was for was given up.
    static let free = 3
}

/// A column that is being filled with the cells that a field will have under another type.
final class FillingColumn: Sendable {
    private struct State {
        /// Records up to this number are converted,
        var last: Int64 = 0
        /// save those that were changed since.
        var changed: Set<RecordID> = []
        /// Likewise among the deleted records.
        var lastDeleted: Int64 = 0
    }
    let number: Int
    let field: FieldID
    private let state = Guarded(State())

    init(number: Int, field: FieldID) {
        self.number = number
        self.field = field
    }

    /// Notes that a commit has changed a cell.
    func noteWritten(_ record: RecordID) { state.withLock { _ = $0.changed.insert(record) } }

    /// Where to go on, and up to so many records to look at again.
    func work(_ limit: Int) -> (last: Int64, lastDeleted: Int64, changed: [RecordID], isAll: Bool) {
        state.withLock { ($0.last, $0.lastDeleted, Array($0.changed.prefix(limit)), $0.changed.count <= limit) }
    }

    /// Notes what a commit has converted.
    func advance(to last: Int64, deleted: Int64, done: [RecordID]) {
        state.withLock { state in
            state.last = last
            state.lastDeleted = deleted
            state.changed.subtract(done)
        }
    }
}

/// The columns being filled, by the number of their table.
final class FillingColumns: Sendable {
    private let known = Guarded<[Int: [FillingColumn]]>([:])

    func columns(ofTable number: Int) -> [FillingColumn] { known.withLock { $0[number] ?? [] } }

    func column(_ number: Int) -> FillingColumn? {
        known.withLock { known in known.values.joined().first { $0.number == number } }
    }

    func add(_ column: FillingColumn, table: Int) { known.withLock { $0[table, default: []].append(column) } }

    func remove(_ number: Int) {
        known.withLock { known in
            for table in known.keys { known[table]?.removeAll { $0.number == number } }
            known = known.filter { !$0.value.isEmpty }
        }
    }
}
