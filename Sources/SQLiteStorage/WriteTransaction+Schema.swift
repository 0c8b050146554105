import CivilTime
import RowhouseJSON
import RowhouseModel
import Storage

extension WriteTransaction {
    func createBase(_ base: BaseSchema) throws(APIError) {
        guard state.schema.base(base.id) == nil else { throw .internalError }
        let statement = try connection.prepare(
            "INSERT INTO bases (id, name, workspace, created, is_made) VALUES (?1, ?2, ?3, ?4, ?5)")
        statement.bind(1, base.id.text)
        statement.bind(2, base.name)
        statement.bind(3, base.workspace.text)
        statement.bind(4, base.createdTime.milliseconds)
        statement.bind(5, base.isBeingMade ? 0 : 1)
        try statement.run()
        // All tables first, so that their fields can be linked to each other.
        for table in base.tables { try insert(table, in: base.id) }
        for table in base.tables { try furnish(table) }
        try setSchema(state.schema.replacing(base))
    }

    func finishBase(_ base: BaseID) throws(APIError) {
        guard let schema = state.schema.base(base), schema.isBeingMade else { throw .modelNotFound("Base") }
        let statement = try connection.prepare("UPDATE bases SET is_made = 1 WHERE id = ?1")
        statement.bind(1, base.text)
        try statement.run()
        try setSchema(state.schema.replacing(schema.finished()))
    }

    func abandonBase(_ base: BaseID) throws(APIError) {
        guard state.schema.base(base)?.isBeingMade == true else { throw .modelNotFound("Base") }
        // It has no entry in the trash; that it was never made lets it go.
        try deleteBase(base)
    }

    func deleteBase(_ base: BaseID) throws(APIError) {
        guard let schema = state.schema.base(base) else { throw .modelNotFound("Base") }
        for table in schema.tables { try dropIndexes(physical(table)) { _ in true } }
        let statement = try connection.prepare("UPDATE bases SET deleted = ?2 WHERE id = ?1")
        statement.bind(1, base.text)
        statement.bind(2, time)
        try statement.run()
        try setSchema(state.schema.removing(base))
    }

    func createTable(_ table: TableSchema) throws(APIError) {
        guard let base = state.schema.base(table.base) else { throw .modelNotFound("Base") }
        guard base.table(table.id) == nil else { throw .internalError }
        try insert(table, in: base.id)
        try furnish(table)
        try setSchema(state.schema.replacing(base.replacing(table)))
    }

    func deleteTable(_ table: TableID, in base: BaseID) throws(APIError) {
        guard let schema = state.schema.base(base), let known = schema.table(table) else {
            throw .modelNotFound("Table")
        }
        try dropIndexes(physical(known)) { _ in true }
        let statement = try connection.prepare("UPDATE tables SET deleted = ?2 WHERE id = ?1")
        statement.bind(1, table.text)
        statement.bind(2, time)
        try statement.run()
        try setSchema(state.schema.replacing(schema.removing(table)))
    }

    func updateTable(_ table: TableSchema) throws(APIError) {
        guard let base = state.schema.base(table.base), let before = base.table(table.id) else {
            throw .modelNotFound("Table")
        }
        let physical = try physical(table)
        try dropIndexes(physical) { $0.fingerprint != $0.definition.fingerprint(in: table, users: users) }
        try rememberGoneChoices(before: before, after: table, physical)
        let statement = try connection.prepare(
            "UPDATE tables SET name = ?2, description = ?3, primary_field = ?4, version = ?5 WHERE number = ?1")
        statement.bind(1, physical.number)
        statement.bind(2, table.name)
        statement.bind(3, table.description)
        statement.bind(4, table.primaryFieldID.text)
        statement.bind(5, table.version)
        try statement.run()
        try furnish(table)
        try setSchema(state.schema.replacing(base.replacing(table)))
    }

    func setSchema(_ schema: Schema) throws(APIError) {
        state.schema = schema
        try setCounter("schema_version", schema.version)
    }

    func setCounter(_ name: String, _ value: Int) throws(APIError) {
        let statement = try connection.statement(.setCounter)
        statement.bind(1, name)
        statement.bind(2, value)
        try statement.run()
    }

    private func insert(_ table: TableSchema, in base: BaseID) throws(APIError) {
        let statement = try connection.prepare(
            """
            INSERT INTO tables (id, base, name, description, primary_field, version, created)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """)
        statement.bind(1, table.id.text)
        statement.bind(2, base.text)
        statement.bind(3, table.name)
        statement.bind(4, table.description)
        statement.bind(5, table.primaryFieldID.text)
        statement.bind(6, table.version)
        statement.bind(7, time)
        try statement.run()
        let number = connection.lastRow
        try connection.execute(
            """
            CREATE TABLE t_\(number) (
                n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, created INTEGER NOT NULL, created_by TEXT NOT NULL,
                modified INTEGER, modified_by TEXT
            ) STRICT
            """)
        try connection.makeTwin(ofTable: number)
        state.catalog.tables[table.id] = PhysicalTable(
            number: number, counters: TableCounters(records: 0, isInOrder: true))
    }

    /// Brings fields and views in step with the table's.
    private func furnish(_ table: TableSchema) throws(APIError) {
        let views = try saveViews(of: table, try physical(table).number)
        try saveFields(of: table, try physical(table), views)
    }

    // MARK: fields

    private struct SavedField {
        let number: Int
        let kept: String
        let isLive: Bool
    }

    /// Brings the saved fields in step with the table's, and the catalog with both.
    private func saveFields(
        of table: TableSchema, _ physical: PhysicalTable, _ views: [ViewID: Int]
    ) throws(APIError) {
        let saved = try savedFields(ofTable: physical.number)
        var columns = physical.columns
        var links = physical.links
        for (id, field) in saved where field.isLive && table.index(of: FieldID(text: id)) == nil {
            try connection.execute("UPDATE fields SET deleted = \(time) WHERE number = \(field.number)")
        }
        for (position, field) in table.fields.enumerated() {
            let key = ColumnKey(field: field.id, type: field.type)
            if let old = saved[field.id.text], old.kept == field.type.kept.name {
                try update(field, number: old.number, position: position)
                if !old.isLive { try fill(field.type, field.options, number: old.number, table: physical.number) }
                columns[key] = old.number
            } else {
                if let old = saved[field.id.text] {
                    // Its cells are of another kind and must not come back under the new type.
                    let sql = "UPDATE fields SET deleted = coalesce(deleted, \(time)), is_retired = 1"
                    try connection.execute("\(sql) WHERE number = \(old.number)")
                }
                let number = try insert(field, position: position, table: physical.number)
                columns[key] = number
                links[field.id] = try makeLinks(of: field, number: number, in: table, known: links)
            }
        }
        state.catalog.tables[table.id] = PhysicalTable(
            number: physical.number, columns: columns, links: links, ends: try self.physical(table).ends,
            views: views, counters: physical.counters)
    }

    private func savedFields(ofTable number: Int) throws(APIError) -> [IdentifierText: SavedField] {
        let statement = try connection.prepare(
            """
            SELECT id, number, kept, deleted IS NULL FROM fields WHERE table_number = ?1 AND is_retired = 0
            ORDER BY number
            """)
        statement.bind(1, number)
        var saved: [IdentifierText: SavedField] = [:]
        while try statement.step() {
            saved[statement.identifier(0)] = SavedField(
                number: statement.int(1), kept: statement.text(2), isLive: statement.integer(3) != 0)
        }
        return saved
    }

    private func update(_ field: Field, number: Int, position: Int) throws(APIError) {
        let statement = try connection.prepare(
            """
            UPDATE fields SET position = ?2, name = ?3, type = ?4, options = ?5, description = ?6, deleted = NULL
            WHERE number = ?1
            """)
        statement.bind(1, number)
        statement.bind(2, position)
        statement.bind(3, field.name)
        statement.bind(4, field.type.rawValue)
        statement.bind(5, text: field.options.stored.bytes)
        statement.bind(6, field.description)
        try statement.run()
    }

    /// Makes the column for the cells of a field that was just saved.
    func addColumn(_ number: Int, _ type: FieldType, table: Int) throws(APIError) {
        let count = try connection.integer(
            "SELECT count(*) FROM fields WHERE table_number = \(table) AND kept IN ('TEXT', 'REAL', 'INTEGER')")
        guard count ?? 0 <= columnLimit else {
            throw .invalidRequest(
                "The table has had \(columnLimit) fields, counting those deleted and changed to other types.")
        }
        for name in ["t_\(table)", "d_\(table)"] {
            try connection.execute("ALTER TABLE \(name) ADD COLUMN f_\(number) \(type.kept.name)")
        }
    }

    private func insert(_ field: Field, position: Int, table: Int) throws(APIError) -> Int {
        let statement = try connection.prepare(
            """
            INSERT INTO fields (id, table_number, position, name, type, kept, options, description, created)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """)
        statement.bind(1, field.id.text)
        statement.bind(2, table)
        statement.bind(3, position)
        statement.bind(4, field.name)
        statement.bind(5, field.type.rawValue)
        statement.bind(6, field.type.kept.name)
        statement.bind(7, text: field.options.stored.bytes)
        statement.bind(8, field.description)
        statement.bind(9, time)
        try statement.run()
        let number = connection.lastRow
        guard field.type.kept.hasColumn else { return number }
        try addColumn(number, field.type, table: table)
        if case .lastModifiedTime(let fields, _, _) = field.options, !fields.isEmpty {
            try connection.execute("UPDATE t_\(table) SET f_\(number) = modified")
        }
        try fill(field.type, field.options, number: number, table: table)
        return number
    }

    /// Gives the cells of a field that watches all others what they would hold had it been there all the time.
    private func fill(_ type: FieldType, _ options: FieldOptions, number: Int, table: Int) throws(APIError) {
        switch type {
        case .lastModifiedTime:
            if case .lastModifiedTime(let fields, _, _) = options, !fields.isEmpty { return }
            try connection.execute("UPDATE t_\(table) SET f_\(number) = coalesce(modified, created)")
        case .lastModifiedBy:
            try connection.execute("UPDATE t_\(table) SET f_\(number) = coalesce(modified_by, created_by)")
        default: return
        }
    }
}

extension FieldType.Kept {
    /// The type of the column, or what the catalog says in place of one.
    var name: String {
        switch self {
        case .text: "TEXT"
        case .real: "REAL"
        case .integer: "INTEGER"
        case .links: "LINKS"
        case .nothing: ""
        }
    }
}
