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
    /// The records of a part of an index, few enough to be sorted here.
    case few([Int64])
    /// The records of a part of an index, sorted.
    case sort(RangeInIndex)
    /// The records of a part of an index, in a stored order or that of record numbers: all others are passed over
    /// without being read.
    case among(IndexWalk?, RangeInIndex)
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

extension RecordSession {
    /// Up to so many records of a part of an index are read and sorted rather than walked over in another order.
    static let fewRecords = 400
    /// Up to so many records of a table are passed over, and so much work is done, while an event thread waits.
    private static let mostPassedNow = 20_000
    private static let mostWorkNow = 6_000.0
    /// The greatest part of an index that is looked through for one page.
    static let mostInRange = 20_000
    /// An index not used for so many milliseconds gives way to one for a filter.
    private static let timeUntilUnused: Int64 = 600_000

    func filteredPage(_ plan: PagePlan, _ filter: StoredCondition) throws(APIError) -> StoredPage {
        let physical = try physical(plan.table)
        guard plan.limit > 0 else { throw .internalError }
        let read = try FilteredRead(self, plan, filter, physical)
        return try inOneSnapshot { () throws(APIError) in
            let route = try route(plan, filter, physical)
            switch route {
            case .index, .among, .sort:
                // An index that went away meanwhile is done without.
                if let page = try? read.page(route) { return page }
                return try read.page(plan.order.isEmpty ? .ids : .scan)
            default: return try read.page(route)
            }
        }
    }

    /// Whether a filtered page needs no walk over records that do not match.
    func isImmediate(_ plan: PagePlan, _ filter: StoredCondition) -> Bool {
        guard let physical = state.catalog.tables[plan.table.id] else { return true }
        if approximateCount(physical) <= Self.smallTable { return true }
        if case .never = filter { return true }
        if let ids = filter.candidates { return ids.count <= Self.fewRecords }
        if plan.order.isEmpty, plan.manualOrder != nil { return false }
        let ranges = KeyRange.ranges(of: filter, plan.table)
        guard let (route, work) = informedRoute(ranges, plan, physical, counts: false) else { return false }
        if case .index = route { return work <= Self.mostWorkNow }
        return work <= Self.mostWorkNow && approximateCount(physical) <= Self.mostPassedNow
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
        let informed = informedRoute(ranges, plan, physical, counts: true)?.route
        if plan.order.isEmpty { return informed ?? .ids }
        guard let order = resolve(plan.order, of: plan.table) else { throw .internalError }
        let isReady = order.readyIndex(of: physical, in: indexes) != nil
        if let informed {
            if case .sort(let part) = informed, !isReady, part.count > Self.fewRecords { request(order, plan) }
            return informed
        }
        if let walk = wholeWalk(plan, physical) { return .index(walk) }
        request(order, plan)
        return .scan
    }

    /// The best way by what the indexes on the fields of a filter tell, and how much work it is (`FilterWays`); nil where
    /// they tell nothing.
    ///
    /// - Parameter counts: whether what was not counted lately is counted now.
    private func informedRoute(
        _ ranges: [KeyRange], _ plan: PagePlan, _ physical: PhysicalTable, counts: Bool
    ) -> (route: FilterRoute, work: Double)? {
        var part: (walk: IndexWalk, field: Int)?
        for range in ranges where part == nil {
            guard let walk = walk(over: range, plan, physical) else { continue }
            if range.isExact { return (.index(walk), 0) }
            part = (walk, range.field)
        }
        let known = narrowed(ranges, plan, physical, limit: Self.mostInRange, counts: counts)
        guard let known else { return part.map { (.index($0.walk), .infinity) } }
        let walk = part?.walk ?? wholeWalk(plan, physical)
        let records = approximateCount(physical)
        let isServed = walk != nil || plan.order.isEmpty && isInOrder(physical)
        let inOrder = part.map { known.counts[$0.field] ?? records } ?? (isServed ? records : nil)
        let ways = FilterWays(known, plan, records: records, inOrder: inOrder)
        switch ways.best {
        case .among: return (.among(walk, known.smallest), ways.work)
        case .sort: return (.sort(known.smallest), ways.work)
        // How far a walk leads is a guess: it is no more than all of it.
        case .walk: return walk.map { (.index($0), Double(inOrder ?? records) * FilterWays.reading) }
        }
    }

    /// The walk over all records in the order asked for, if an index is ready for it.
    private func wholeWalk(_ plan: PagePlan, _ physical: PhysicalTable) -> IndexWalk? {
        guard !plan.order.isEmpty, let order = resolve(plan.order, of: plan.table),
            let index = order.readyIndex(of: physical, in: indexes)
        else { return nil }
        return IndexWalk(index: index, isBackwards: order.isBackwards)
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
