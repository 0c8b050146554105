import RowhouseModel
import SQLiteStorage
import Storage
import Synchronization
import Testing

@Suite struct PageTests {
    let folder = TestFolder()

    @Test func `A page follows the order of ids and goes on after a deleted record`() throws {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText)])
        let ids = try store.add((0..<25).map { [(0, .text("\($0)"))] })
        let first = try store.page([], limit: 10, fields: [0])
        #expect(first.batch.ids == Array(ids[..<10]))
        #expect(first.batch.cell(record: 9, field: 0) == .text("9"))
        #expect(first.hasMore)
        try store.delete([ids[9], ids[10]])
        let second = try store.page([], after: first.last, limit: 14)
        #expect(second.batch.ids == Array(ids[11...]))
        #expect(!second.hasMore)
        #expect(try store.page([], after: second.last, limit: 5).last == nil)
        folder.close(store)
    }

    @Test func `A page ends with the record in which it gets too long, by the store's measure or the caller's`() throws
    {
        let store = try folder.open { $0.pageBytes = 5_000 }
        try store.makeSample([Sample.field(1, .singleLineText), Sample.field(2, .number)])
        let ids = try store.add(
            (0..<20).map { [(0, .text(String(repeating: "x", count: 999))), (1, .real(Double($0)))] })
        let table = try store.table()
        for order in [[], [SortKey(field: 1, direction: .desc)], [SortKey(field: 0, direction: .asc)]] {
            for (limit, count) in [(Int.max, 6), (5_000, 6), (2_000, 3), (1, 1)] {
                let plan = PagePlan(table: table, fields: [0], order: order, after: nil, limit: 20, textLimit: limit)
                let page = try store.read { (reader) throws(APIError) in try reader.page(plan) }
                #expect(page.batch.count == count && page.hasMore)
                #expect(page.last?.record == page.batch.ids.last)
            }
        }
        let found = try store.read { (reader) throws(APIError) in
            try reader.firstRecords(of: [ids[3]] + ids.reversed(), in: table, fields: [0])
        }
        #expect(found.taken == 6)
        #expect(found.batch.ids == [ids[3]] + ids.reversed().prefix(5))
        let missing = RecordID(text: IdentifierText(time: 1, counter: 1))
        let all = try store.read { (reader) throws(APIError) in
            try reader.firstRecords(of: [missing, ids[0], missing], in: table, fields: [1])
        }
        #expect(all.taken == 3 && all.batch.ids == [ids[0]])
        folder.close(store)
    }

    @Test func `The order of ids holds for ids that come out of turn, also in the same transaction`() throws {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText)])
        var random = SeededRandom(3)
        let table = try store.table()
        var ids = try store.add([[], []])
        let early = (0..<200).map { RecordID(text: IdentifierText(time: 1000, counter: UInt64($0))) }
            .shuffled(using: &random)
        let seen = try store.write { (writer) throws(APIError) in
            try writer.insert(early.map { NewRecord(id: $0, cells: []) }, in: table, by: Sample.user)
            return try writer.page(PagePlan(table: table, fields: [], order: [], after: nil, limit: 500)).batch.ids
        }
        ids = (ids + early).sorted()
        #expect(seen == ids)
        #expect(try store.walk([], limit: 7) == ids)
        folder.close(store)
    }

    @Test func `A sorted walk misses nothing while other records come and go in front`() throws {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText), Sample.field(2, .number)])
        let steady = try store.add((0..<20).map { [(1, .real(Double(100 + $0)))] })
        let table = try store.table()
        let isOver = Atomic(false)
        let incomplete = Atomic(0)
        onThreads(3) { thread in
            if thread > 0 {
                while !isOver.load(ordering: .relaxed) {
                    guard let ids = try? store.add((0..<10).map { [(1, .real(Double($0)))] }) else { break }
                    try? store.delete(ids)
                }
                return
            }
            for _ in 0..<400 {
                var seen: [RecordID] = []
                var after: PagePosition?
                repeat {
                    let plan = PagePlan(
                        table: table, fields: [1], order: [SortKey(field: 1, direction: .asc)], after: after, limit: 1)
                    let page = try? store.readEach { (reader) throws(APIError) in try reader.page(plan) }
                    seen += page?.batch.ids ?? []
                    after = page?.hasMore == true ? page?.last : nil
                } while after != nil
                if seen.filter(steady.contains) != steady { incomplete.add(1, ordering: .relaxed) }
            }
            isOver.store(true, ordering: .relaxed)
        }
        #expect(incomplete.load(ordering: .relaxed) == 0)
        folder.close(store)
    }

    /// Walks while records are added and removed between the pages.
    @Test(arguments: [UInt64(1), 2, 3], [false, true])
    func `A walk shows no record twice and skips none that was there all along`(seed: UInt64, isIndexed: Bool) throws {
        let store = try folder.open()
        try store.makeSample(Sample.everyType)
        var random = SeededRandom(seed)
        var alive = Set(try store.add((0..<600).map { _ in Sample.randomCells(&random) }))
        let orders: [[SortKey]] = [
            [], [SortKey(field: 0, direction: .asc)], [SortKey(field: 0, direction: .desc)],
            [SortKey(field: 4, direction: .asc), SortKey(field: 1, direction: .desc)],
            [SortKey(field: 2, direction: .desc), SortKey(field: 5, direction: .desc)],
        ]
        for order in orders {
            if isIndexed, !order.isEmpty { try store.makeIndex(order) }
            var steady = alive
            var seen: [RecordID] = []
            var after: PagePosition?
            repeat {
                let page = try store.page(order, after: after, limit: Int.random(in: 1...80, using: &random))
                seen += page.batch.ids
                after = page.hasMore ? page.last : nil
                let added = try store.add((0..<3).map { _ in Sample.randomCells(&random) })
                // The record the walk stands on is removed often.
                var removed = Set(alive.sorted().shuffled(using: &random).prefix(2))
                if let last = page.last?.record, alive.contains(last), Bool.random(using: &random) {
                    removed.insert(last)
                }
                try store.delete(Array(removed))
                alive.subtract(removed)
                alive.formUnion(added)
                steady.subtract(removed)
            } while after != nil
            #expect(Set(seen).count == seen.count, "seed \(seed), \(order)")
            #expect(steady.isSubset(of: seen), "seed \(seed), \(order)")
        }
        #expect(try store.count() == alive.count)
        folder.close(store)
    }
}
