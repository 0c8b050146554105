import CivilTime
import RowhouseJSON
import RowhouseModel
import Storage

/// Reads from the file all that is kept in memory while a store is open.
struct CatalogLoader {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func state() throws(APIError) -> StoreState {
        var catalog = Catalog()
        let counters = try counters()
        let tables = try tables(&catalog)
        var bases: [BaseSchema] = []
        let statement = try connection.prepare(
            "SELECT id, name, workspace, created FROM bases WHERE deleted IS NULL ORDER BY number")
        while try statement.step() {
            let id = BaseID(text: statement.identifier(0))
            bases.append(
                BaseSchema(
                    id: id, name: statement.text(1), workspace: WorkspaceID(text: statement.identifier(2)),
                    createdTime: Instant(milliseconds: statement.integer(3)), tables: tables[id] ?? []))
        }
        return StoreState(
            schema: Schema(version: counters["schema_version"] ?? 1, bases: bases),
            users: UserDirectory(version: counters["users_version"] ?? 1, users: try users()), catalog: catalog)
    }

    private func counters() throws(APIError) -> [String: Int] {
        let statement = try connection.prepare("SELECT name, value FROM counters")
        var counters: [String: Int] = [:]
        while try statement.step() { counters[statement.text(0)] = statement.int(1) }
        return counters
    }

    private func users() throws(APIError) -> [User] {
        let statement = try connection.prepare("SELECT id, email, name, created FROM users ORDER BY number")
        var users: [User] = []
        while try statement.step() {
            users.append(
                User(
                    id: UserID(text: statement.identifier(0)), email: statement.text(1), name: statement.text(2),
                    createdTime: Instant(milliseconds: statement.integer(3))))
        }
        return users
    }

    private struct Links {
        let tableA: Int
        let tableB: Int
    }

    private func links() throws(APIError) -> [Int: Links] {
        let statement = try connection.prepare("SELECT number, a_table, b_table FROM links")
        var links: [Int: Links] = [:]
        while try statement.step() {
            links[statement.int(0)] = Links(tableA: statement.int(1), tableB: statement.int(2))
        }
        return links
    }

    private func ends(ofTable number: Int, in links: [Int: Links]) -> [LinkEnd] {
        links.keys.sorted().flatMap { link in
            var ends: [LinkEnd] = []
            if links[link]?.tableA == number { ends.append(LinkEnd(number: link, column: .a)) }
            if links[link]?.tableB == number { ends.append(LinkEnd(number: link, column: .b)) }
            return ends
        }
    }

    private func tables(_ catalog: inout Catalog) throws(APIError) -> [BaseID: [TableSchema]] {
        let links = try links()
        let statement = try connection.prepare(
            """
            SELECT number, id, base, name, description, primary_field, version, record_count, is_in_order FROM tables
            WHERE deleted IS NULL ORDER BY number
            """)
        var tables: [BaseID: [TableSchema]] = [:]
        while try statement.step() {
            let number = statement.int(0)
            let id = TableID(text: statement.identifier(1))
            let base = BaseID(text: statement.identifier(2))
            let (fields, columns, sides) = try fields(ofTable: number, links)
            let (views, viewNumbers) = try views(ofTable: number)
            tables[base, default: []].append(
                TableSchema(
                    id: id, base: base, name: statement.text(3), description: statement.optionalText(4),
                    primaryFieldID: FieldID(text: statement.identifier(5)), fields: fields,
                    views: views, version: statement.int(6)))
            let counters = TableCounters(records: statement.int(7), isInOrder: statement.integer(8) != 0)
            catalog.tables[id] = PhysicalTable(
                number: number, columns: columns, links: sides, ends: ends(ofTable: number, in: links),
                views: viewNumbers, counters: counters)
        }
        return tables
    }

    private func fields(
        ofTable number: Int, _ links: [Int: Links]
    ) throws(APIError) -> ([Field], [ColumnKey: Int], [FieldID: LinkSide]) {
        let statement = try connection.statement(.loadFields)
        defer { statement.reset() }
        statement.bind(1, number)
        var fields: [Field] = []
        var columns: [ColumnKey: Int] = [:]
        var sides: [FieldID: LinkSide] = [:]
        while try statement.step() {
            let id = FieldID(text: statement.identifier(0))
            let type = FieldType(rawValue: statement.text(3))
            if let type { columns[ColumnKey(field: id, type: type)] = statement.int(1) }
            if let column = LinkColumn(rawValue: statement.text(8)), let link = links[statement.int(7)] {
                let linked = column == .a ? link.tableB : link.tableA
                sides[id] = LinkSide(number: statement.int(7), column: column, linkedTable: linked)
            }
            guard statement.integer(6) != 0 else { continue }
            // A type or options that this version does not know would be a fault of the file.
            guard let type, let json = try? JSONParser.parse(statement.bytes(4)),
                let options = FieldOptions(stored: json)
            else { throw .internalError }
            fields.append(
                Field(
                    id: id, name: statement.text(2), type: type, options: options,
                    description: statement.optionalText(5)))
        }
        return (fields, columns, sides)
    }

    private func views(ofTable number: Int) throws(APIError) -> ([View], [ViewID: Int]) {
        let statement = try connection.statement(.loadViews)
        defer { statement.reset() }
        statement.bind(1, number)
        var views: [View] = []
        var numbers: [ViewID: Int] = [:]
        while try statement.step() {
            let id = ViewID(text: statement.identifier(0))
            guard let json = try? JSONParser.parse(statement.bytes(3)),
                let view = View(id: id, name: statement.text(1), type: statement.text(2), storedOptions: json)
            else { throw .internalError }
            views.append(view)
            numbers[id] = statement.int(4)
        }
        return (views, numbers)
    }

    /// Registers the sort indexes that are whole; forgets those whose building was cut off or whose basis is gone.
    func indexes(of state: StoreState, into registry: IndexRegistry) throws(APIError) {
        let tables = state.schema.bases.flatMap(\.tables)
        let statement = try connection.prepare(
            "SELECT number, table_number, definition, fingerprint, is_ready, last_used FROM sort_indexes")
        var useless: [Int] = []
        while try statement.step() {
            let number = statement.int(0)
            let table = tables.first { state.catalog.tables[$0.id]?.number == statement.int(1) }
            let definition = SortDefinition(statement.text(2))
            guard let table, let definition, statement.integer(4) != 0,
                definition.fingerprint(in: table, users: state.users) == statement.text(3)
            else {
                useless.append(number)
                continue
            }
            registry.add(
                SortIndex(
                    number: number, table: table.id, tableNumber: statement.int(1), definition: definition,
                    fingerprint: statement.text(3), status: .ready, lastUse: statement.integer(5)))
        }
        statement.reset()
        for number in useless {
            try connection.execute("BEGIN IMMEDIATE; DROP TABLE IF EXISTS s_\(number);")
            try connection.execute("DELETE FROM sort_indexes WHERE number = \(number); COMMIT;")
        }
    }

    /// The indexes made for finding records by equal cells.
    func findIndexes() throws(APIError) -> Set<FindIndex> {
        let statement = try connection.prepare("SELECT table_number, columns FROM find_indexes")
        var indexes: Set<FindIndex> = []
        while try statement.step() { indexes.insert(FindIndex(table: statement.int(0), columns: statement.text(1))) }
        return indexes
    }

    /// The tables of links of which some are in the trash.
    func linksInTrash() throws(APIError) -> Set<Int> {
        let statement = try connection.prepare(
            "SELECT number FROM links WHERE EXISTS (SELECT 1 FROM trash_links WHERE link = number)")
        var links: Set<Int> = []
        while try statement.step() { links.insert(statement.int(0)) }
        return links
    }

    /// Gives free the columns of changes of types that were cut off.
    func forgetRetypings() throws(APIError) {
        try connection.execute(
            "UPDATE fields SET is_retired = \(ColumnState.free) WHERE is_retired = \(ColumnState.filling)")
    }

    /// The greatest time of a record id made in this folder.
    func lastRecordTime() throws(APIError) -> Int64 {
        try connection.integer("SELECT max(last_time) FROM tables") ?? 0
    }
}
