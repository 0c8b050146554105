import RowhouseModel
import Storage
import Synchronization

extension WriteTransaction {
    func insert(_ records: [NewRecord], in table: TableSchema, by user: UserID) throws(APIError) {
        guard !records.isEmpty else { return }
        let physical = try physical(table)
        touch(physical)
        let writerTable = try changing(physical)
        let plan = writePlan(table)
        let statement = try insertStatement(plan, physical)
        let active = try activeIndexes(physical, table)
        let firstChange = plan.modified.filter(\.watchesAll).map { modified in
            (field: modified.field, value: modified.isTime ? StoredCell.integer(time) : .text(user.description))
        }
        var row = IndexedRow(of: table)
        var key: [UInt8] = []
        for record in records {
            let cells = record.cells + firstChange
            let number = writerTable.state.lastRecord &+ 1
            statement.bind(1, number)
            statement.bind(2, record.id.text)
            statement.bind(3, time)
            statement.bind(4, user.description)
            for cell in cells where plan.parameters.indices.contains(cell.field) {
                let parameter = plan.parameters[cell.field]
                if parameter > 0 { statement.bind(parameter, cell.value) }
            }
            try statement.run()
            for cell in cells where plan.links.contains(cell.field) {
                try setLinks(of: number, to: cell.value, field: cell.field, in: table)
            }
            writerTable.state.lastRecord = number
            writerTable.state.records += 1
            noteOrder(of: record.id.text, writerTable)
            // Ids that came from elsewhere may have any time.
            let idTime = Int64(clamping: record.id.text.time)
            if idTime <= recordIDs.lastTime { writerTable.state.lastTime = max(writerTable.state.lastTime, idTime) }
            guard !active.isEmpty else { continue }
            row.set(record.id, number: number, created: time, by: user, cells)
            try add(row, number, to: active, key: &key)
        }
    }

    private func noteOrder(of id: IdentifierText, _ table: WriterTable) {
        if let last = table.state.lastID, id <= last {
            table.state.isInOrder = false
            // Readers must know before they can see the record.
            table.counters.isInOrder.store(false, ordering: .releasing)
        } else {
            table.state.lastID = id
        }
    }

    private func insertStatement(_ plan: TableWritePlan, _ physical: PhysicalTable) throws(APIError) -> Statement {
        let cached = try connection.statements.statement(
            .insert, of: plan.table, fields: []
        ) { () throws(APIError) in
            let columns = plan.kept.map { ", f_\(physical.column(of: plan.table.fields[$0]) ?? 0)" }.joined()
            let values = plan.kept.map { ", ?\(plan.parameters[$0])" }.joined()
            let sql =
                "INSERT INTO t_\(physical.number) (n, id, created, created_by\(columns)) VALUES (?1, ?2, ?3, ?4\(values))"
            return CachedStatement(table: plan.table, fields: [], statement: try connection.prepare(sql))
        }
        guard let cached else { throw .internalError }
        return cached.statement
    }

    /// Changes the cells given; each counts as modified, whatever it held before.
    func update(
        _ id: RecordID, in table: TableSchema, cells: [(field: Int, value: StoredCell)], by user: UserID
    ) throws(APIError) {
        guard !cells.isEmpty else { return }
        try change(id, in: table, cells: cells + modifiedCells(cells, table, by: user), by: user)
    }

    func settle(_ id: RecordID, in table: TableSchema, cell: (field: Int, value: StoredCell)) throws(APIError) {
        try change(id, in: table, cells: [cell], by: nil)
    }

    /// - Parameter user: who modifies the record; nil when that does not count as modifying it.
    private func change(
        _ id: RecordID, in table: TableSchema, cells changed: [(field: Int, value: StoredCell)], by user: UserID?
    ) throws(APIError) {
        let physical = try physical(table)
        touch(physical)
        let affected = try activeIndexes(physical, table).filter { index in
            changed.contains { index.encoder.fields.contains($0.field) }
        }
        let before = try affected.isEmpty ? nil : rows(id, physical, affected)
        let links = writePlan(table).links
        let stored = links.isEmpty ? changed : changed.filter { !links.contains($0.field) }
        let statement = try updateStatement(stored.map(\.field), physical, table)
        statement.bind(1, id.text)
        if let user {
            statement.bind(2, time)
            statement.bind(3, user.description)
        } else {
            statement.bindNull(2)
            statement.bindNull(3)
        }
        for (index, cell) in stored.enumerated() { statement.bind(Int32(index + 4), cell.value) }
        try statement.run()
        guard connection.changes > 0 else { throw .recordDoesNotExist(id.description) }
        noteRetyped(id, changed, physical, table)
        for cell in changed where links.contains(cell.field) {
            guard let number = try number(of: id, in: table) else { throw .internalError }
            try setLinks(of: number, to: cell.value, field: cell.field, in: table)
        }
        guard let before else { return }
        for (index, old) in zip(affected, before.cells) {
            try move(before.number, id, from: old, changing: changed, in: index)
        }
    }

    private func modifiedCells(
        _ cells: [(field: Int, value: StoredCell)], _ table: TableSchema, by user: UserID
    ) -> [(field: Int, value: StoredCell)] {
        writePlan(table).modified.compactMap { modified in
            guard cells.contains(where: { modified.watched.contains($0.field) }) else { return nil }
            return (modified.field, modified.isTime ? .integer(time) : .text(user.description))
        }
    }

    private func updateStatement(
        _ fields: [Int], _ physical: PhysicalTable, _ table: TableSchema
    ) throws(APIError) -> Statement {
        let cached = try connection.statements.statement(
            .update, of: table, fields: fields
        ) { () throws(APIError) in
            var sql =
                "UPDATE t_\(physical.number) SET modified = ifnull(?2, modified), modified_by = ifnull(?3, modified_by)"
            for (index, position) in fields.enumerated() {
                guard table.fields.indices.contains(position),
                    let column = physical.column(of: table.fields[position])
                else { throw .internalError }
                sql += ", f_\(column) = ?\(index + 4)"
            }
            sql += " WHERE id = ?1"
            return CachedStatement(table: table, fields: [], statement: try connection.prepare(sql))
        }
        guard let cached else { throw .internalError }
        return cached.statement
    }
}
