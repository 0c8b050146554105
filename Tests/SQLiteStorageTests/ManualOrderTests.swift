import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@Suite struct ManualOrderTests {
    private let folder = TestFolder()

    /// A store with so many records and a view that takes moves.
    private func make(_ count: Int) throws -> (store: SQLiteStorage, ids: [RecordID]) {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText)])
        let table = try store.table()
        try store.write { (writer) throws(APIError) in
            var view = table.views[0]
            view.isManuallyOrdered = true
            try writer.updateTable(table.changed(views: [view, View(id: other, name: "Other", type: "grid")]))
        }
        let ids = try store.add((0..<count).map { [(0, .text("\($0)"))] })
        return (store, ids)
    }

    private let other = ViewID(text: IdentifierText(time: 77, counter: 1))

    @Test func `Records stand where they were last put, and all others in the order of ids`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed)
        var (store, model) = try make(40)
        for step in 0..<120 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                let gone = model.remove(at: Int.random(in: 0..<model.count, using: &random))
                try store.delete([gone])
            case 1:
                // New ones come last, whatever was put at the end.
                model += try store.add([[], []])
            case 2:
                folder.close(store)
                store = try folder.open()
            default:
                let moved = Array(model.shuffled(using: &random).prefix(Int.random(in: 1...6, using: &random)))
                let others = model.filter { !moved.contains($0) }
                let index = Int.random(in: 0...others.count, using: &random)
                let before = index < others.count ? others[index] : nil
                try store.move(moved, before: before)
                model = others
                model.insert(contentsOf: moved, at: index)
            }
            if step % 10 == 0 {
                for limit in [1, 3, 50] {
                    #expect(try store.walkByHand(limit: limit) == model, "seed \(seed) step \(step) limit \(limit)")
                }
            }
        }
        #expect(try store.walkByHand(limit: 7) == model, "seed \(seed)")
        #expect(try store.walk([]) == model.sorted(), "seed \(seed)")
        #expect(try store.walkByHand(limit: 9, view: other) == model.sorted(), "seed \(seed)")
        folder.close(store)
    }

    @Test func `A thousand moves to one place keep places short`() throws {
        let (store, ids) = try make(30)
        var model = ids
        for step in 0..<1_000 {
            let record = ids[5 + step % 20]
            // Always directly before the record that is never moved.
            try store.move([record], before: ids[2])
            model.removeAll { $0 == record }
            model.insert(record, at: model.firstIndex(of: ids[2]) ?? 0)
        }
        #expect(try store.walkByHand(limit: 4) == model)
        for step in 0..<1_000 {
            let record = ids[5 + step % 20]
            try store.move([record], before: model.first { $0 != record })
            model.removeAll { $0 == record }
            model.insert(record, at: 0)
        }
        #expect(try store.walkByHand(limit: 4) == model)
        folder.close(store)
        let longest = SQLiteStorage.rows("SELECT max(length(place)) FROM places", folder: folder.path)
        #expect(longest.first.flatMap { Int($0) } ?? .max <= 120)
    }

    @Test func `A page goes on after a record that is gone or was moved meanwhile`() throws {
        let (store, ids) = try make(10)
        try store.move([ids[9], ids[8]], before: ids[0])
        let first = try store.pageByHand(after: nil, limit: 3)
        #expect(first.batch.ids == [ids[9], ids[8], ids[0]] && first.hasMore)
        try store.delete([ids[0]])
        #expect(try store.pageByHand(after: first.last, limit: 3).batch.ids == Array(ids[1...3]))
        let second = try store.pageByHand(after: nil, limit: 2)
        try store.move([ids[8]], before: nil)
        #expect(try store.pageByHand(after: second.last, limit: 2).batch.ids == Array(ids[1...2]))
        // Without a key the record itself tells where it stands.
        let bare = PagePosition(record: ids[9], key: [])
        #expect(try store.pageByHand(after: bare, limit: 2).batch.ids == Array(ids[1...2]))
        let plain = PagePosition(record: ids[3], key: [])
        #expect(try store.pageByHand(after: plain, limit: 2).batch.ids == Array(ids[4...5]))
        folder.close(store)
    }

    @Test func `A move tells the places before and after, and a record that is not there is refused`() throws {
        let (store, ids) = try make(3)
        let first = try store.move([ids[2]], before: ids[0])
        #expect(first.map(\.record) == [ids[2]] && first[0].before == nil)
        let second = try store.move([ids[2]], before: nil)
        #expect(second[0].before == first[0].after && second[0].after > second[0].before ?? "")
        let missing = RecordID(text: IdentifierText(time: 5, counter: 5))
        #expect(throws: APIError.recordDoesNotExist(missing.description)) { try store.move([missing], before: nil) }
        #expect(throws: APIError.recordDoesNotExist(missing.description)) { try store.move([ids[0]], before: missing) }
        #expect(try store.walkByHand(limit: 10) == ids)
        folder.close(store)
    }
}

extension SQLiteStorage {
    @discardableResult
    fileprivate func move(_ records: [RecordID], before: RecordID?) throws -> [RecordPlacement] {
        let table = try table()
        return try write { (writer) throws(APIError) in
            try writer.move(records, before: before, in: table.views[0].id, of: table)
        }
    }

    fileprivate func pageByHand(after: PagePosition?, limit: Int, view: ViewID? = nil) throws -> StoredPage {
        let table = try table()
        let plan = PagePlan(
            table: table, fields: [0], order: [], manualOrder: view ?? table.views[0].id, after: after, limit: limit)
        return try readEach { (reader) throws(APIError) in try reader.page(plan) }
    }

    fileprivate func walkByHand(limit: Int, view: ViewID? = nil) throws -> [RecordID] {
        var ids: [RecordID] = []
        var after: PagePosition?
        repeat {
            let page = try pageByHand(after: after, limit: limit, view: view)
            ids += page.batch.ids
            after = page.hasMore ? page.last : nil
        } while after != nil
        return ids
    }
}
