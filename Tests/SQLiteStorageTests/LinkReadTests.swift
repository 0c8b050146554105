import Platform
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@Suite struct LinkReadTests {
    let folder = TestFolder()

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
    func `Random writes keep both sides as a plain model has them, however they are read`(seed: UInt64) throws {
        print("random links: seed \(seed)")
        var random = SeededRandom(seed)
        let store = try folder.open()
        try LinkSample.make(in: store)
        var model = LinkModel()
        for step in 0..<600 {
            try change(store, &model, &random)
            if step % 50 == 49 { try check(store, model, &random) }
        }
        folder.close(store)
        let again = try folder.open()
        try check(again, model, &random)
        folder.close(again)
    }

    private func change(_ store: SQLiteStorage, _ model: inout LinkModel, _ random: inout SeededRandom) throws {
        let side = Int.random(in: 0...1, using: &random)
        let table = side == 0 ? LinkSample.orders : LinkSample.customers
        let own = model.cells[side].keys.sorted()
        let others = model.cells[1 - side].keys.sorted()
        let wanted = (0..<Int.random(in: 0...7, using: &random)).compactMap { _ in others.randomElement(using: &random)
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2 where own.count < 40:
            let id = try store.add([[(1, .links(wanted))]], to: table)[0]
            model.cells[side][id] = []
            model.set(side, id, to: wanted)
        case 3:
            guard let id = own.randomElement(using: &random), own.count > 5 else { return }
            try store.delete([id], from: table)
            model.delete(side, id)
        case 4 where side == 0:
            guard let id = own.randomElement(using: &random) else { return }
            let parts = (0..<3).compactMap { _ in own.randomElement(using: &random) }
            try store.setLinks(id, 2, to: parts)
            model.parts[id] = LinkModel.once(parts)
        case 5:
            // What is there in another order, and something new in between.
            guard let id = own.randomElement(using: &random) else { return }
            let mixed = (model.cells[side][id, default: []] + wanted.prefix(1)).shuffled(using: &random)
            try store.setLinks(id, 1, in: table, to: mixed)
            model.set(side, id, to: mixed)
        default:
            guard let id = own.randomElement(using: &random) else { return }
            try store.setLinks(id, 1, in: table, to: wanted)
            model.set(side, id, to: wanted)
        }
    }

    private func check(_ store: SQLiteStorage, _ model: LinkModel, _ random: inout SeededRandom) throws {
        for (side, id) in [LinkSample.orders, LinkSample.customers].enumerated() {
            let table = try store.table(id)
            let expected = model.cells[side]
            let records = expected.keys.shuffled(using: &random)
            try store.read { (reader) throws(APIError) in
                let plan = PagePlan(
                    table: table, fields: [0, 1], order: [], after: nil, limit: 100)
                let byDescending = PagePlan(
                    table: table, fields: [1], order: [SortKey(field: 0, direction: .desc)], after: nil, limit: 100)
                for batch in [
                    try reader.page(plan).batch, try reader.page(byDescending).batch,
                    try reader.records(records + records.prefix(3), in: table, fields: [1, 0]),
                ] {
                    let place = batch.fields.firstIndex { $0.type == .multipleRecordLinks } ?? 0
                    #expect(Set(batch.ids) == Set(expected.keys))
                    for (row, record) in batch.ids.enumerated() {
                        #expect(batch.cell(record: row, field: place) == .links(expected[record] ?? []))
                    }
                }
                #expect(
                    try reader.linkCounts(of: records, in: 1, of: table) == records.map { expected[$0]?.count ?? -1 })
            }
            try checkLinked(store, model, side, records)
        }
        let parts = try store.table()
        for (record, linked) in model.parts { #expect(try store.links(record, 2) == linked, "\(parts.name)") }
    }

    private func checkLinked(
        _ store: SQLiteStorage, _ model: LinkModel, _ side: Int, _ records: [RecordID]
    ) throws {
        let ids = [LinkSample.orders, LinkSample.customers]
        let (table, other) = (try store.table(ids[side]), try store.table(ids[1 - side]))
        let found = try store.read { (reader) throws(APIError) in
            let batch = RecordBatch(fields: [], ids: records)
            let read = try reader.records(records, in: table, fields: [])
            let all = try reader.linked(from: batch, through: 1, in: table, fields: [1], of: other, limit: 10_000)
            guard let all else { throw .internalError }
            let count = all.places.count
            #expect(
                try reader.linked(from: read, through: 1, in: table, fields: [1], of: other, limit: count)?.places
                    == all.places)
            let fewer = try reader.linked(
                from: batch, through: 1, in: table, fields: [1], of: other, limit: count - 1)
            #expect(count == 0 || fewer == nil)
            return all
        }
        #expect(Set(found.batch.ids).count == found.batch.count)
        for (row, record) in records.enumerated() {
            let linked = found.places(of: row).map { found.batch.ids[Int($0)] }
            #expect(linked == model.cells[side][record])
        }
        for (row, record) in found.batch.ids.enumerated() {
            #expect(found.batch.cell(record: row, field: 0) == .links(model.cells[1 - side][record] ?? []))
        }
    }

    @Test func `Readers see both sides in step while several clients write and half of the writes fail`() throws {
        let store = try folder.open()
        try LinkSample.make(in: store)
        let customers = try store.add(Array(repeating: [], count: 6), to: LinkSample.customers)
        let orders = try store.add(Array(repeating: [], count: 6))
        let (table, linked) = (try store.table(), try store.table(LinkSample.customers))
        let failures = Guarded(0)
        onThreads(6) { thread in
            for step in 0..<60 {
                let isRefused = (thread + step) % 2 == 0
                let chosen = (0...step % 5).map { customers[($0 * (thread + 1) + step) % 6] }
                do {
                    try store.write { (writer) throws(APIError) in
                        try writer.update(
                            orders[thread], in: table, cells: [(1, .links(chosen))], by: Sample.user)
                        if isRefused { throw .invalidRequest }
                    }
                } catch { failures.withLock { $0 += 1 } }
                try? Self.expectInStep(store, table, linked)
            }
        }
        #expect(failures.withLock { $0 } == 180)
        try Self.expectInStep(store, table, linked)
        folder.close(store)
    }

    private static func expectInStep(
        _ store: SQLiteStorage, _ table: TableSchema, _ linked: TableSchema
    ) throws {
        let (left, right) = try store.read { (reader) throws(APIError) in
            (
                try reader.page(PagePlan(table: table, fields: [1], order: [], after: nil, limit: 100)).batch,
                try reader.page(PagePlan(table: linked, fields: [1], order: [], after: nil, limit: 100)).batch
            )
        }
        #expect(pairs(left) == Set(pairs(right).map { [$0[1], $0[0]] }))
    }

    private static func pairs(_ batch: RecordBatch) -> Set<[RecordID]> {
        var pairs: Set<[RecordID]> = []
        for row in 0..<batch.count {
            for other in batch.cell(record: row, field: 0).linkedRecords ?? [] {
                pairs.insert([batch.ids[row], other])
            }
        }
        return pairs
    }

    @Test func `One more link to a record that has 100,000 looks at a few pages only`() throws {
        let store = try folder.open()
        try LinkSample.make(in: store)
        let customers = try store.add([[], []], to: LinkSample.customers)
        let (table, linked) = (try store.table(), try store.table(LinkSample.customers))
        for _ in 0..<20 {
            try store.write { (writer) throws(APIError) in
                let records = (0..<5_000).map { _ in
                    NewRecord(id: writer.newRecordID(), cells: [(1, .links([customers[0]]))])
                }
                try writer.insert(records, in: table, by: Sample.user)
            }
        }
        let orders = try store.add([[], [], []])
        let all = try #require(try store.links(customers[0], 1, in: LinkSample.customers))
        #expect(all.count == 100_000)
        let pages = try store.pagesUsed { (writer) throws(APIError) in
            try writer.update(orders[0], in: table, cells: [(1, .links([customers[0]]))], by: Sample.user)
        }
        let few = try store.pagesUsed { (writer) throws(APIError) in
            try writer.update(orders[1], in: table, cells: [(1, .links([customers[1]]))], by: Sample.user)
        }
        print("a link to a record with 100,000 links looks at \(pages) pages, to one without at \(few)")
        #expect(few > 0 && pages <= few + 30)
        // The cell itself, written whole with one more at its end, costs what reading it costs and no more.
        let counted = try store.read { (reader) throws(APIError) in
            try reader.linkCounts(of: customers, in: 1, of: linked)
        }
        #expect(counted == [100_001, 1])
        try store.setLinks(customers[0], 1, in: LinkSample.customers, to: all + [orders[2]])
        #expect(try store.links(orders[2], 1) == [customers[0]])
        #expect(try store.links(orders[0], 1) == [])
        try store.delete([customers[0]], from: LinkSample.customers)
        #expect(try store.links(all[50_000], 1) == [])
        folder.close(store)
        #expect(SQLiteStorage.rows("SELECT count(*) FROM l_1", folder: folder.path) == ["1"])
    }

    @Test func `A page whose link cells grow too long ends early, and the walk misses nothing`() throws {
        let store = try folder.open { $0.pageBytes = 20_000 }
        try LinkSample.make(in: store)
        let customers = try store.add(Array(repeating: [], count: 50), to: LinkSample.customers)
        let cell = StoredCell.links(customers)
        let orders = try store.add((0..<45).map { [(0, .text("n \($0)")), (1, cell)] })
        for order in [[], [SortKey(field: 0, direction: .desc)]] {
            var ids: [RecordID] = []
            var after: PagePosition?
            var pages = 0
            repeat {
                let page = try store.page(order, after: after, limit: 100, fields: [1])
                #expect(page.batch.slots.allSatisfy { $0.size == 50 * 18 - 1 })
                ids += page.batch.ids
                pages += 1
                after = page.hasMore ? page.last : nil
            } while after != nil
            #expect(ids == (order.isEmpty ? orders : orders.reversed()))
            // 45 cells of 899 bytes do not fit, nor do 22 and 22 leave one over.
            #expect(pages == 3)
        }
        let table = try store.table()
        let found = try store.read { (reader) throws(APIError) in
            try reader.firstRecords(of: orders, in: table, fields: [1])
        }
        #expect(found.taken == 22 && found.batch.ids == Array(orders.prefix(22)))
        folder.close(store)
    }
}

extension CellSlot {
    fileprivate var size: Int {
        if case .text(_, let count) = self { Int(count) } else { 0 }
    }
}
