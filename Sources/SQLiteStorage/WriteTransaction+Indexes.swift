import CivilTime
import RowhouseModel
import Storage

/// A sort index with what keeping it for one version of its table needs.
final class IndexPlan {
    let index: SortIndex
    let table: TableSchema
    let encoder: SortKeyEncoder
    let insert: Statement
    let remove: Statement

    init(_ index: SortIndex, _ table: TableSchema, _ encoder: SortKeyEncoder, on connection: Connection)
        throws(APIError)
    {
        self.index = index
        self.table = table
        self.encoder = encoder
        insert = try connection.prepare("INSERT OR REPLACE INTO s_\(index.number) (key, record) VALUES (?1, ?2)")
        remove = try connection.prepare("DELETE FROM s_\(index.number) WHERE key = ?1")
    }
}

/// A new record with all its cells, as its index entries need it.
struct IndexedRow {
    /// Where the cell of a field comes from.
    private enum Source { case given, number, created, createdBy }

    private(set) var batch: RecordBatch
    private let sources: [Source]
    private var cells: [StoredCell] = []

    init(of table: TableSchema) {
        batch = RecordBatch(fields: table.fields)
        sources = table.fields.map { field in
            switch field.type {
            case .autoNumber: .number
            case .createdTime: .created
            case .createdBy: .createdBy
            default: .given
            }
        }
    }

    /// Replaces the record; of two cells of one field the later counts.
    mutating func set(
        _ id: RecordID, number: Int64, created: Int64, by user: UserID, _ given: [(field: Int, value: StoredCell)]
    ) {
        cells.removeAll(keepingCapacity: true)
        for source in sources {
            switch source {
            case .number: cells.append(.integer(number))
            case .created: cells.append(.integer(created))
            case .createdBy: cells.append(.text(user.description))
            case .given: cells.append(.empty)
            }
        }
        for cell in given where cells.indices.contains(cell.field) && sources[cell.field] == .given {
            cells[cell.field] = cell.value
        }
        batch.removeAll()
        batch.append(id: id, createdTime: .init(milliseconds: created), cells: cells)
    }
}

extension WriteTransaction {
    /// The indexes of a table that this transaction must keep.
    func activeIndexes(_ physical: PhysicalTable, _ table: TableSchema) throws(APIError) -> [IndexPlan] {
        let indexes = indexes.indexes(ofTable: physical.number)
        if indexes.isEmpty { return [] }
        var plans: [IndexPlan] = []
        for index in indexes where !droppedIndexes.contains(where: { $0 === index }) {
            plans.append(try plan(index, table))
        }
        return plans
    }

    func plan(_ index: SortIndex, _ table: TableSchema) throws(APIError) -> IndexPlan {
        if let plan = indexPlans[index.number], plan.index === index, plan.table === table { return plan }
        // `updateTable` drops every index that loses a field.
        guard let order = index.definition.order(in: table) else { throw .internalError }
        let encoder = SortKeyEncoder(table: table, order: order, users: users)
        let plan = try IndexPlan(index, table, encoder, on: connection)
        indexPlans[index.number] = plan
        return plan
    }

    /// Adds a new record to its indexes.
    ///
    /// - Parameter key: where the keys are made, one after the other.
    func add(_ row: IndexedRow, _ number: Int64, to plans: [IndexPlan], key: inout [UInt8]) throws(APIError) {
        for plan in plans {
            plan.encoder.key(ofWholeRecord: 0, in: row.batch, into: &key)
            try insert(key, number, into: plan)
        }
    }

    /// The record's number and, for each index, the cells its entry was made of; nil when there is no such record.
    func rows(
        _ id: RecordID, _ physical: PhysicalTable, _ plans: [IndexPlan]
    ) throws(APIError) -> (number: Int64, cells: [[StoredCell]])? {
        guard let number = try number(of: id, in: plans[0].table) else { return nil }
        var cells: [[StoredCell]] = []
        for plan in plans {
            let fields = plan.encoder.fields
            guard let batch = try record(id, in: plan.table, fields: fields) else { return nil }
            cells.append(fields.indices.map { batch.cell(record: 0, field: $0) })
        }
        return (number, cells)
    }

    /// The number of a record; nil when there is none of this id.
    func number(of id: RecordID, in table: TableSchema) throws(APIError) -> Int64? {
        let cached = try connection.statements.statement(.number, of: table, fields: []) { () throws(APIError) in
            let statement = try connection.prepare("SELECT n FROM t_\(try physical(table).number) WHERE id = ?1")
            return CachedStatement(table: table, fields: [], statement: statement)
        }
        guard let statement = cached?.statement else { throw .internalError }
        defer { statement.reset() }
        statement.bind(1, id.text)
        return try statement.step() ? statement.integer(0) : nil
    }

    func move(
        _ number: Int64, _ id: RecordID, from old: [StoredCell], changing changed: [(field: Int, value: StoredCell)],
        in plan: IndexPlan
    ) throws(APIError) {
        var new = old
        for (index, position) in plan.encoder.fields.enumerated() {
            if let cell = changed.last(where: { $0.field == position }) { new[index] = cell.value }
        }
        if new == old { return }
        try remove(number, id, old, from: plan)
        try insert(plan.encoder.key(of: id, cells: new), number, into: plan)
    }

    func remove(_ number: Int64, _ id: RecordID, _ cells: [StoredCell], from plan: IndexPlan) throws(APIError) {
        // While the index is being built the entry may not be there yet.
        try plan.remove.run(blob: plan.encoder.key(of: id, cells: cells))
        note(number, plan)
    }

    func insert(_ key: [UInt8], _ number: Int64, into plan: IndexPlan) throws(APIError) {
        plan.insert.bind(2, number)
        try plan.insert.run(blob: key)
        note(number, plan)
    }

    private func note(_ number: Int64, _ plan: IndexPlan) {
        if plan.index.status == .building { indexed.append((plan.index, number)) }
    }

    /// Drops the indexes of a table that the condition names, with the transaction.
    func dropIndexes(_ physical: PhysicalTable, where condition: (SortIndex) -> Bool) throws(APIError) {
        let added = addedIndexes.filter { $0.tableNumber == physical.number }
        for index in indexes.indexes(ofTable: physical.number) + added
        where condition(index) && !droppedIndexes.contains(where: { $0 === index }) {
            try drop(index)
        }
    }

    func drop(_ index: SortIndex) throws(APIError) {
        indexPlans[index.number] = nil
        try connection.execute("DROP TABLE IF EXISTS s_\(index.number)")
        try connection.execute("DELETE FROM sort_indexes WHERE number = \(index.number)")
        droppedIndexes.append(index)
    }
}
