import RowhouseModel
import Storage

extension Engine {
    /// How much work an order may be: links followed, steps of formulas, bytes of keys.
    private static let orderBudget = (links: 20_000_000, steps: 200_000_000, bytes: 256 << 20)
    /// How many records are read at once: the store is let go in between.
    private static let chunk = 1_000

    /// All records of a table in a computed order.
    func orderedRecords(_ order: ComputedOrder, isContinued: Bool) throws(APIError) -> OrderedRecords {
        try orders.records(order, isContinued: isContinued, storage: storage, now: clock()) { () throws(APIError) in
            try makeOrderedRecords(order)
        }
    }

    private func makeOrderedRecords(_ order: ComputedOrder) throws(APIError) -> OrderedRecords {
        let users = storage.users
        let kept = LinkedValues(order.plan)
        var budget = Self.orderBudget
        var (bytes, ends): ([UInt8], [Int]) = ([], [])
        var after: PagePosition?
        var limit = Self.chunk
        var isAtEnd = false
        while !isAtEnd {
            let plan = PagePlan(table: order.table, fields: order.plan.read, order: [], after: after, limit: limit)
            let granted = min(budget.steps, ComputedBudget.page.steps)
            var computing = PageComputing(now: clock(), zones: zones, links: links, shown: nil, steps: granted)
            let (page, stored): (ComputedPage, StoredPage)
            do throws(APIError) {
                let most = min(budget.links, ComputedBudget.record.links)
                var links = most
                kept.refresh(from: storage)
                (page, stored) = try fetch(order.plan, plan, users, &links, kept)
                budget.links -= most - links
                try computing.compute(page)
            } catch {
                budget.steps -= granted - max(0, computing.steps)
                guard error == .tooMuchToCompute, limit > 1, budget.steps > 0 else { throw error }
                limit = max(1, limit / 8)
                continue
            }
            budget.steps -= granted - computing.steps
            for record in 0..<page.batch.count {
                order.appendKey(of: record, in: page, to: &bytes)
                ends.append(bytes.count)
            }
            guard bytes.count <= budget.bytes else { throw .tooMuchToCompute }
            after = stored.last
            isAtEnd = !stored.hasMore
        }
        return OrderedRecords(bytes, ends: ends, isIDTurned: order.encoder.endsDescending)
    }

    private func fetch(
        _ plan: ComputedPlan, _ reading: PagePlan, _ users: UserDirectory, _ links: inout Int, _ kept: LinkedValues
    ) throws(APIError) -> (ComputedPage, StoredPage) {
        var left = links
        defer { links = left }
        return try storage.read { (reader) throws(APIError) in
            var stored = try reader.page(reading)
            let page = ComputedPage(plan, stored.batch, users: users)
            stored.batch = RecordBatch(fields: [])
            try page.fetch(from: reader, links: &left, kept: kept)
            return (page, stored)
        }
    }

    /// Up to so many records from a place of an ordered list on; those that are gone since are passed over.
    func page(
        _ plan: PagePlan, of records: OrderedRecords, from start: Int, _ reader: any StorageReader
    ) throws(APIError) -> StoredPage {
        var place = start
        while true {
            let ids = (place..<min(records.count, place + plan.limit)).map { records.record($0) }
            let (batch, taken) = try reader.firstRecords(of: ids, in: plan.table, fields: plan.fields)
            let end = place + taken
            guard batch.count == 0, end < records.count else {
                let last = end > start ? PagePosition(record: records.record(end - 1), key: records.key(end - 1)) : nil
                return StoredPage(batch: batch, last: last, hasMore: end < records.count)
            }
            place = end
        }
    }
}
