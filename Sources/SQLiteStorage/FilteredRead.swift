import Platform
import RowhouseModel
import Storage
import Synchronization

/// The reading of one filtered page on one session.
///
/// It walks in windows that grow, so that the first matches are found at once; after so many records, or so much time,
/// it leaves off and says where to go on.
final class FilteredRead {
    let session: RecordSession
    let plan: PagePlan
    let filter: StoredCondition
    let physical: PhysicalTable
    let condition: ConditionSQL
    var page = StoredPage(batch: RecordBatch(fields: []), last: nil, hasMore: false)
    private var window: Int
    private var looked = 0
    /// How many entries of indexes were passed over without reading their records.
    var passed = 0
    private let deadline: UInt64
    /// Records to be read and sorted instead of walking on, once that is known to be less.
    var instead: RangeInIndex?
    var isShortcutSought = false

    /// How many records one call looks at, and for how long.
    private static let mostRecords = 10_000
    private static let nanoseconds: UInt64 = 20_000_000
    /// Having looked at so many for so few matches is a reason for an index.
    private static let manyRecords = 2_000
    /// Passing over so many entries of indexes, too. An index costs every new record a page of the write-ahead log,
    /// so one is made only where it spares a millisecond or more.
    private static let manyEntries = 10_000
    private static let sparseness = 30
    /// The longest condition, in bytes, whose statement is kept.
    private static let longestKept = 2_000

    init(
        _ session: RecordSession, _ plan: PagePlan, _ filter: StoredCondition, _ physical: PhysicalTable
    ) throws(APIError) {
        self.session = session
        self.plan = plan
        self.filter = filter
        self.physical = physical
        condition = try ConditionSQL(filter, plan.table, physical, firstParameter: 4)
        window = max(250, 2 * plan.limit)
        deadline = SystemClock.monotonicNanoseconds() &+ Self.nanoseconds
    }

    func page(_ route: FilterRoute) throws(APIError) -> StoredPage {
        page = StoredPage(batch: RecordBatch(fields: try fields()), last: nil, hasMore: false)
        instead = nil
        switch route {
        case .nowhere: break
        case .records(let ids):
            try sort(session.records(Self.distinct(ids), in: plan.table, fields: keyFields))
        case .few(let numbers): try sort(batch(of: numbers))
        case .sort(let range): try sort(range)
        case .among(let walk, let range): try take(among: range, walk)
        case .index(let walk): try self.walk(walk)
        case .ids where session.isInOrder(physical): try walkByNumber()
        case .ids: try walkByID()
        case .byHand(let view): try walkByHand(view)
        case .scan: try scan()
        }
        if let instead { try sort(instead) }
        return page
    }

    private func fields() throws(APIError) -> [Field] {
        guard plan.fields.allSatisfy({ plan.table.fields.indices.contains($0) }) else { throw .internalError }
        return plan.fields.map { plan.table.fields[$0] }
    }

    private static func distinct(_ ids: [RecordID]) -> [RecordID] {
        var known: Set<RecordID> = []
        return ids.filter { known.insert($0).inserted }
    }

    // MARK: windows

    /// Goes on in windows until the page is full, the end is reached or the call has had its share.
    ///
    /// - Parameters:
    ///   - end: where a window of so many records after a place ends; nil for the rest of the walk.
    ///   - fill: adds what matches between two places; true when the page is full.
    ///   - position: where a place stands, to go on from there; nil when that cannot be told.
    ///   - among: fills the rest of the page after a place from the records in a part of an index; false when it cannot.
    private func walk<Place>(
        from start: Place, end: (Place, Int) throws(APIError) -> Place?,
        fill: (Place, Place?) throws(APIError) -> Bool, position: (Place) throws(APIError) -> PagePosition?,
        among: ((Place, RangeInIndex) throws(APIError) -> Bool)? = nil
    ) throws(APIError) {
        var place = start
        while true {
            let next = try end(place, window)
            page.hasMore = try fill(place, next)
            // A page that is full was so somewhere in the window.
            looked += page.hasMore ? window / 2 : window
            guard !page.hasMore, let next else { break }
            place = next
            if let among, try isShortened(place, among) { break }
            window = min(2 * window, max(1, Self.mostRecords - looked))
            if looked >= Self.mostRecords || SystemClock.monotonicNanoseconds() >= deadline,
                let position = try position(place)
            {
                page.hasMore = true
                page.unfinished = position
                break
            }
        }
        let isSparse = looked >= Self.manyRecords && Self.sparseness * page.batch.count < looked
        if isSparse || passed >= Self.manyEntries {
            session.requestIndex(for: filter, plan, physical)
        }
    }

    /// Fills the page from the records in a part of an index, in a stored order or that of record numbers.
    private func take(among range: RangeInIndex, _ walk: IndexWalk?) throws(APIError) {
        var isTaken = true
        if let walk {
            isTaken = try takeInOrder(walk, after: start(of: walk), among: range)
        } else if let number = try numberBefore() {
            isTaken = try takeByNumber(after: number, among: range)
        }
        if isTaken { page.last = try lastPosition() } else { instead = range }
        if passed >= Self.manyEntries { session.requestIndex(for: filter, plan, physical) }
    }

    /// Where the last record of the page stands.
    private func lastPosition() throws(APIError) -> PagePosition? {
        guard let last = page.batch.ids.last else { return nil }
        guard !plan.order.isEmpty, let order = session.resolve(plan.order, of: plan.table) else {
            return PagePosition(record: last, key: [])
        }
        return PagePosition(record: last, key: try session.key(of: last, in: plan.table, order))
    }

    /// Whether the page was filled by a shortcut, or is to be.
    private func isShortened<Place>(
        _ place: Place, _ among: (Place, RangeInIndex) throws(APIError) -> Bool
    ) throws(APIError) -> Bool {
        guard let shortcut = shortcut(after: looked) else { return false }
        switch shortcut {
        case .among(let range):
            if try among(place, range) { return true }
            instead = range
        case .sort(let range):
            looked += range.count
            instead = range
        }
        return true
    }

    /// Appends the rows of a statement whose limit is the room of the page and one more; true when there is that one.
    private func take(_ cached: CachedStatement, key: ((Statement) -> Void)? = nil) throws(APIError) -> Bool {
        condition.bind(to: cached.statement)
        cached.statement.bind(1, plan.limit &- page.batch.count &+ 1)
        while try cached.statement.step() {
            if session.isFull(page.batch, plan) { return true }
            try session.append(cached, to: &page.batch)
            key?(cached.statement)
        }
        return false
    }

    /// Fills in the links of the records found; a page that ends early for them goes on from its last record.
    private func fillLinks(of cached: CachedStatement) throws(APIError) {
        guard instead == nil else { return }
        let count = page.batch.count
        try session.fillLinks(of: cached, in: &page)
        if page.batch.count < count { page.unfinished = nil }
    }

    /// The statement for a part of a walk: `?1` how many, `?2` and `?3` between which places.
    func select(
        _ walk: StatementShape.Walk, _ fields: [Int], extra: String = "", _ rest: (Int) -> String
    ) throws(APIError) -> CachedStatement {
        let shape = StatementShape.filtered(walk, condition.sql)
        // What is long is seldom asked again, and would fill the memory of what is kept.
        let cached =
            condition.sql.utf8.count > Self.longestKept
            ? try session.makeSelect(shape, fields, of: plan.table, extra: extra) { rest($0.number) }
            : try session.select(shape, fields, of: plan.table, extra: extra) { rest($0.number) }
        guard let cached else { throw .retriable }
        return cached
    }

    // MARK: the order of ids

    private func walkByNumber() throws(APIError) {
        let number = physical.number
        guard let first = try numberBefore() else { return }
        guard let last = try session.number("SELECT max(n) FROM t_\(number)", of: plan.table) else { return }
        let cached = try select(.byNumber, plan.fields) {
            "t_\($0) AS t NOT INDEXED WHERE t.n > ?2 AND t.n <= ?3 AND \(condition.sql) ORDER BY t.n LIMIT ?1"
        }
        let sql = "SELECT id FROM t_\(number) WHERE n > ?1 AND n <= ?2 ORDER BY n DESC LIMIT 1"
        try walk(from: first) { place, count in
            let end = place &+ Int64(count)
            return end < last ? end : nil
        } fill: { (place, end) throws(APIError) in
            defer { cached.statement.reset() }
            cached.statement.bind(2, place)
            cached.statement.bind(3, end ?? .max)
            return try take(cached)
        } position: { (place) throws(APIError) in
            // Where records were removed there may be none to stand on.
            try session.identifier(sql, of: plan.table) {
                $0.bind(1, first)
                $0.bind(2, place)
            }.map { PagePosition(record: RecordID(text: $0), key: []) }
        } among: { (place, range) throws(APIError) in
            try self.takeByNumber(after: place, among: range)
        }
        page.last = page.batch.ids.last.map { PagePosition(record: $0, key: []) }
        try fillLinks(of: cached)
    }

    /// The record number after which the page begins, where numbers are in the order of ids; nil when nothing follows.
    func numberBefore() throws(APIError) -> Int64? {
        guard let after = plan.after else { return 0 }
        let sql = "SELECT n - 1 FROM t_\(physical.number) WHERE id > ?1 ORDER BY id LIMIT 1"
        return try session.number(sql, of: plan.table) { $0.bind(1, after.record.text) }
    }

    private func walkByID() throws(APIError) {
        let index = "sqlite_autoindex_t_\(physical.number)_1"
        let cached = try select(.byID, plan.fields) {
            "t_\($0) AS t INDEXED BY \(index) WHERE t.id > ?2 AND t.id <= ?3 AND \(condition.sql) ORDER BY t.id LIMIT ?1"
        }
        let sql = "SELECT id FROM t_\(physical.number) INDEXED BY \(index) WHERE id > ?2 ORDER BY id LIMIT 1 OFFSET ?1"
        let first = plan.after?.record.text ?? IdentifierText(high: 0, low: 0)
        try walk(from: first) { (place, count) throws(APIError) in
            try session.identifier(sql, of: plan.table) {
                $0.bind(1, count - 1)
                $0.bind(2, place)
            }
        } fill: { (place, end) throws(APIError) in
            defer { cached.statement.reset() }
            cached.statement.bind(2, place)
            cached.statement.bind(3, end ?? IdentifierText(high: .max, low: .max))
            return try take(cached)
        } position: { place in
            PagePosition(record: RecordID(text: place), key: [])
        } among: { _, _ in
            false
        }
        page.last = page.batch.ids.last.map { PagePosition(record: $0, key: []) }
        try fillLinks(of: cached)
    }

    // MARK: an order by hand

    /// The number of the view whose order by hand is the order.
    private var view: Int? { plan.order.isEmpty ? plan.manualOrder.flatMap { physical.views[$0] } : nil }

    private func walkByHand(_ view: Int) throws(APIError) {
        let lists = try PlacedLists(session, plan.fields, of: plan.table, view: view, condition: condition)
        // Ids stand among places: a window is as long as so many ids, whatever was put between them.
        let index = "sqlite_autoindex_t_\(physical.number)_1"
        let sql = "SELECT id FROM t_\(physical.number) INDEXED BY \(index) WHERE id > ?2 ORDER BY id LIMIT 1 OFFSET ?1"
        let after = try plan.after.map { (after) throws(APIError) in try session.place(after, view, plan.table) }
        try walk(from: after ?? []) { (place, count) throws(APIError) in
            try session.bytes(sql, of: plan.table) {
                $0.bind(1, count - 1)
                $0.bind(2, text: place)
            }
        } fill: { (place, end) throws(APIError) in
            try lists.take(after: place, upTo: end, plan, into: &page)
        } position: { place in
            RecordID(bytes: Array(RecordID.prefix.utf8) + place).map { PagePosition(record: $0, key: place) }
        }
        try lists.finish(&page)
    }

    // MARK: a stored order

    private func walk(_ walk: IndexWalk) throws(APIError) {
        let index = "s_\(walk.index.number)"
        let isBackwards = walk.isBackwards
        let (beyond, upTo, direction) = isBackwards ? ("<", ">=", "DESC") : (">", "<=", "ASC")
        let cached = try select(.index(walk.index.number, backwards: isBackwards), plan.fields, extra: ", s.key") {
            """
            \(index) AS s CROSS JOIN t_\($0) AS t NOT INDEXED ON t.n = s.record
            WHERE s.key \(beyond) ?2 AND s.key \(upTo) ?3 AND \(condition.sql) ORDER BY s.key \(direction) LIMIT ?1
            """
        }
        let sql = """
            SELECT key FROM \(index) WHERE key \(beyond) ?2 AND key \(isBackwards ? ">" : "<") ?3
            ORDER BY key \(direction) LIMIT 1 OFFSET ?1
            """
        let last = isBackwards ? walk.low : walk.high
        let column = Int32(plan.fields.count + 2)
        var key: [UInt8] = []
        var isKeyUnknown = false
        try self.walk(from: try start(of: walk)) { (place, count) throws(APIError) in
            try session.bytes(sql, of: plan.table) {
                $0.bind(1, count - 1)
                $0.bind(2, blob: place)
                $0.bind(3, blob: last)
            }
        } fill: { (place, end) throws(APIError) in
            defer { cached.statement.reset() }
            cached.statement.bind(2, blob: place)
            cached.statement.bind(3, blob: end ?? last)
            return try take(cached) { $0.read(column, into: &key) }
        } position: { place in
            position(place, walk)
        } among: { (place, range) throws(APIError) in
            isKeyUnknown = true
            return try self.takeInOrder(walk, after: place, among: range)
        }
        walk.index.lastUse.store(session.time, ordering: .relaxed)
        page.last =
            isKeyUnknown
            ? try lastPosition() : page.batch.ids.last.map { PagePosition(record: $0, key: askedKey(key, walk)) }
        try fillLinks(of: cached)
    }

    /// Where in the index the walk begins.
    func start(of walk: IndexWalk) throws(APIError) -> [UInt8] {
        guard let after = plan.after else { return walk.isBackwards ? walk.high : walk.low }
        var key: [UInt8] = []
        if plan.order.isEmpty {
            after.record.text.append(to: &key)
        } else if let order = session.resolve(plan.order, of: plan.table) {
            key = try session.position(plan, order) ?? []
        }
        key = walk.prefix + (walk.isBackwards ? key.map { ~$0 } : key)
        // What the walk has come past may lie before the part altogether.
        if walk.isBackwards { return key.isBefore(walk.high) ? key : walk.high }
        return key.isBefore(walk.low) ? walk.low : key
    }

    /// The key in the order asked for, of a key of the index.
    private func askedKey(_ key: [UInt8], _ walk: IndexWalk) -> [UInt8] {
        if plan.order.isEmpty { return [] }
        let own = key.dropFirst(walk.prefix.count)
        return walk.isBackwards ? own.map { ~$0 } : Array(own)
    }

    /// Every key ends in the record's id, in the direction of the last sort key.
    private func position(_ key: [UInt8], _ walk: IndexWalk) -> PagePosition? {
        let isInverted = (plan.order.last?.direction == .desc) != walk.isBackwards
        let id = key.suffix(IdentifierText.length).map { isInverted ? ~$0 : $0 }
        return RecordID(bytes: Array(RecordID.prefix.utf8) + id).map {
            PagePosition(record: $0, key: askedKey(key, walk))
        }
    }

    // MARK: sorted in memory

    private var encoder: SortKeyEncoder {
        session.resolve(plan.order, of: plan.table)?.encoder
            ?? SortKeyEncoder(table: plan.table, order: plan.order, users: session.state.users)
    }

    /// What is needed to tell whether and where a record stands in the page.
    private var keyFields: [Int] {
        let order = plan.order.map(\.field)
        return order + filter.fields.subtracting(order).sorted()
    }

    private func batch(of numbers: [Int64]) throws(APIError) -> RecordBatch {
        let fields = keyFields
        let cached = try session.select(.byNumber, fields, of: plan.table) { "t_\($0.number) AS t WHERE t.n = ?1" }
        guard let cached else { throw .internalError }
        var batch = RecordBatch(fields: cached.fields)
        for number in numbers {
            defer { cached.statement.reset() }
            cached.statement.bind(1, number)
            if try cached.statement.step() { try session.append(cached, to: &batch) }
        }
        return batch
    }

    /// Makes the page of those of a few records that match; their cells are of `keyFields`.
    private func sort(_ batch: RecordBatch) throws(APIError) {
        let columns = Dictionary(keyFields.enumerated().map { ($1, $0) }) { first, _ in first }
        let encoder = encoder
        var first = FirstKeys(limit: plan.limit &+ 1, after: try after())
        for index in 0..<batch.count {
            let isMatch = filter.matches(batch.ids[index]) { field in
                columns[field].map { batch.cell(record: index, field: $0) } ?? .empty
            }
            guard isMatch else { continue }
            let place = try view.map { (view) throws(APIError) in
                try session.place(of: batch.ids[index], view, plan.table)
            }
            let key = place ?? encoder.key(ofRecord: index, in: batch, columns: Array(encoder.fields.indices))
            first.add(key, Int64(index))
        }
        let found = first.sorted()
        let ids = found.prefix(plan.limit).map { batch.ids[Int($0.number)] }
        let read = try session.firstRecords(of: ids, in: plan.table, fields: plan.fields)
        page.batch = read.batch
        page.hasMore = found.count > read.taken
        let kept = found.prefix(read.taken)
        if let id = ids.prefix(read.taken).last, let entry = kept.last {
            page.last = PagePosition(record: id, key: plan.order.isEmpty && view == nil ? [] : entry.key)
        }
        if view != nil { page.places = kept.map(\.key) }
    }

    /// The key to go on after, also where the order is that of ids.
    private func after() throws(APIError) -> [UInt8]? {
        guard let after = plan.after else { return nil }
        if let view { return try session.place(after, view, plan.table) }
        guard !plan.order.isEmpty, let order = session.resolve(plan.order, of: plan.table) else {
            return encoder.key(of: after.record, cells: [])
        }
        return try session.position(plan, order)
    }

    private func scan() throws(APIError) {
        let cached = try select(.scan, plan.order.map(\.field), extra: ", t.n") {
            "t_\($0) AS t WHERE \(condition.sql)"
        }
        try sort(cached)
    }

    /// Makes the page of the records of a part of an index.
    private func sort(_ range: RangeInIndex) throws(APIError) {
        let cached = try select(.range(range.index.number), plan.order.map(\.field), extra: ", t.n") {
            """
            s_\(range.index.number) AS s CROSS JOIN t_\($0) AS t NOT INDEXED ON t.n = s.record
            WHERE s.key > ?2 AND s.key < ?3 AND \(condition.sql)
            """
        }
        cached.statement.bind(2, blob: range.low)
        cached.statement.bind(3, blob: range.high)
        range.index.lastUse.store(session.time, ordering: .relaxed)
        try sort(cached)
    }

    /// Makes the page of the records that a statement gives with the cells of the order and their numbers.
    private func sort(_ cached: CachedStatement) throws(APIError) {
        defer { cached.statement.reset() }
        condition.bind(to: cached.statement)
        var first = FirstKeys(limit: plan.limit &+ 1, after: try after())
        let column = Int32(cached.fields.count + 2)
        let encoder = encoder
        var batch = RecordBatch(fields: cached.fields)
        while try cached.statement.step() {
            try session.append(cached, to: &batch)
            first.add(encoder.key(ofRecord: 0, in: batch), cached.statement.integer(column))
            batch.removeAll()
        }
        page = try session.page(of: first.sorted(), plan)
        if plan.order.isEmpty { page.last = page.last.map { PagePosition(record: $0.record, key: []) } }
    }
}
