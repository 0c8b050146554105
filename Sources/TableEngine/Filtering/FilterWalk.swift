import CivilTime
import FormulaLanguage
import Platform
import RowhouseModel
import Storage

/// The search for the records of one page that filters keep, in steps that each take a short time.
///
/// What the store answers by itself is left to the store. For the rest, records are read in chunks, in the order asked
/// for where the store has it; otherwise all of them, in the order of ids, and the first of those kept are the page.
struct FilterWalk {
    let engine: Engine
    private let plan: PagePlan
    private let stored: StoredCondition?
    private let test: FilterTest
    private let keys: SortKeyEncoder
    private let users: UserDirectory
    private let kept: LinkedValues
    private var way: Way
    private var after: PagePosition?
    private var chunk: Int
    private var budget: FilterBudget
    private(set) var found: FoundRecords

    /// How long one step takes, about.
    private static let nanoseconds: UInt64 = 20_000_000
    /// How many records are looked at together: few at first, since the first may do.
    private static let leastRecords = 100
    private static let mostRecords = 1_000

    /// How the records are gone through.
    private enum Way {
        case undecided
        /// The store does it all.
        case stored
        /// In the order asked for.
        case inOrder
        /// All, in the order of ids.
        case everything(FirstRecords)
        /// In an order that was computed, from this place on.
        case listed(ComputedOrder)
        case from(OrderedRecords, place: Int)
    }

    /// - Parameters:
    ///   - plan: the table, the order, the place to go on from and how many.
    ///   - readsCells: whether the cells of the plan's fields are all that is shown; then they are read along where the
    ///     store does it all.
    ///   - order: the order, where the store cannot make it.
    init(
        _ engine: Engine, _ plan: PagePlan, readsCells: Bool, order: ComputedOrder?, filters: [RecordFilter],
        in base: BaseSchema,
        budget: FilterBudget = FilterBudget()
    ) {
        let now = engine.clock()
        // In a list of ids the store finds nothing faster.
        let parts = filters.map { order == nil ? $0.split(now: now, zones: engine.zones) : $0.unsplit }
        let conditions = parts.compactMap(\.stored)
        stored = conditions.isEmpty ? nil : .joined(all: conditions)
        users = engine.storage.users
        keys = SortKeyEncoder(table: plan.table, order: order == nil ? plan.order : [], users: users)
        test = FilterTest(
            parts.compactMap(\.rest), table: plan.table, keys: keys, base: engine.formulas.formulas(of: base), now: now,
            zones: engine.zones)
        kept = LinkedValues(test.plan)
        way = order.map { .listed($0) } ?? .undecided
        self.engine = engine
        self.plan = plan
        self.budget = budget
        after = plan.after
        chunk = min(Self.mostRecords, max(Self.leastRecords, 2 * plan.limit))
        found = FoundRecords(
            limit: plan.limit, batch: readsCells && test.isEmpty ? plan.table.batch(of: plan.fields) : nil)
    }

    /// Goes on for a short time; true when the page is found.
    mutating func step() throws(APIError) -> Bool {
        let began = SystemClock.threadNanoseconds()
        let isFound = try advance()
        let taken = SystemClock.threadNanoseconds() &- began
        guard isFound || taken < budget.nanoseconds else { throw .tooMuch(.steps) }
        budget.nanoseconds -= min(budget.nanoseconds, taken)
        return isFound
    }

    private mutating func advance() throws(APIError) -> Bool {
        switch way {
        case .undecided:
            way = try choose()
            return try advance()
        case .listed(let order):
            let records = try engine.orderedRecords(order, isContinued: plan.after != nil)
            way = .from(records, place: plan.after.map { records.place(after: $0.key) } ?? 0)
            return false
        case .stored: return try stepInStore()
        case .inOrder: return try stepInOrder()
        case .everything(let first): return try stepThroughAll(first)
        case .from(let records, let place): return try step(records, from: place)
        }
    }

    private mutating func choose() throws(APIError) -> Way {
        if plan.order.isEmpty, plan.manualOrder != nil { return test.isEmpty ? .stored : .inOrder }
        let way = try engine.storage.readEach { (reader) throws(APIError) -> Way in
            let whole = reading([], plan.order, limit: plan.limit, nil)
            let isServed = reader.isImmediate(whole)
            if test.isEmpty, isServed || reader.isImmediate(reading([], plan.order, limit: plan.limit, stored)) {
                return .stored
            }
            // Records that are named are read and sorted by the store, however many.
            if test.isEmpty, stored?.candidates != nil { return .stored }
            if isServed { return .inOrder }
            reader.requestIndex(for: whole)
            return .everything(FirstRecords(limit: plan.limit, after: try key(of: plan.after, reader)))
        }
        // A place in the order asked for is none in the order of ids.
        if case .everything = way { after = nil }
        return way
    }

    private func reading(_ fields: [Int], _ order: [SortKey], limit: Int, _ filter: StoredCondition?) -> PagePlan {
        // All records in the order of ids, where the order asked for is made here.
        let isByHand = plan.order.isEmpty && order.isEmpty
        return PagePlan(
            table: plan.table, fields: fields, order: order, manualOrder: isByHand ? plan.manualOrder : nil,
            after: after, limit: limit, filter: filter)
    }

    /// The key to go on after; made from the record itself where it is not known.
    private func key(of position: PagePosition?, _ reader: any StorageReader) throws(APIError) -> [UInt8]? {
        guard let position, position.key.isEmpty else { return position?.key }
        guard let batch = try reader.record(position.record, in: plan.table, fields: keys.fields) else {
            throw .iteratorNotAvailable
        }
        return keys.key(ofRecord: 0, in: batch)
    }

    // MARK: the store alone

    private mutating func stepInStore() throws(APIError) -> Bool {
        let asked = reading(plan.fields, plan.order, limit: max(1, plan.limit - found.positions.count), stored)
        let page = try engine.storage.readEach { (reader) throws(APIError) in try reader.page(asked) }
        found.append(page)
        after = page.unfinished
        return page.unfinished == nil || found.hasMore
    }

    // MARK: chunks of records

    private mutating func stepInOrder() throws(APIError) -> Bool {
        let began = SystemClock.monotonicNanoseconds()
        guard let (page, read) = try chunk(in: plan.order) else { return false }
        var looking = test.of(page)
        var looked = 0
        while looked < page.batch.count, !found.hasMore, looked == 0 || !Self.isOver(began) {
            if try looking.isKept(looked, &budget) { found.append(position(looked, of: page, read)) }
            looked += 1
        }
        adapt(looked, since: began)
        if found.hasMore { return true }
        let isWhole = looked == page.batch.count
        after = isWhole ? read.unfinished ?? read.last : position(looked - 1, of: page, read)
        return isWhole && !read.hasMore
    }

    /// Where a record of a page stands in the order asked for.
    private func position(_ record: Int, of page: ComputedPage, _ read: StoredPage) -> PagePosition {
        guard read.places.indices.contains(record) else { return test.position(record, of: page) }
        return PagePosition(record: page.batch.ids[record], key: read.places[record])
    }

    private mutating func stepThroughAll(_ first: FirstRecords) throws(APIError) -> Bool {
        let began = SystemClock.monotonicNanoseconds()
        // The list is changed where it stands, not in a copy.
        way = .undecided
        var first = first
        defer { way = .everything(first) }
        guard let (page, read) = try chunk(in: []) else { return false }
        var looking = test.of(page)
        var looked = 0
        while looked < page.batch.count, looked == 0 || !Self.isOver(began) {
            if try looking.isKept(looked, &budget) { first.append(test.position(looked, of: page)) }
            looked += 1
        }
        adapt(looked, since: began)
        let isWhole = looked == page.batch.count
        after = isWhole ? read.unfinished ?? read.last : PagePosition(record: page.batch.ids[looked - 1], key: [])
        guard isWhole, !read.hasMore else { return false }
        found = first.found()
        return true
    }

    private mutating func step(_ records: OrderedRecords, from place: Int) throws(APIError) -> Bool {
        let began = SystemClock.monotonicNanoseconds()
        var ids = (place..<min(records.count, place + chunk)).map { records.record($0) }
        let (table, fields) = (plan.table, test.plan.read)
        let fetched = try fetch { (reader) throws(APIError) in
            let (batch, taken) = try reader.firstRecords(of: ids, in: table, fields: fields)
            ids.removeSubrange(taken...)
            return StoredPage(batch: batch, last: nil, hasMore: false)
        }
        guard let (page, _) = fetched else { return false }
        var looking = test.of(page)
        var (passed, looked) = (0, 0)
        while passed < ids.count, !found.hasMore, looked == 0 || !Self.isOver(began) {
            // Records that are gone since are missing from the page.
            if looked < page.batch.count, page.batch.ids[looked] == ids[passed] {
                if try looking.isKept(looked, &budget) {
                    found.append(PagePosition(record: ids[passed], key: records.key(place + passed)))
                }
                looked += 1
            }
            passed += 1
        }
        adapt(looked, since: began)
        way = .from(records, place: place + passed)
        return found.hasMore || place + passed >= records.count
    }

    private static func isOver(_ began: UInt64) -> Bool {
        SystemClock.monotonicNanoseconds() &- began >= nanoseconds
    }

    /// Makes the next chunk so large that it takes the time of one step, by what this one took.
    private mutating func adapt(_ looked: Int, since began: UInt64) {
        let taken = max(1, SystemClock.monotonicNanoseconds() &- began)
        let possible = UInt64(max(1, looked)) * Self.nanoseconds / taken
        chunk = max(1, min(Int(clamping: possible), 4 * max(1, looked), Self.mostRecords))
    }

    private mutating func chunk(in order: [SortKey]) throws(APIError) -> (ComputedPage, StoredPage)? {
        let asked = reading(test.plan.read, order, limit: chunk, stored)
        return try fetch { (reader) throws(APIError) in try reader.page(asked) }
    }

    /// Reads records and what their links lead to, and computes what the test needs; nil, with a smaller chunk to come,
    /// when that was too much at once.
    private mutating func fetch(
        _ read: (any StorageReader) throws(APIError) -> StoredPage
    ) throws(APIError) -> (ComputedPage, StoredPage)? {
        let granted = min(budget.steps, budget.stepsOfChunk)
        var computing = PageComputing(
            now: test.now, zones: engine.zones, links: engine.links, shown: nil, steps: granted)
        let grantedLinks = min(budget.links, budget.linksOfChunk)
        var links = grantedLinks
        defer {
            budget.steps -= granted - max(0, computing.steps)
            budget.links -= grantedLinks - max(0, links)
        }
        let (plan, users, kept) = (test.plan, users, kept)
        kept.refresh(from: engine.storage)
        let body = { (reader: any StorageReader) throws(APIError) -> (ComputedPage, StoredPage) in
            var stored = try read(reader)
            let page = ComputedPage(plan, stored.batch, users: users)
            stored.batch = RecordBatch(fields: [])
            try page.fetch(from: reader, links: &links, kept: kept)
            return (page, stored)
        }
        do throws(APIError) {
            let fetched = plan.staysInRecord ? try engine.storage.readEach(body) : try engine.storage.read(body)
            try computing.compute(fetched.0)
            return fetched
        } catch {
            let isSpent = granted == budget.steps && computing.steps <= 0 || grantedLinks == budget.links && links < 0
            guard error == .tooMuchToCompute, chunk > 1, !isSpent else { throw error }
            chunk = max(1, chunk / 8)
            return nil
        }
    }
}

extension TableSchema {
    /// An empty batch with cells of these fields.
    fileprivate func batch(of positions: [Int]) -> RecordBatch {
        RecordBatch(fields: positions.compactMap { fields.indices.contains($0) ? fields[$0] : nil })
    }
}
