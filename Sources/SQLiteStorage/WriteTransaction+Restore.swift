import RowhouseModel
import Storage
import Synchronization

extension WriteTransaction {
    func restore(_ records: [TrashEntry], in table: TableSchema) throws(APIError) {
        guard !records.isEmpty else { return }
        let physical = try physical(table)
        touch(physical)
        for side in physical.links.values { touch(linkedTable: side.linkedTable) }
        let writerTable = try changing(physical)
        let active = try activeIndexes(physical, table)
        let statements = try RestoringStatements(table: physical.number, on: connection)
        for entry in records {
            let id = RecordID(text: entry.id)
            guard let number = try statements.number(ofEntry: entry.number) else { throw .modelNotFound("Record") }
            guard try self.number(of: id, in: table) == nil else {
                throw .invalidRequest("There is a record with the id \(id) in the table again.")
            }
            try clearGoneChoices(of: number, in: table, physical)
            try statements.move(number)
            for end in physical.ends { try restoreLinks(of: number, end) }
            try restorePlaces(of: number, physical)
            noteRetyped(id, physical, table)
            try noteOrder(of: entry.id, number, physical, writerTable)
            writerTable.state.records += 1
            for index in active {
                let fields = index.encoder.fields
                guard let batch = try record(id, in: table, fields: fields) else { throw .internalError }
                let cells = fields.indices.map { batch.cell(record: 0, field: $0) }
                try insert(index.encoder.key(of: id, cells: cells), number, into: index)
            }
            try noteRestored(entry, named: entry.name)
        }
    }

    /// Keeps `isInOrder` true to the facts: the record stands among others by its old number, and those made since it
    /// went were only compared with what was there.
    private func noteOrder(
        of id: IdentifierText, _ number: Int64, _ physical: PhysicalTable, _ table: WriterTable
    ) throws(APIError) {
        table.state.lastID = max(table.state.lastID ?? id, id)
        guard table.state.isInOrder else { return }
        let statement = try connection.prepare(
            """
            SELECT coalesce((SELECT id FROM t_\(physical.number) WHERE n < ?1 ORDER BY n DESC LIMIT 1) < ?2, 1)
            AND coalesce((SELECT id FROM t_\(physical.number) WHERE n > ?1 ORDER BY n LIMIT 1) > ?2, 1)
            """)
        statement.bind(1, number)
        statement.bind(2, id)
        guard try statement.step(), statement.integer(0) == 0 else { return }
        table.state.isInOrder = false
        // Readers must know before they can see the record.
        table.counters.isInOrder.store(false, ordering: .releasing)
    }

    private func restorePlaces(of record: Int64, _ physical: PhysicalTable) throws(APIError) {
        for view in physical.views.values {
            // A place that is taken leaves the record at that of its id.
            let columns = "(view, record, place)"
            try connection.execute(
                """
                INSERT OR IGNORE INTO places \(columns)
                SELECT view, record, place FROM trash_places WHERE view = \(view) AND record = \(record);
                DELETE FROM trash_places WHERE view = \(view) AND record = \(record);
                """)
        }
    }

    /// Puts back the links of a record whose other record is there; the rest waits for that one. Their places are
    /// free: whatever was linked meanwhile came after them.
    private func restoreLinks(of record: Int64, _ end: LinkEnd) throws(APIError) {
        let tables = try connection.prepare("SELECT a_table, b_table FROM links WHERE number = ?1")
        tables.bind(1, end.number)
        guard try tables.step() else { throw .internalError }
        let (a, b) = (tables.int(0), tables.int(1))
        tables.reset()
        let condition =
            """
            link = \(end.number) AND \(end.column.rawValue) = \(record)
            AND EXISTS (SELECT 1 FROM t_\(a) AS x WHERE x.n = a) AND EXISTS (SELECT 1 FROM t_\(b) AS y WHERE y.n = b)
            """
        try connection.execute(
            """
            INSERT INTO l_\(end.number) (a, pa, b, pb) SELECT a, pa, b, pb FROM trash_links WHERE \(condition);
            DELETE FROM trash_links WHERE \(condition);
            """)
    }
}

/// Moves deleted records of one table back.
private struct RestoringStatements {
    private let find: Statement
    private let copy: Statement
    private let remove: Statement

    init(table: Int, on connection: Connection) throws(APIError) {
        find = try connection.prepare(
            """
            SELECT e.record FROM trash AS e JOIN d_\(table) AS d ON d.n = e.record
            WHERE e.number = ?1 AND e.state = \(TrashState.kept) AND e.table_number = \(table)
            """)
        copy = try connection.prepare("INSERT INTO t_\(table) SELECT * FROM d_\(table) WHERE n = ?1")
        remove = try connection.prepare("DELETE FROM d_\(table) WHERE n = ?1")
    }

    /// The number of the record of an entry; nil when it is not in the trash.
    func number(ofEntry entry: Int64) throws(APIError) -> Int64? {
        defer { find.reset() }
        find.bind(1, entry)
        return try find.step() ? find.integer(0) : nil
    }

    /// Puts a record among the others.
    func move(_ number: Int64) throws(APIError) {
        for statement in [copy, remove] {
            statement.bind(1, number)
            try statement.run()
        }
    }
}
