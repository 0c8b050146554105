import RowhouseJSON
import RowhouseModel
import Storage

/// Fields, tables and bases in the trash: hidden where they are, each hidden field with the number of the entry that
/// it comes back with (`fields.trash`).
extension WriteTransaction {
    func addToTrash(_ entry: NewTrashEntry) throws(APIError) {
        let statement = try connection.statement(.addToTrash)
        statement.bind(1, entry.kind.rawValue)
        statement.bind(2, entry.id)
        statement.bind(3, entry.base.text)
        if let table = entry.table {
            statement.bind(4, table.text)
            statement.bind(5, try tableNumber(table))
        }
        statement.bind(8, entry.name)
        statement.bind(9, time)
        statement.bind(10, entry.user.text)
        try statement.run()
        try leave(entry.fields, withEntry: Int64(connection.lastRow))
    }

    func leave(_ fields: [FieldPlace], with entry: TrashEntry) throws(APIError) {
        try leave(fields, withEntry: entry.number)
    }

    private func leave(_ fields: [FieldPlace], withEntry number: Int64) throws(APIError) {
        let statement = try connection.prepare(
            """
            UPDATE fields SET trash = ?1
            WHERE table_number = ?2 AND id = ?3 AND deleted IS NOT NULL AND is_retired = \(ColumnState.live)
            """)
        for place in fields {
            statement.bind(1, number)
            statement.bind(2, try tableNumber(place.table))
            statement.bind(3, place.field.text)
            try statement.run()
        }
    }

    private func tableNumber(_ table: TableID) throws(APIError) -> Int {
        let statement = try connection.prepare("SELECT number FROM tables WHERE id = ?1")
        statement.bind(1, table.text)
        guard try statement.step() else { throw .internalError }
        return statement.int(0)
    }

    func hiddenFields(of entry: TrashEntry) throws(APIError) -> [HiddenField] {
        let statement = try connection.prepare(
            """
            SELECT t.id, f.id, f.name, f.type, f.options, f.description, f.position
            FROM fields AS f JOIN tables AS t ON t.number = f.table_number
            WHERE f.trash = ?1 AND f.deleted IS NOT NULL AND f.is_retired = \(ColumnState.live) ORDER BY f.position, f.number
            """)
        statement.bind(1, entry.number)
        var fields: [HiddenField] = []
        while try statement.step() {
            guard let type = FieldType(rawValue: statement.text(3)),
                let json = try? JSONParser.parse(statement.bytes(4)), let options = FieldOptions(stored: json)
            else { throw .internalError }
            let field = Field(
                id: FieldID(text: statement.identifier(1)), name: statement.text(2), type: type, options: options,
                description: statement.optionalText(5))
            fields.append(
                HiddenField(table: TableID(text: statement.identifier(0)), field: field, position: statement.int(6)))
        }
        return fields
    }

    func noteRestored(_ entry: TrashEntry, named name: String) throws(APIError) {
        let statement = try connection.statement(.restored)
        statement.bind(1, entry.number)
        statement.bind(2, name)
        try statement.run()
        if entry.kind != .record {
            try connection.execute("UPDATE fields SET trash = NULL WHERE trash = \(entry.number)")
        }
    }

    // MARK: tables and bases

    func restoreTable(_ id: TableID, in base: BaseID, named name: String) throws(APIError) -> TableSchema {
        guard let schema = state.schema.base(base) else { throw .modelNotFound("Base") }
        let statement = try connection.prepare(
            """
            UPDATE tables SET deleted = NULL, name = ?2, version = version + 1
            WHERE id = ?1 AND deleted IS NOT NULL AND is_purged = 0
            """)
        statement.bind(1, id.text)
        statement.bind(2, name)
        try statement.run()
        guard connection.changes == 1, let table = try load(base).table(id) else { throw .modelNotFound("Table") }
        let number = try tableNumber(id)
        let later = schema.tables.firstIndex { (state.catalog.tables[$0.id]?.number ?? 0) > number }
        try setSchema(state.schema.replacing(schema.inserting(table, at: later ?? schema.tables.count)))
        return table
    }

    func restoreBase(_ id: BaseID) throws(APIError) -> BaseSchema {
        let statement = try connection.prepare(
            "UPDATE bases SET deleted = NULL WHERE id = ?1 AND deleted IS NOT NULL RETURNING number")
        statement.bind(1, id.text)
        guard try statement.step() else { throw .modelNotFound("Base") }
        let number = statement.int(0)
        statement.reset()
        let base = try load(id)
        let place = try connection.integer("SELECT count(*) FROM bases WHERE deleted IS NULL AND number < \(number)")
        try setSchema(state.schema.inserting(base, at: Int(place ?? 0)))
        return base
    }

    /// The base as the file has it. Tables that the catalog lacks are added to it; those it has keep their counters,
    /// which the writer shares.
    private func load(_ id: BaseID) throws(APIError) -> BaseSchema {
        let loaded = try CatalogLoader(connection).state()
        guard let base = loaded.schema.base(id) else { throw .modelNotFound("Base") }
        for table in base.tables {
            guard let new = loaded.catalog.tables[table.id] else { throw .internalError }
            state.catalog.tables[table.id] = PhysicalTable(
                number: new.number, columns: new.columns, links: new.links, ends: new.ends, views: new.views,
                counters: state.catalog.tables[table.id]?.counters ?? new.counters)
        }
        return base
    }
}
