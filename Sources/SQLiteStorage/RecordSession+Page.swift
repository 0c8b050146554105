import RowhouseModel
import Storage
import Synchronization

extension RecordSession {
    func isImmediate(_ plan: PagePlan) -> Bool {
        // However short the page is, its records may have any number of links.
        if plan.table.hasLinks(plan.fields) { return false }
        if let filter = plan.filter { return isImmediate(plan, filter) }
        guard let physical = state.catalog.tables[plan.table.id] else { return true }
        if plan.order.isEmpty, plan.manualOrder == nil { return true }
        if approximateCount(physical) <= Self.smallTable { return true }
        // Passing over records that were put elsewhere may take long.
        if plan.order.isEmpty { return false }
        return resolve(plan.order, of: plan.table)?.readyIndex(of: physical, in: indexes) != nil
    }

    func page(_ plan: PagePlan) throws(APIError) -> StoredPage {
        if let filter = plan.filter { return try filteredPage(plan, filter) }
        let physical = try physical(plan.table)
        guard plan.limit > 0 else { throw .internalError }
        guard !plan.order.isEmpty else {
            guard let view = plan.manualOrder.flatMap({ physical.views[$0] }) else {
                return try pageByID(plan, physical)
            }
            return try inOneSnapshot { () throws(APIError) in try pageByHand(plan, view) }
        }
        guard let order = resolve(plan.order, of: plan.table) else { throw .internalError }
        let after = try position(plan, order)
        if let index = order.readyIndex(of: physical, in: indexes) {
            let page = try? inOneSnapshot(if: plan.table.hasLinks(plan.fields)) { () throws(APIError) in
                try self.page(plan, by: order, index, after: after)
            }
            if let page = page ?? nil { return page }
        } else if approximateCount(physical) > Self.smallTable, order.hasIndex {
            indexes.request(.init(base: plan.table.base, table: plan.table.id, definition: order.definition))
        }
        return try inOneSnapshot { () throws(APIError) in try pageByScan(plan, order, after: after) }
    }

    /// Runs several statements on one state of the file: a record found by one must still be there for the next.
    func inOneSnapshot<Value>(
        if isNeeded: Bool = true, _ body: () throws(APIError) -> Value
    ) throws(APIError) -> Value {
        guard isNeeded, connection.isIdle else { return try body() }
        try connection.run(.beginRead)
        // Nothing was written: ending a read cannot fail in a way that matters to the caller.
        defer { try? connection.run(.commit) }
        return try body()
    }

    /// The key to go on after; made from the record itself when the caller has none.
    func position(_ plan: PagePlan, _ order: ResolvedOrder) throws(APIError) -> [UInt8]? {
        guard let after = plan.after else { return nil }
        return after.key.isEmpty ? try key(of: after.record, in: plan.table, order) : after.key
    }

    /// Where a record stands in an order.
    func key(of id: RecordID, in table: TableSchema, _ order: ResolvedOrder) throws(APIError) -> [UInt8] {
        guard let batch = try record(id, in: table, fields: order.encoder.fields) else { throw .iteratorNotAvailable }
        return order.encoder.key(ofRecord: 0, in: batch)
    }

    /// Whether a page holds no further record.
    func isFull(_ batch: RecordBatch, _ plan: PagePlan) -> Bool {
        batch.count >= plan.limit || batch.text.count >= min(pageBytes, plan.textLimit)
    }

    // MARK: the order of ids

    private func pageByID(_ plan: PagePlan, _ physical: PhysicalTable) throws(APIError) -> StoredPage {
        guard let cached = try idStatement(plan, physical) else { throw .internalError }
        return try inOneSnapshot(if: !cached.links.isEmpty) { () throws(APIError) in
            let statement = cached.statement
            defer { statement.reset() }
            if let after = plan.after { statement.bind(2, after.record.text) }
            statement.bind(1, plan.limit &+ 1)
            var page = StoredPage(batch: RecordBatch(fields: cached.fields), last: nil, hasMore: false)
            page.hasMore = try fill(&page.batch, from: cached, plan)
            page.last = page.batch.ids.last.map { PagePosition(record: $0, key: []) }
            try fillLinks(of: cached, in: &page)
            return page
        }
    }

    private func idStatement(_ plan: PagePlan, _ physical: PhysicalTable) throws(APIError) -> CachedStatement? {
        switch (isInOrder(physical), plan.after != nil) {
        case (true, false):
            try select(.firstByNumber, plan.fields, of: plan.table) { "t_\($0.number) AS t ORDER BY t.n LIMIT ?1" }
        case (true, true):
            try select(.nextByNumber, plan.fields, of: plan.table) { table in
                """
                t_\(table.number) AS t WHERE t.n >= (SELECT n FROM t_\(table.number) WHERE id > ?2 ORDER BY id LIMIT 1)
                ORDER BY t.n LIMIT ?1
                """
            }
        case (false, false):
            try select(.firstByID, plan.fields, of: plan.table) { "t_\($0.number) AS t ORDER BY t.id LIMIT ?1" }
        case (false, true):
            try select(.nextByID, plan.fields, of: plan.table) {
                "t_\($0.number) AS t WHERE t.id > ?2 ORDER BY t.id LIMIT ?1"
            }
        }
    }

    /// Reads the rows of a page; whether there is one more.
    private func fill(
        _ batch: inout RecordBatch, from cached: CachedStatement, _ plan: PagePlan
    ) throws(APIError) -> Bool {
        cached.reserve(&batch, records: plan.limit)
        defer { cached.noteText(of: batch) }
        while try cached.statement.step() {
            if isFull(batch, plan) { return true }
            try append(cached, to: &batch)
        }
        return false
    }

    // MARK: by a stored index

    /// The page, or nil when the index is no longer there.
    private func page(
        _ plan: PagePlan, by order: ResolvedOrder, _ index: SortIndex, after: [UInt8]?
    ) throws(APIError) -> StoredPage? {
        let shape = StatementShape.ordered(index: index.number, backwards: order.isBackwards)
        let cached = try select(shape, plan.fields, of: plan.table, extra: ", s.key") { table in
            """
            s_\(index.number) AS s CROSS JOIN t_\(table.number) AS t ON t.n = s.record
            WHERE s.key \(order.isBackwards ? "<" : ">") ?2 ORDER BY s.key \(order.isBackwards ? "DESC" : "ASC") LIMIT ?1
            """
        }
        guard let cached else { return nil }
        let statement = cached.statement
        defer { statement.reset() }
        statement.bind(1, plan.limit &+ 1)
        // Keys of the index begin with 0 or 1.
        statement.bind(2, blob: after.map { order.isBackwards ? $0.map { ~$0 } : $0 } ?? (order.isBackwards ? [2] : []))
        var page = StoredPage(batch: RecordBatch(fields: cached.fields), last: nil, hasMore: false)
        let column = Int32(cached.fields.count + 2)
        var key: [UInt8] = []
        cached.reserve(&page.batch, records: plan.limit)
        while try statement.step() {
            if isFull(page.batch, plan) {
                page.hasMore = true
                break
            }
            try append(cached, to: &page.batch)
            statement.read(column, into: &key)
        }
        index.lastUse.store(time, ordering: .relaxed)
        page.last = page.batch.ids.last.map { PagePosition(record: $0, key: order.isBackwards ? key.map { ~$0 } : key) }
        try fillLinks(of: cached, in: &page)
        return page
    }

    // MARK: by reading the whole table

    private func pageByScan(_ plan: PagePlan, _ order: ResolvedOrder, after: [UInt8]?) throws(APIError) -> StoredPage {
        var first = FirstKeys(limit: plan.limit &+ 1, after: after)
        try scan(plan.table, order.encoder) { key, number in first.add(key, number) }
        return try self.page(of: first.sorted(), plan)
    }

    /// The page of the records that stand first, one more than the page holds if there is one.
    func page(of found: [FirstKeys.Entry], _ plan: PagePlan) throws(APIError) -> StoredPage {
        guard let cached = try select(.byNumber, plan.fields, of: plan.table, { "t_\($0.number) AS t WHERE t.n = ?1" })
        else { throw .internalError }
        var page = StoredPage(batch: RecordBatch(fields: cached.fields), last: nil, hasMore: false)
        cached.reserve(&page.batch, records: min(found.count, plan.limit))
        for (position, entry) in found.enumerated() {
            if position >= plan.limit || isFull(page.batch, plan) {
                page.hasMore = true
                break
            }
            defer { cached.statement.reset() }
            cached.statement.bind(1, entry.number)
            guard try cached.statement.step() else { continue }
            try append(cached, to: &page.batch)
            page.last = page.batch.ids.last.map { PagePosition(record: $0, key: entry.key) }
        }
        try fillLinks(of: cached, in: &page)
        return page
    }

    /// Makes the key of every record of a table, in no order.
    func scan(
        _ table: TableSchema, _ encoder: SortKeyEncoder, _ take: (_ key: [UInt8], _ number: Int64) -> Void
    ) throws(APIError) {
        let cached = try select(.scan, encoder.fields, of: table, extra: ", t.n") { "t_\($0.number) AS t" }
        guard let cached else { throw .internalError }
        defer { cached.statement.reset() }
        let column = Int32(cached.fields.count + 2)
        var batch = RecordBatch(fields: cached.fields)
        while try cached.statement.step() {
            try append(cached, to: &batch)
            take(encoder.key(ofRecord: 0, in: batch), cached.statement.integer(column))
            batch.removeAll()
        }
    }
}

extension RecordBatch {
    mutating func removeAll() {
        ids.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        createdTimes.removeAll(keepingCapacity: true)
        slots.removeAll(keepingCapacity: true)
        text.removeAll(keepingCapacity: true)
    }
}

extension CachedStatement {
    /// Makes room for so many records, by what they were like lately.
    func reserve(_ batch: inout RecordBatch, records: Int) {
        let records = min(max(1, records), 200)
        batch.ids.reserveCapacity(records)
        batch.createdTimes.reserveCapacity(records)
        batch.slots.reserveCapacity(records * fields.count)
        batch.text.reserveCapacity(records * textARecord)
    }

    func noteText(of batch: RecordBatch) {
        guard batch.count > 0 else { return }
        let now = batch.text.count / batch.count + 16
        // Up at once, down slowly; one giant must not make every later page reserve for giants.
        textARecord = min(4096, max(now, textARecord - textARecord / 8))
    }
}
