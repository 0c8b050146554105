import RowhouseModel
import Storage
import Synchronization

/// How a filtered page is read.
enum FilterRoute {
    /// Nothing can match.
    case nowhere
    /// The records with these ids, if they match.
    case records([RecordID])
    /// A part of a stored order.
    case index(IndexWalk)
    /// The records of a part of a stored order, few enough to be sorted.
    case few([Int64])
    /// All records in the order of ids.
    case ids
    /// All records in the order by hand of a view.
    case byHand(view: Int)
    /// All records, sorted in memory.
    case scan
}

/// A walk over a part of a sort index.
struct IndexWalk {
    let index: SortIndex
    let isBackwards: Bool
    /// What every key of the part begins with and the keys of the order asked for do not.
    var prefix: [UInt8] = []
    /// The part, neither bound being a key.
    var low: [UInt8] = []
    var high = KeyRange.end
}

/// A part of an index on one field that holds all records that can match, and how many it holds.
struct RangeInIndex {
    let index: SortIndex
    let low: [UInt8]
    let high: [UInt8]
    let count: Int
}

extension RecordSession {
    /// Up to so many records of a part of an index are read and sorted rather than walked over in another order.
    static let fewRecords = 400
    /// An index not used for so many milliseconds gives way to one for a filter.
    private static let timeUntilUnused: Int64 = 600_000

    func filteredPage(_ plan: PagePlan, _ filter: StoredCondition) throws(APIError) -> StoredPage {
        let physical = try physical(plan.table)
        guard plan.limit > 0 else { throw .internalError }
        let read = try FilteredRead(self, plan, filter, physical)
        return try inOneSnapshot { () throws(APIError) in
            let route = try route(plan, filter, physical)
            if case .index = route {
                // An index that went away meanwhile is done without.
                if let page = try? read.page(route) { return page }
                return try read.page(plan.order.isEmpty ? .ids : .scan)
            }
            return try read.page(route)
        }
    }

    /// Whether a filtered page needs no walk over records that do not match.
    func isImmediate(_ plan: PagePlan, _ filter: StoredCondition) -> Bool {
        guard let physical = state.catalog.tables[plan.table.id] else { return true }
        if approximateCount(physical) <= Self.smallTable { return true }
        if case .never = filter { return true }
        if let ids = filter.candidates { return ids.count <= Self.fewRecords }
        if plan.order.isEmpty, plan.manualOrder != nil { return false }
        guard let range = KeyRange.ranges(of: filter, plan.table).first, range.isExact else { return false }
        return walk(over: range, plan, physical) != nil
    }

    private func route(
        _ plan: PagePlan, _ filter: StoredCondition, _ physical: PhysicalTable
    ) throws(APIError) -> FilterRoute {
        if case .never = filter { return .nowhere }
        if let ids = filter.candidates { return .records(ids) }
        if plan.order.isEmpty, let view = plan.manualOrder.flatMap({ physical.views[$0] }) {
            return try routeByHand(view, plan, filter, physical)
        }
        if approximateCount(physical) <= Self.smallTable { return plan.order.isEmpty ? .ids : .scan }
        let ranges = KeyRange.ranges(of: filter, plan.table)
        for range in ranges {
            if let walk = walk(over: range, plan, physical) { return .index(walk) }
        }
        for range in ranges {
            if let numbers = try few(range, plan, physical) { return .few(numbers) }
        }
        if plan.order.isEmpty { return .ids }
        guard let order = resolve(plan.order, of: plan.table) else { throw .internalError }
        guard let index = order.readyIndex(of: physical, in: indexes) else {
            request(order, plan)
            return .scan
        }
        return .index(IndexWalk(index: index, isBackwards: order.isBackwards))
    }

    /// In an order by hand no index tells the order, but one may tell that there are few records.
    private func routeByHand(
        _ view: Int, _ plan: PagePlan, _ filter: StoredCondition, _ physical: PhysicalTable
    ) throws(APIError) -> FilterRoute {
        if approximateCount(physical) <= Self.smallTable { return .byHand(view: view) }
        for range in KeyRange.ranges(of: filter, plan.table) {
            if let numbers = try few(range, plan, physical) { return .few(numbers) }
        }
        return .byHand(view: view)
    }

    /// The walk in the order asked for over just the records of a range, if an index is ready for it.
    private func walk(over range: KeyRange, _ plan: PagePlan, _ physical: PhysicalTable) -> IndexWalk? {
        if let first = plan.order.first, first.field == range.field {
            guard let order = resolve(plan.order, of: plan.table),
                let index = order.readyIndex(of: physical, in: indexes)
            else { return nil }
            return IndexWalk(index: index, isBackwards: order.isBackwards, low: range.low, high: range.high)
        }
        guard range.isPoint, let order = resolve(plan.orderWithin(range.field), of: plan.table),
            let index = order.readyIndex(of: physical, in: indexes)
        else { return nil }
        return IndexWalk(
            index: index, isBackwards: plan.order.first?.direction == .desc, prefix: range.low, low: range.low,
            high: range.high)
    }

    /// The numbers of the records in a range, if there are few of them and an index tells.
    private func few(
        _ range: KeyRange, _ plan: PagePlan, _ physical: PhysicalTable
    ) throws(APIError) -> [Int64]? {
        guard let order = resolve([SortKey(field: range.field, direction: .asc)], of: plan.table),
            let index = order.readyIndex(of: physical, in: indexes)
        else { return nil }
        let cached = try connection.statements.statement(
            .keys(index: index.number), of: plan.table, fields: []
        ) { () throws(APIError) in
            let sql = "SELECT record FROM s_\(index.number) WHERE key > ?2 AND key < ?3 LIMIT ?1"
            return connection.tryPrepare(sql).map { CachedStatement(table: plan.table, fields: [], statement: $0) }
        }
        guard let statement = cached?.statement else { return nil }
        defer { statement.reset() }
        statement.bind(1, Self.fewRecords + 1)
        statement.bind(2, blob: range.low)
        statement.bind(3, blob: range.high)
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(0)) }
        guard numbers.count <= Self.fewRecords else { return nil }
        index.lastUse.store(time, ordering: .relaxed)
        return numbers
    }

    /// The part of an index that holds all records for which the condition can be true and is the smallest of those known,
    /// unless it holds more than `limit`.
    func smallestRange(
        of filter: StoredCondition, _ plan: PagePlan, _ physical: PhysicalTable, limit: Int
    ) throws(APIError) -> RangeInIndex? {
        var smallest: RangeInIndex?
        for range in KeyRange.ranges(of: filter, plan.table) {
            guard let order = resolve([SortKey(field: range.field, direction: .asc)], of: plan.table),
                let index = order.readyIndex(of: physical, in: indexes)
            else { continue }
            let most = smallest.map { $0.count - 1 } ?? limit
            let sql =
                "SELECT count(*) FROM (SELECT 1 FROM s_\(index.number) WHERE key > ?2 AND key < ?3 LIMIT ?1)"
            let count = try number(sql, of: plan.table) {
                $0.bind(1, most + 1)
                $0.bind(2, blob: range.low)
                $0.bind(3, blob: range.high)
            }
            guard let count, count <= most else { continue }
            smallest = RangeInIndex(index: index, low: range.low, high: range.high, count: Int(count))
        }
        return smallest
    }

    /// Asks for the index that would have spared a walk over many records for few matches; not where all places are
    /// taken by indexes in use, since filters and orders without end would else have indexes made without end.
    func requestIndex(for filter: StoredCondition, _ plan: PagePlan, _ physical: PhysicalTable) {
        let present = indexes.indexes(ofTable: physical.number)
        let isRoom =
            present.count < IndexBuilder.indexesATable
            || present.contains { time - $0.lastUse.load(ordering: .relaxed) > Self.timeUntilUnused }
        guard isRoom else { return }
        let ranges = KeyRange.ranges(of: filter, plan.table)
        // A box tells records apart badly.
        let chosen = ranges.first { plan.table.fields[$0.field].type != .checkbox } ?? ranges.first
        guard let range = chosen, range.field != plan.order.first?.field else { return }
        let single = [SortKey(field: range.field, direction: .asc)]
        guard let order = resolve(single, of: plan.table) else { return }
        if order.readyIndex(of: physical, in: indexes) == nil { return request(order, plan) }
        // There are many with this cell: they are to stand in the order asked for.
        guard range.isPoint, let within = resolve(plan.orderWithin(range.field), of: plan.table) else { return }
        if within.readyIndex(of: physical, in: indexes) == nil { request(within, plan) }
    }

    private func request(_ order: ResolvedOrder, _ plan: PagePlan) {
        guard order.hasIndex else { return }
        indexes.request(.init(base: plan.table.base, table: plan.table.id, definition: order.definition))
    }
}

extension RecordSession {
    func requestIndex(for plan: PagePlan) {
        guard let physical = state.catalog.tables[plan.table.id], approximateCount(physical) > Self.smallTable,
            let order = resolve(plan.order, of: plan.table), order.readyIndex(of: physical, in: indexes) == nil
        else { return }
        request(order, plan)
    }
}

extension PagePlan {
    /// The order in which, among records of one cell in this field, those of this plan's order stand; its reverse if
    /// the first key is descending.
    fileprivate func orderWithin(_ field: Int) -> [SortKey] {
        let isBackwards = order.first?.direction == .desc
        return [SortKey(field: field, direction: .asc)]
            + order.map { key in
                let isDescending = (key.direction == .desc) != isBackwards
                return SortKey(field: key.field, direction: isDescending ? .desc : .asc)
            }
    }
}

// One value of one row, by a statement that is kept.
extension RecordSession {
    func number(
        _ sql: String, of table: TableSchema, _ bind: (Statement) -> Void = { _ in }
    ) throws(APIError) -> Int64? {
        try value(sql, table, bind) { $0.isNull(0) ? nil : $0.integer(0) }
    }

    func identifier(
        _ sql: String, of table: TableSchema, _ bind: (Statement) -> Void
    ) throws(APIError) -> IdentifierText? {
        try value(sql, table, bind) { $0.identifier(0) }
    }

    func bytes(_ sql: String, of table: TableSchema, _ bind: (Statement) -> Void) throws(APIError) -> [UInt8]? {
        try value(sql, table, bind) { $0.bytes(0) }
    }

    private func value<Value>(
        _ sql: String, _ table: TableSchema, _ bind: (Statement) -> Void, _ read: (Statement) -> Value?
    ) throws(APIError) -> Value? {
        let cached = try connection.statements.statement(.value(sql), of: table, fields: []) { () throws(APIError) in
            connection.tryPrepare(sql).map { CachedStatement(table: table, fields: [], statement: $0) }
        }
        guard let statement = cached?.statement else { throw .retriable }
        defer { statement.reset() }
        bind(statement)
        return try statement.step() ? read(statement) : nil
    }
}
