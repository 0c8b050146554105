import RowhouseModel
import Storage

/// A deleted record goes from its table to the table's twin `d_<number>`, its links to `trash_links` and its places in
/// orders by hand to `trash_places`: nothing that reads or lists records has to look past it.
extension WriteTransaction {
    func delete(
        _ records: [(id: RecordID, name: String)], in table: TableSchema, by user: UserID
    ) throws(APIError) {
        guard !records.isEmpty else { return }
        let physical = try physical(table)
        touch(physical)
        let writerTable = try changing(physical)
        let active = try activeIndexes(physical, table)
        let keep = try keepStatement(physical, table)
        let remove = try deleteStatement(physical, table)
        var deletion: Int64?
        for (id, name) in records {
            guard let number = try number(of: id, in: table) else { throw .recordDoesNotExist(id.description) }
            let before = try active.isEmpty ? nil : rows(id, physical, active)
            try keepPlaces(of: number, physical, table)
            try keepLinks(of: number, in: table)
            keep.bind(1, number)
            try keep.run()
            remove.bind(1, number)
            try remove.run()
            let entry = try noteDeletion(of: id, number, name, physical, table, user, deletion)
            deletion = deletion ?? entry
            noteRetyped(id, physical, table)
            writerTable.state.records -= 1
            guard let before else { continue }
            for (index, old) in zip(active, before.cells) { try self.remove(number, id, old, from: index) }
        }
    }

    private func keepStatement(_ physical: PhysicalTable, _ table: TableSchema) throws(APIError) -> Statement {
        let cached = try connection.statements.statement(.keep, of: table, fields: []) { () throws(APIError) in
            let sql = "INSERT INTO d_\(physical.number) SELECT * FROM t_\(physical.number) WHERE n = ?1"
            return CachedStatement(table: table, fields: [], statement: try connection.prepare(sql))
        }
        guard let cached else { throw .internalError }
        return cached.statement
    }

    private func deleteStatement(_ physical: PhysicalTable, _ table: TableSchema) throws(APIError) -> Statement {
        let cached = try connection.statements.statement(.delete, of: table, fields: []) { () throws(APIError) in
            let sql = "DELETE FROM t_\(physical.number) WHERE n = ?1"
            return CachedStatement(table: table, fields: [], statement: try connection.prepare(sql))
        }
        guard let cached else { throw .internalError }
        return cached.statement
    }

    private func noteDeletion(
        of id: RecordID, _ number: Int64, _ name: String, _ physical: PhysicalTable, _ table: TableSchema,
        _ user: UserID, _ deletion: Int64?
    ) throws(APIError) -> Int64 {
        let statement = try connection.statement(.addToTrash)
        statement.bind(1, TrashEntry.Kind.record.rawValue)
        statement.bind(2, id.text)
        statement.bind(3, table.base.text)
        statement.bind(4, table.id.text)
        statement.bind(5, physical.number)
        statement.bind(6, number)
        if let deletion { statement.bind(7, deletion) }
        statement.bind(8, name)
        statement.bind(9, time)
        statement.bind(10, user.text)
        try statement.run()
        return Int64(connection.lastRow)
    }

    /// Takes a record that goes out of every cell.
    private func keepLinks(of record: Int64, in table: TableSchema) throws(APIError) {
        let physical = try physical(table)
        for side in physical.links.values { touch(linkedTable: side.linkedTable) }
        for end in physical.ends {
            let side = LinkSide(number: end.number, column: end.column, linkedTable: 0)
            let keep = try linkStatement(.keepAll, side, table)
            keep.bind(1, record)
            try keep.run()
            guard connection.changes > 0 else { continue }
            linksInTrash.insert(end.number)
            try clear(record, end.number, end.column, table)
        }
    }

    private func keepPlaces(of record: Int64, _ physical: PhysicalTable, _ table: TableSchema) throws(APIError) {
        for view in table.views where view.isManuallyOrdered {
            guard let view = physical.views[view.id] else { continue }
            let statements = [
                (
                    StatementShape.keepPlace(view: view),
                    """
                    INSERT OR REPLACE INTO trash_places (view, record, place)
                    SELECT view, record, place FROM places WHERE view = \(view) AND record = ?1
                    """
                ),
                (.forgetPlace(view: view), "DELETE FROM places WHERE view = \(view) AND record = ?1"),
            ]
            for (shape, sql) in statements {
                let cached = try connection.statements.statement(shape, of: table, fields: []) { () throws(APIError) in
                    CachedStatement(table: table, fields: [], statement: try connection.prepare(sql))
                }
                guard let statement = cached?.statement else { throw .internalError }
                statement.bind(1, record)
                try statement.run()
            }
        }
    }

    /// Notes a record that goes or comes while fields of its table are being changed to other types.
    func noteRetyped(_ id: RecordID, _ physical: PhysicalTable, _ table: TableSchema) {
        for column in fillingColumns.columns(ofTable: physical.number) { retyped.append((column, id)) }
    }
}
