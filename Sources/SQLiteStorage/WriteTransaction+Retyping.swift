import RowhouseModel
import Storage

/// A field gets another type in three steps: a column of its own is made for the converted cells, filled by small
/// writes while the old cells stay in use, and put in place by one last write. Records that are changed meanwhile are
/// noted and converted again. The old column stays as it was, out of sight.
extension WriteTransaction {
    /// One write converts no more than so many bytes of text.
    private static let retypingBytes = 1 << 20

    func beginRetyping(
        _ field: FieldID, to type: FieldType, in table: TableSchema
    ) throws(APIError) -> FieldRetyping {
        let physical = try physical(table)
        guard !fillingColumns.columns(ofTable: physical.number).contains(where: { $0.field == field }) else {
            throw .retriable
        }
        let free = try freeColumn(field, type, physical)
        let number = if let free { free } else { try newColumn(field, type, physical) }
        let column = FillingColumn(number: number, field: field)
        let columns = fillingColumns
        afterCommit.append { columns.add(column, table: physical.number) }
        return FieldRetyping(field: field, table: table.id, place: number)
    }

    /// A column of a change that was given up; whatever it holds is overwritten.
    private func freeColumn(_ field: FieldID, _ type: FieldType, _ physical: PhysicalTable) throws(APIError) -> Int? {
        let statement = try connection.prepare(
            """
            UPDATE fields SET id = ?3, type = ?4, is_retired = \(ColumnState.filling) WHERE number = (
                SELECT min(number) FROM fields WHERE table_number = ?1 AND kept = ?2 AND is_retired = \(ColumnState.free)
            ) RETURNING number
            """)
        statement.bind(1, physical.number)
        statement.bind(2, type.kept.name)
        statement.bind(3, field.text)
        statement.bind(4, type.rawValue)
        return try statement.step() ? statement.int(0) : nil
    }

    private func newColumn(_ field: FieldID, _ type: FieldType, _ physical: PhysicalTable) throws(APIError) -> Int {
        let statement = try connection.prepare(
            """
            INSERT INTO fields (id, table_number, position, name, type, kept, options, created, deleted, is_retired)
            VALUES (?1, ?2, 0, '', ?3, ?4, '{}', ?5, ?5, \(ColumnState.filling))
            """)
        statement.bind(1, field.text)
        statement.bind(2, physical.number)
        statement.bind(3, type.rawValue)
        statement.bind(4, type.kept.name)
        statement.bind(5, time)
        try statement.run()
        let number = connection.lastRow
        try addColumn(number, type, table: physical.number)
        return number
    }

    func convert(
        _ retyping: FieldRetyping, in table: TableSchema, limit: Int, _ convert: (StoredCell) -> StoredCell
    ) throws(APIError) -> Bool {
        let physical = try physical(table)
        guard let column = fillingColumns.column(retyping.place), let position = table.index(of: retyping.field),
            let old = physical.column(of: table.fields[position])
        else { throw .retriable }
        let work = column.work(limit)
        let inThisGroup = retyped.filter { $0.column === column }.map(\.record)
        let cells = try CellColumns(
            "t_\(physical.number)", from: old, to: column.number, on: connection, find: "id = ?1")
        let deleted = try CellColumns(
            "d_\(physical.number)", from: old, to: column.number, on: connection,
            find: "n IN (SELECT record FROM trash WHERE id = ?1 AND table_number = \(physical.number))")
        for id in Set(work.changed + inThisGroup) {
            try cells.convert(id, upTo: work.last, convert)
            try deleted.convert(id, upTo: work.lastDeleted, convert)
        }
        let left = max(1, limit - work.changed.count)
        var (last, isAtEnd) = try cells.convert(after: work.last, limit: left, bytes: Self.retypingBytes, convert)
        var lastDeleted = work.lastDeleted
        if isAtEnd {
            (lastDeleted, isAtEnd) = try deleted.convert(
                after: work.lastDeleted, limit: left, bytes: Self.retypingBytes, convert)
        }
        afterCommit.append { [last, lastDeleted] in
            column.advance(to: last, deleted: lastDeleted, done: work.changed)
        }
        return isAtEnd && work.isAll
    }

    func finishRetyping(_ retyping: FieldRetyping, in table: TableSchema) throws(APIError) {
        let physical = try physical(table)
        guard fillingColumns.column(retyping.place) != nil, let position = table.index(of: retyping.field),
            let old = physical.column(of: table.fields[position])
        else { throw .retriable }
        touch(physical)
        try dropFindIndexes(physical, on: old)
        try dropIndexes(physical) { $0.definition.keys.contains { $0.field == retyping.field } }
        try connection.execute(
            "UPDATE fields SET deleted = \(time), is_retired = \(ColumnState.retired) WHERE number = \(old)")
        try connection.execute("UPDATE fields SET is_retired = \(ColumnState.live) WHERE number = \(retyping.place)")
        forget(retyping)
    }

    func abandonRetyping(_ retyping: FieldRetyping) throws(APIError) {
        let condition = "number = \(retyping.place) AND is_retired = \(ColumnState.filling)"
        try connection.execute("UPDATE fields SET is_retired = \(ColumnState.free) WHERE \(condition)")
        forget(retyping)
    }

    private func forget(_ retyping: FieldRetyping) {
        let columns = fillingColumns
        afterCommit.append { columns.remove(retyping.place) }
    }

    /// Notes a record whose cells were changed, if one of them is being converted.
    func noteRetyped(
        _ id: RecordID, _ cells: [(field: Int, value: StoredCell)], _ physical: PhysicalTable, _ table: TableSchema
    ) {
        for column in fillingColumns.columns(ofTable: physical.number)
        where cells.contains(where: { table.fields[$0.field].id == column.field }) {
            retyped.append((column, id))
        }
    }
}

/// Two columns of one table: cells are read from one and written, converted, to the other.
private struct CellColumns {
    private let byID: Statement
    private let next: Statement
    private let update: Statement

    /// - Parameter find: the condition for a record of the id that is parameter 1.
    init(
        _ table: String, from old: Int, to new: Int, on connection: Connection, find: String
    ) throws(APIError) {
        byID = try connection.prepare("SELECT n, f_\(old) FROM \(table) WHERE \(find) AND n <= ?2")
        next = try connection.prepare("SELECT n, f_\(old) FROM \(table) WHERE n > ?1 ORDER BY n LIMIT ?2")
        update = try connection.prepare("UPDATE \(table) SET f_\(new) = ?2 WHERE n = ?1")
    }

    /// Converts one record if it is among those up to a number; later ones are still to come.
    func convert(_ id: RecordID, upTo last: Int64, _ convert: (StoredCell) -> StoredCell) throws(APIError) {
        defer { byID.reset() }
        byID.bind(1, id.text)
        byID.bind(2, last)
        guard try byID.step() else { return }
        try put(convert(byID.cell(1)), byID.integer(0))
    }

    /// Converts records in their order; the number of the last, and whether there are no more.
    func convert(
        after start: Int64, limit: Int, bytes: Int, _ convert: (StoredCell) -> StoredCell
    ) throws(APIError) -> (last: Int64, isAtEnd: Bool) {
        next.bind(1, start)
        next.bind(2, limit)
        var cells: [(number: Int64, cell: StoredCell)] = []
        var size = 0
        while size < bytes, try next.step() {
            let cell = next.cell(1)
            if case .text(let text) = cell { size += text.utf8.count }
            cells.append((next.integer(0), cell))
        }
        next.reset()
        for (number, cell) in cells { try put(convert(cell), number) }
        return (cells.last?.number ?? start, cells.count < limit && size < bytes)
    }

    private func put(_ cell: StoredCell, _ number: Int64) throws(APIError) {
        update.bind(1, number)
        update.bind(2, cell)
        try update.run()
    }
}
