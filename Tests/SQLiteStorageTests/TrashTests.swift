import CivilTime
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@Suite struct TrashTests {
    private let folder = TestFolder()
    private static let day: Int64 = 86_400_000
    private static let tables = [LinkSample.orders, LinkSample.customers]

    @Test(arguments: [5_365_201_822_106_726_430, UInt64.random(in: 0...UInt64.max)])
    func `Random deletes and restores keep cells and the order of links as a plain model has them`(seed: UInt64) throws
    {
        print("random trash: seed \(seed)")
        var random = SeededRandom(seed)
        let clock = TestClock()
        func open() throws -> SQLiteStorage { try folder.open { $0.clock = { clock.now } } }
        var store = try open()
        try LinkSample.make(in: store)
        try store.makeIndex([SortKey(field: 0, direction: .asc)])
        var model = TrashModel()
        for step in 0..<900 {
            clock.advance(1)
            try change(store, &model, &random)
            if step % 300 == 299 {
                // What is in the trash now will be gone, what is deleted from here on not yet.
                let old = model.deleted
                model.restored = []
                clock.advance(20 * Self.day)
                for _ in 0..<20 { try change(store, &model, &random) }
                let gone = old.intersection(model.deleted).subtracting(model.restored)
                clock.advance(10 * Self.day + 1)
                store.tidyAll()
                model.forget(gone)
            }
            if step % 45 == 44 { try check(store, model) }
            if step % 200 == 199 {
                folder.close(store)
                store = try open()
                try check(store, model)
            }
        }
        // All comes back, in any order.
        for record in model.deleted.shuffled(using: &random) {
            let side = model.cells[0][record] == nil ? 1 : 0
            try store.restore([record], in: Self.tables[side])
            model.deleted.remove(record)
        }
        try check(store, model)
        folder.close(store)
        #expect(SQLiteStorage.rows("SELECT * FROM trash_links", folder: folder.path) == [])
        #expect(SQLiteStorage.rows("SELECT * FROM d_1 UNION ALL SELECT * FROM d_2", folder: folder.path) == [])
    }

    private func change(_ store: SQLiteStorage, _ model: inout TrashModel, _ random: inout SeededRandom) throws {
        let side = Int.random(in: 0...1, using: &random)
        let table = Self.tables[side]
        let own = model.living(side)
        let others = model.living(1 - side)
        func some<Value>(_ values: [Value], _ most: Int) -> [Value] {
            Array(values.shuffled(using: &random).prefix(Int.random(in: 0...most, using: &random)))
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2 where own.count < 25:
            let wanted = some(others, 6)
            let name = "\(Int.random(in: 0...99, using: &random))"
            let id = try store.add([[(0, .text(name)), (1, .links(wanted))]], to: table)[0]
            (model.cells[side][id], model.names[id]) = ([], name)
            model.set(side, id, to: wanted)
        case 3, 4:
            let gone = some(own, 3)
            try store.delete(gone, from: table)
            model.deleted.formUnion(gone)
        case 5...7:
            let back = some(model.dead(side), 3)
            try store.restore(back, in: table)
            model.deleted.subtract(back)
            model.restored.formUnion(back)
        case 8 where side == 0:
            guard let id = own.randomElement(using: &random) else { return }
            let wanted = some(own, 4)
            try store.setLinks(id, 2, to: wanted)
            model.setParts(id, to: wanted)
        case 9:
            guard let id = own.randomElement(using: &random) else { return }
            let mixed = LinkModel.once((model.shown(side, id) + some(others, 1)).shuffled(using: &random))
            try store.setLinks(id, 1, in: table, to: mixed)
            model.set(side, id, to: mixed)
        default:
            guard let id = own.randomElement(using: &random) else { return }
            let wanted = some(others, 6)
            try store.setLinks(id, 1, in: table, to: wanted)
            model.set(side, id, to: wanted)
        }
    }

    private func check(_ store: SQLiteStorage, _ model: TrashModel) throws {
        for (side, table) in Self.tables.enumerated() {
            let living = model.living(side)
            for record in living {
                let cells = try #require(try store.cells(record, in: table))
                #expect(cells[0] == .text(try #require(model.names[record])))
                #expect(cells[1].linkedRecords == model.shown(side, record))
                if side == 0 { #expect(cells[2].linkedRecords == model.shown(model.parts[record, default: []])) }
            }
            for record in model.dead(side) { #expect(try store.cells(record, in: table) == nil) }
            #expect(try store.read { (reader) throws(APIError) in try reader.recordCount(of: table) } == living.count)
        }
        #expect(try store.walk([]) == model.living(0))
        let byName = try store.walk([SortKey(field: 0, direction: .asc)])
        let expected = model.living(0).sorted { left, right in
            let (a, b) = (Int(model.names[left] ?? "") ?? 0, Int(model.names[right] ?? "") ?? 0)
            return (a, left) < (b, right)
        }
        #expect(byName == expected)
        #expect(Set(try store.trash().map(\.id)) == Set(model.deleted.map(\.text)))
    }

    @Test func `Every kind of cell comes back as it was, and times and users too`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed)
        let clock = TestClock()
        let store = try folder.open { $0.clock = { clock.now } }
        try store.makeSample(Sample.everyType)
        let ids = try store.add((0..<300).map { _ in Sample.randomCells(&random) })
        clock.advance(5)
        for id in ids.prefix(100) { try store.update(id, Sample.randomCells(&random), by: Sample.other) }
        let before = try ids.map { try store.cells($0) }
        clock.advance(5)
        for start in stride(from: 0, to: 300, by: 10) { try store.delete(Array(ids[start..<start + 10])) }
        #expect(try store.count() == 0)
        clock.advance(5)
        for entry in try store.trash().shuffled(using: &random) { try store.restore([entry]) }
        #expect(try ids.map { try store.cells($0) } == before, "seed \(seed)")
        #expect(try store.walk([]) == ids)
        #expect(try store.count() == 300)
        folder.close(store)
    }

    @Test func `An entry tells what was deleted by whom and when, and is restored once`() throws {
        let clock = TestClock()
        let store = try folder.open { $0.clock = { clock.now } }
        try store.makeSample([Sample.field(1, .singleLineText)])
        let ids = try store.add([[], [], []])
        let table = try store.table()
        clock.advance(7)
        try store.write { (writer) throws(APIError) in
            try writer.delete([(ids[2], "two"), (ids[0], "zero")], in: table, by: Sample.other)
            try writer.delete([(ids[1], "one")], in: table, by: Sample.user)
        }
        let entries = try store.trash()
        #expect(entries.map(\.name) == ["one", "zero", "two"])
        #expect(entries.map(\.id) == [ids[1].text, ids[0].text, ids[2].text])
        #expect(entries.map(\.deletedBy) == [Sample.user, Sample.other, Sample.other])
        #expect(entries[1].deletion == entries[2].deletion && entries[0].deletion != entries[1].deletion)
        #expect(entries.allSatisfy { $0.deletedTime == clock.now && $0.kind == .record && $0.table == Sample.table })
        func query(_ query: TrashQuery, since: Instant = Sample.time, limit: Int = 9) throws -> [TrashEntry] {
            try store.read { (reader) throws(APIError) in try reader.trash(query, since: since, limit: limit) }
        }
        #expect(try query(.deletion(entries[1].deletion)) == [entries[2], entries[1]])
        #expect(try query(.base(Sample.base, before: entries[1].number)) == [entries[2]])
        #expect(try query(.base(Sample.base, before: nil), limit: 2) == [entries[0], entries[1]])
        #expect(
            try query(.base(Sample.base, before: nil), since: Instant(milliseconds: clock.now.milliseconds + 1)) == [])
        try store.restore([entries[1]])
        #expect(throws: APIError.modelNotFound("Record")) { try store.restore([entries[1]]) }
        #expect(try query(.newest(.record, ids[0].text)).map(\.isRestored) == [true])
        #expect(try store.trash() == [entries[0], entries[2]])
        try store.delete([ids[0]])
        #expect(try query(.newest(.record, ids[0].text)).map(\.isRestored) == [false, true])
        folder.close(store)
    }

    @Test func `Places by hand come back, unless somebody else stands there`() throws {
        let store = try folder.open()
        let view = View(
            id: ViewID(text: Sample.table.text), name: "Grid view", type: "grid", isManuallyOrdered: true)
        try store.makeSample([Sample.field(1, .singleLineText)])
        let old = try store.table()
        try store.write { (writer) throws(APIError) in try writer.updateTable(old.changed(views: [view])) }
        let ids = try store.add([[], [], [], []])
        let table = try store.table()
        func order() throws -> [RecordID] {
            let plan = PagePlan(table: table, fields: [], order: [], manualOrder: view.id, after: nil, limit: 10)
            return try store.read { (reader) throws(APIError) in try reader.page(plan) }.batch.ids
        }
        try store.write { (writer) throws(APIError) in
            _ = try writer.move([ids[3]], before: ids[1], in: view.id, of: table)
        }
        let moved = [ids[0], ids[3], ids[1], ids[2]]
        #expect(try order() == moved)
        try store.delete([ids[3]])
        #expect(try order() == [ids[0], ids[1], ids[2]])
        try store.restore([ids[3]])
        #expect(try order() == moved)
        try store.delete([ids[3]])
        try store.write { (writer) throws(APIError) in
            _ = try writer.move([ids[2]], before: ids[1], in: view.id, of: table)
        }
        try store.restore([ids[3]])
        #expect(Set(try order()) == Set(ids))
        folder.close(store)
    }

    @Test func `Records with ids from elsewhere are listed in the order of ids after a restore`() throws {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText)])
        let table = try store.table()
        let ids = [1, 2, 9].map { RecordID(text: IdentifierText(time: $0, counter: 0)) }
        func add(_ id: RecordID) throws {
            try store.write { (writer) throws(APIError) in
                try writer.insert([NewRecord(id: id, cells: [])], in: table, by: Sample.user)
            }
        }
        for id in ids { try add(id) }
        try store.delete([ids[2]])
        folder.close(store)
        let again = try folder.open()
        let late = RecordID(text: IdentifierText(time: 5, counter: 0))
        try again.write { (writer) throws(APIError) in
            try writer.insert([NewRecord(id: late, cells: [])], in: table, by: Sample.user)
        }
        try again.restore([ids[2]])
        #expect(try again.walk([], limit: 1) == [ids[0], ids[1], late, ids[2]])
        // And an id that is there again is not made twice.
        try again.delete([ids[0]])
        try again.write { (writer) throws(APIError) in
            try writer.insert([NewRecord(id: ids[0], cells: [])], in: table, by: Sample.user)
        }
        #expect(throws: (any Error).self) { try again.restore([ids[0]]) }
        #expect(try again.walk([]) == [ids[0], ids[1], late, ids[2]])
        folder.close(again)
    }

    @Test func `Deleted cells take part in a change of type, whenever they go and come`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed)
        let store = try folder.open()
        let fields = [Sample.field(1, .singleLineText), Sample.field(2, .singleLineText)]
        try store.makeSample(fields)
        let ids = try store.add((0..<200).map { [(1, .text(String(repeating: "x", count: $0 % 50 + 1)))] })
        @Sendable func length(_ cell: StoredCell) -> StoredCell {
            if case .text(let text) = cell { .real(Double(text.utf8.count)) } else { .empty }
        }
        var living = Set(ids)
        var dead: Set<RecordID> = []
        func swap() throws {
            if let id = living.sorted().randomElement(using: &random), Bool.random(using: &random) {
                try store.delete([id])
                living.remove(id)
                dead.insert(id)
            } else if let id = dead.sorted().randomElement(using: &random) {
                try store.restore([id])
                dead.remove(id)
                living.insert(id)
            }
        }
        for _ in 0..<120 { try swap() }
        let retyping = try store.begin(fields[1].id, to: .number)
        while try !store.convert(retyping, limit: 9, length) { for _ in 0..<6 { try swap() } }
        for _ in 0..<5 { try swap() }
        try store.finish(retyping, as: Sample.field(2, .number, .number(precision: 0)), length)
        for id in dead { try store.restore([id]) }
        for (place, id) in ids.enumerated() {
            #expect(try store.cells(id)?[1] == .real(Double(place % 50 + 1)), "seed \(seed)")
        }
        folder.close(store)
    }
}
