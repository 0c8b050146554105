import CivilTime
import RowhouseModel
import Storage
import Synchronization

/// The writer's transaction, used for one group of jobs after another, by one thread at a time.
final class WriteTransaction: RecordSession, StorageWriter {
    var recordIDs: RecordIDSource
    /// What is known of the tables written so far, by number; those changed in this group are also in `changedTables`.
    private var tables: [Int: WriterTable] = [:]
    var changedTables: [Int] = []
    /// What readers know of the tables whose records or links this group has touched, by number.
    private var touchedTables: [Int: TableCounters] = [:]
    /// Indexes dropped in this group: gone from the file, but still registered until the commit.
    var droppedIndexes: [SortIndex] = []
    /// Indexes made in this group: in the file, to be registered with the commit unless dropped again.
    var addedIndexes: [SortIndex] = []
    /// What else is to happen with the commit.
    var afterCommit: [@Sendable () -> Void] = []
    /// Records whose index entries this group has brought up to date while the index is being built.
    var indexed: [(index: SortIndex, record: Int64)] = []
    /// Records of which this group has changed a cell whose field is being changed to another type.
    var retyped: [(column: FillingColumn, record: RecordID)] = []
    let fillingColumns = FillingColumns()
    /// Tables of links of which some may be in the trash.
    var linksInTrash: Set<Int>
    var indexPlans: [Int: IndexPlan] = [:]
    private var undo: [(table: WriterTable, before: WriterTable.State)] = []
    private var writePlans: [ObjectIdentifier: TableWritePlan] = [:]

    /// How many columns a table may have had.
    let columnLimit: Int
    /// The indexes for finding that are committed.
    let findIndexes: FindIndexes

    init(
        connection: Connection, indexes: IndexRegistry, state: StoreState, recordIDs: RecordIDSource,
        findIndexes: Set<FindIndex>, linksInTrash: Set<Int>, pageBytes: Int, columnLimit: Int
    ) {
        self.columnLimit = columnLimit
        self.linksInTrash = linksInTrash
        self.recordIDs = recordIDs
        self.findIndexes = FindIndexes(findIndexes)
        super.init(connection: connection, indexes: indexes, state: state, pageBytes: pageBytes)
    }

    var schema: Schema { state.schema }
    var users: UserDirectory { state.users }
    var now: Instant { Instant(milliseconds: time) }

    func newRecordID() -> RecordID { recordIDs.next(at: time) }

    // MARK: what a job can undo

    /// All that one job may change beside the file.
    struct Mark {
        fileprivate let state: StoreState
        fileprivate let changedTables: [Int]
        fileprivate let dropped: Int
        fileprivate let added: Int
        fileprivate let afterCommit: Int
        fileprivate let indexed: Int
        fileprivate let retyped: Int
    }

    /// Begins a job.
    func mark() -> Mark {
        undo.removeAll(keepingCapacity: true)
        return Mark(
            state: state, changedTables: changedTables, dropped: droppedIndexes.count,
            added: addedIndexes.count, afterCommit: afterCommit.count, indexed: indexed.count,
            retyped: retyped.count)
    }

    /// Forgets all since the mark.
    func restore(_ mark: Mark) {
        for (table, before) in undo.reversed() { table.state = before }
        undo.removeAll(keepingCapacity: true)
        if state.schema !== mark.state.schema { forgetTables(notIn: mark.state.catalog) }
        state = mark.state
        changedTables = mark.changedTables
        droppedIndexes.removeSubrange(mark.dropped...)
        addedIndexes.removeSubrange(mark.added...)
        afterCommit.removeSubrange(mark.afterCommit...)
        indexed.removeSubrange(mark.indexed...)
        retyped.removeSubrange(mark.retyped...)
    }

    /// The number of a table whose making was undone will be given again.
    private func forgetTables(notIn catalog: Catalog) {
        let numbers = Set(catalog.tables.values.map(\.number))
        tables = tables.filter { numbers.contains($0.key) }
    }

    /// Forgets a whole group that was rolled back.
    func forget(_ state: StoreState) {
        self.state = state
        tables = [:]
        clearGroup()
    }

    func clearGroup() {
        changedTables.removeAll(keepingCapacity: true)
        touchedTables.removeAll(keepingCapacity: true)
        droppedIndexes.removeAll(keepingCapacity: true)
        addedIndexes.removeAll(keepingCapacity: true)
        afterCommit.removeAll(keepingCapacity: true)
        indexed.removeAll(keepingCapacity: true)
        retyped.removeAll(keepingCapacity: true)
        undo.removeAll(keepingCapacity: true)
    }

    // MARK: counts

    override func isInOrder(_ physical: PhysicalTable) -> Bool {
        tables[physical.number]?.state.isInOrder ?? super.isInOrder(physical)
    }

    override func approximateCount(_ physical: PhysicalTable) -> Int {
        tables[physical.number]?.state.records ?? super.approximateCount(physical)
    }

    override func recordCount(of table: TableID) throws(APIError) -> Int {
        guard let physical = state.catalog.tables[table] else { throw .modelNotFound("Table") }
        return try writerTable(physical).state.records
    }

    override func find(
        _ cells: [(field: Int, value: StoredCell)], in table: TableSchema, limit: Int
    ) throws(APIError) -> [RecordID] {
        let physical = try physical(table)
        if approximateCount(physical) > Self.tableToIndex { try makeFindIndex(cells.map(\.field), physical, table) }
        return try super.find(cells, in: table, limit: limit)
    }

    /// What the writer knows of the table, to be read.
    func writerTable(_ physical: PhysicalTable) throws(APIError) -> WriterTable {
        if let table = tables[physical.number] { return table }
        let number = physical.number
        let counts = try connection.prepare(
            """
            SELECT record_count, last_record, is_in_order, last_time, (SELECT max(id) FROM t_\(number))
            FROM tables WHERE number = ?1
            """
        )
        counts.bind(1, number)
        guard try counts.step() else { throw .internalError }
        let table = WriterTable(
            counters: physical.counters,
            state: .init(
                records: counts.int(0), lastRecord: counts.integer(1), isInOrder: counts.integer(2) != 0,
                lastTime: counts.integer(3), lastID: counts.isNull(4) ? nil : counts.identifier(4)))
        tables[number] = table
        return table
    }

    /// What the writer knows of the table, to be changed: remembered for undoing, and saved before the commit.
    func changing(_ physical: PhysicalTable) throws(APIError) -> WriterTable {
        let table = try writerTable(physical)
        undo.append((table, table.state))
        if !changedTables.contains(physical.number) { changedTables.append(physical.number) }
        return table
    }

    /// Writes the counts of the tables changed in this group.
    func saveCounts() throws(APIError) {
        for number in changedTables {
            guard let state = tables[number]?.state else { continue }
            let statement = try connection.statement(.saveCount)
            statement.bind(1, number)
            statement.bind(2, state.records)
            statement.bind(3, state.lastRecord)
            statement.bind(4, state.isInOrder ? 1 : 0)
            statement.bind(5, state.lastTime)
            try statement.run()
        }
    }

    /// Notes that records of the table or links of its fields are not as they were, for `Storage.changeNumber`.
    func touch(_ physical: PhysicalTable) { touchedTables[physical.number] = physical.counters }

    /// The same for the table on the other side of links.
    func touch(linkedTable number: Int) {
        guard touchedTables[number] == nil else { return }
        if let linked = state.catalog.tables.values.first(where: { $0.number == number }) { touch(linked) }
    }

    /// After the commit: lets readers know the counts.
    func publishCounts() {
        for counters in touchedTables.values { counters.changes.wrappingAdd(1, ordering: .releasing) }
        for number in changedTables {
            guard let table = tables[number] else { continue }
            table.counters.records.store(table.state.records, ordering: .relaxed)
        }
    }

    /// How the table is written, made once for each version of it.
    func writePlan(_ table: TableSchema) -> TableWritePlan {
        if let plan = writePlans[ObjectIdentifier(table)] { return plan }
        if writePlans.count >= 256 { writePlans = [:] }
        let plan = TableWritePlan(table)
        writePlans[ObjectIdentifier(table)] = plan
        return plan
    }
}

/// What the writer knows of one table's records.
final class WriterTable {
    struct State {
        var records: Int
        /// The greatest record number ever given.
        var lastRecord: Int64
        var isInOrder: Bool
        /// The greatest time of a record id made here, so that none is made twice even when its record is gone.
        var lastTime: Int64
        var lastID: IdentifierText?
    }
    let counters: TableCounters
    var state: State

    init(counters: TableCounters, state: State) {
        self.counters = counters
        self.state = state
    }
}

/// What writing to one version of a table needs.
final class TableWritePlan {
    /// Kept alive so that its identity can stand for its version.
    let table: TableSchema
    /// Positions of fields whose cells are in a column.
    let kept: [Int]
    /// Positions of link fields.
    let links: Set<Int>
    /// The parameter of the insert statement for each field, 0 for none.
    let parameters: [Int32]
    /// The `lastModified…` fields with the positions each of them watches; those that watch every writable field
    /// count the creation of a record as its first change.
    let modified: [(field: Int, isTime: Bool, watched: Set<Int>, watchesAll: Bool)]

    init(_ table: TableSchema) {
        self.table = table
        let kept = table.fields.indices.filter { table.fields[$0].type.kept.hasColumn }
        self.kept = kept
        links = Set(table.fields.indices.filter { table.fields[$0].type.kept == .links })
        var parameters = [Int32](repeating: 0, count: table.fields.count)
        for (index, position) in kept.enumerated() { parameters[position] = Int32(index + 5) }
        self.parameters = parameters
        modified = table.fields.indices.compactMap { position in
            let field = table.fields[position]
            guard field.type == .lastModifiedTime || field.type == .lastModifiedBy else { return nil }
            var watched: [Int] = []
            if case .lastModifiedTime(let fields, _, _) = field.options {
                watched = fields.compactMap { table.index(of: $0) }
                if !fields.isEmpty { return (position, true, Set(watched), false) }
            }
            watched = table.fields.indices.filter { table.fields[$0].type.isWritable }
            return (position, field.type == .lastModifiedTime, Set(watched), true)
        }
    }
}
