import CivilTime
import RowhouseModel
import Storage
import Synchronization

/// Reads on one connection: of one committed state, or of the writer's transaction so far.
class RecordSession: StorageReader {
    let connection: Connection
    let indexes: IndexRegistry
    /// A page ends early, with more to follow, when its text has grown to this.
    let pageBytes: Int
    var state: StoreState
    /// Milliseconds since 1970 at the begin of the transaction.
    var time: Int64 = 0
    private var orders: [OrderKey: ResolvedOrder] = [:]
    private var version: LatestState.Version?

    /// Up to so many records a table is read whole for each page.
    static let smallTable = 500
    static let answerLifetime: Int64 = 24 * 3600 * 1000

    private struct OrderKey: Hashable {
        let table: ObjectIdentifier
        let order: [SortKey]
    }

    init(connection: Connection, indexes: IndexRegistry, state: StoreState, pageBytes: Int) {
        self.connection = connection
        self.indexes = indexes
        self.pageBytes = pageBytes
        self.state = state
    }

    /// Takes the state of a version up, unless it is the one already held.
    func follow(_ latest: LatestState.Version) {
        guard latest !== version else { return }
        version = latest
        state = latest.state
    }

    /// Where the table's records are.
    func physical(_ table: TableSchema) throws(APIError) -> PhysicalTable {
        guard let physical = state.catalog.tables[table.id] else { throw .modelNotFound("Table") }
        return physical
    }

    /// The order with its encoder; nil when it names fields that do not exist.
    func resolve(_ order: [SortKey], of table: TableSchema) -> ResolvedOrder? {
        let key = OrderKey(table: ObjectIdentifier(table), order: order)
        if let found = orders[key], found.isValid(for: state.users) { return found }
        guard let made = ResolvedOrder(order: order, table: table, users: state.users) else { return nil }
        if orders.count >= 256 { orders = [:] }
        orders[key] = made
        return made
    }

    /// The number of records as of the last commit, without asking the file.
    func approximateCount(_ physical: PhysicalTable) -> Int { physical.counters.records.load(ordering: .relaxed) }

    /// Whether record numbers are in the order of ids in what this session sees.
    func isInOrder(_ physical: PhysicalTable) -> Bool { physical.counters.isInOrder.load(ordering: .acquiring) }

    /// The cached statement `SELECT id, created, <fields>, <extra> FROM … <rest>`.
    func select(
        _ shape: StatementShape, _ fields: [Int], of table: TableSchema, extra: String = "",
        _ rest: (PhysicalTable) throws(APIError) -> String
    ) throws(APIError) -> CachedStatement? {
        try connection.statements.statement(shape, of: table, fields: fields) { () throws(APIError) in
            try makeSelect(shape, fields, of: table, extra: extra, rest)
        }
    }

    /// The statement `SELECT id, created, <fields>, <extra> FROM … <rest>`, made now; nil when its index is gone.
    func makeSelect(
        _ shape: StatementShape, _ fields: [Int], of table: TableSchema, extra: String = "",
        _ rest: (PhysicalTable) throws(APIError) -> String
    ) throws(APIError) -> CachedStatement? {
        let physical = try physical(table)
        var kept: [Field] = []
        var links: [(place: Int, side: LinkSide)] = []
        var sql = "SELECT t.id, t.created"
        for position in fields {
            guard table.fields.indices.contains(position) else { throw .internalError }
            let field = table.fields[position]
            if field.type.kept == .links, let side = physical.links[field.id] { links.append((kept.count, side)) }
            kept.append(field)
            sql += ", " + physical.expression(for: field)
        }
        sql += "\(extra)\(table.hasLinks ? ", t.n" : "") FROM \(try rest(physical))"
        if shape.dependsOnIndex {
            return connection.tryPrepare(sql).map {
                CachedStatement(table: table, fields: kept, links: links, statement: $0)
            }
        }
        return CachedStatement(table: table, fields: kept, links: links, statement: try connection.prepare(sql))
    }

    /// Appends the row that the statement stands on; its links are filled in later.
    func append(_ cached: CachedStatement, to batch: inout RecordBatch) throws(APIError) {
        let statement = cached.statement
        batch.ids.append(RecordID(text: statement.identifier(0)))
        batch.createdTimes.append(.init(milliseconds: statement.integer(1)))
        statement.appendCells(2, count: cached.fields.count, to: &batch)
        if cached.table.hasLinks { batch.numbers.append(statement.integer(statement.columns - 1)) }
        // Places in the text are 32-bit numbers.
        if batch.text.count > Int(UInt32.max) { throw .internalError }
    }

    func record(_ id: RecordID, in table: TableSchema, fields: [Int]) throws(APIError) -> RecordBatch? {
        let cached = try byID(table, fields)
        return try inOneSnapshot(if: !cached.links.isEmpty) { () throws(APIError) in try record(id, cached) }
    }

    private func record(_ id: RecordID, _ cached: CachedStatement) throws(APIError) -> RecordBatch? {
        defer { cached.statement.reset() }
        cached.statement.bind(1, id.text)
        guard try cached.statement.step() else { return nil }
        var batch = RecordBatch(fields: cached.fields)
        cached.reserve(&batch, records: 1)
        try append(cached, to: &batch)
        cached.noteText(of: batch)
        try fillLinks(of: cached, in: &batch)
        return batch
    }

    func records(_ ids: [RecordID], in table: TableSchema, fields: [Int]) throws(APIError) -> RecordBatch {
        let cached = try byID(table, fields)
        return try inOneSnapshot(if: !cached.links.isEmpty) { () throws(APIError) in try records(ids, cached) }
    }

    func firstRecords(
        of ids: [RecordID], in table: TableSchema, fields: [Int]
    ) throws(APIError) -> (batch: RecordBatch, taken: Int) {
        let cached = try byID(table, fields)
        return try inOneSnapshot(if: !cached.links.isEmpty) { () throws(APIError) in try firstRecords(of: ids, cached) }
    }

    private func firstRecords(
        of ids: [RecordID], _ cached: CachedStatement
    ) throws(APIError) -> (batch: RecordBatch, taken: Int) {
        var page = StoredPage(batch: RecordBatch(fields: cached.fields), last: nil, hasMore: false)
        cached.reserve(&page.batch, records: ids.count)
        var taken = 0
        for id in ids {
            if page.batch.text.count >= pageBytes { break }
            taken += 1
            defer { cached.statement.reset() }
            cached.statement.bind(1, id.text)
            if try cached.statement.step() { try append(cached, to: &page.batch) }
        }
        let count = page.batch.count
        try fillLinks(of: cached, in: &page)
        if page.batch.count < count, let last = page.batch.ids.last, let place = ids.firstIndex(of: last) {
            taken = place + 1
        }
        return (page.batch, taken)
    }

    private func records(_ ids: [RecordID], _ cached: CachedStatement) throws(APIError) -> RecordBatch {
        var batch = RecordBatch(fields: cached.fields)
        cached.reserve(&batch, records: ids.count)
        for id in ids {
            defer { cached.statement.reset() }
            cached.statement.bind(1, id.text)
            if try cached.statement.step() { try append(cached, to: &batch) }
        }
        try fillLinks(of: cached, in: &batch)
        return batch
    }

    private func byID(_ table: TableSchema, _ fields: [Int]) throws(APIError) -> CachedStatement {
        let cached = try select(.byID, fields, of: table) { "t_\($0.number) AS t WHERE t.id = ?1" }
        guard let cached else { throw .internalError }
        return cached
    }

    func find(
        _ cells: [(field: Int, value: StoredCell)], in table: TableSchema, limit: Int
    ) throws(APIError) -> [RecordID] {
        guard cells.count <= 64 else { throw .internalError }
        var empty: UInt64 = 0
        for (index, cell) in cells.enumerated() where cell.value == .empty { empty |= 1 << UInt64(index) }
        let statement = try findStatement(cells.map(\.field), empty: empty, in: table)
        defer { statement.reset() }
        statement.bind(1, limit)
        for (index, cell) in cells.enumerated() where cell.value != .empty {
            statement.bind(Int32(index + 2), cell.value)
        }
        var ids: [RecordID] = []
        while try statement.step() { ids.append(RecordID(text: statement.identifier(0))) }
        return ids
    }

    func recordCount(of table: TableID) throws(APIError) -> Int {
        guard let physical = state.catalog.tables[table] else { throw .modelNotFound("Table") }
        let statement = try connection.statement(.recordCount)
        defer { statement.reset() }
        statement.bind(1, physical.number)
        return try statement.step() ? statement.int(0) : 0
    }

    func name(ofField field: FieldID, of table: TableID) throws(APIError) -> String? {
        guard let physical = state.catalog.tables[table] else { return nil }
        let statement = try connection.prepare(
            """
            SELECT name FROM fields WHERE table_number = ?1 AND id = ?2 AND is_retired = \(ColumnState.live)
            ORDER BY number DESC LIMIT 1
            """)
        statement.bind(1, physical.number)
        statement.bind(2, field.text)
        return try statement.step() ? statement.text(0) : nil
    }

    func answer(idempotencyKey: String, token: TokenID) throws(APIError) -> StoredAnswer? {
        let statement = try connection.statement(.findAnswer)
        defer { statement.reset() }
        statement.bind(1, idempotencyKey)
        statement.bind(2, token.text)
        statement.bind(3, time - Self.answerLifetime)
        guard try statement.step() else { return nil }
        return StoredAnswer(fingerprint: statement.bytes(0), body: statement.bytes(1))
    }
}
