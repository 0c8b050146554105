import CivilTime
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@Suite struct PurgeTests {
    private let folder = TestFolder()
    private let clock = TestClock()
    private static let day: Int64 = 86_400_000

    private func open(days: Int = 30, purges: Bool = true) throws -> SQLiteStorage {
        let clock = clock
        return try folder.open {
            $0.clock = { clock.now }
            $0.trashDays = days
            $0.purgesTrash = purges
        }
    }

    private func rows(_ sql: String) -> [String] { SQLiteStorage.rows(sql, folder: folder.path) }

    /// Hides a field as the engine does, and its entry in the trash.
    private func discard(_ ids: [(TableID, FieldID)], _ store: SQLiteStorage) throws {
        try store.write { (writer) throws(APIError) in
            for (id, field) in ids {
                guard let table = writer.schema.base(Sample.base)?.table(id) else { throw .internalError }
                try writer.updateTable(table.changed(fields: table.fields.filter { $0.id != field }))
            }
            try writer.addToTrash(
                NewTrashEntry(
                    kind: .field, id: ids[0].1.text, base: Sample.base, table: ids[0].0, name: "F", user: Sample.user,
                    fields: ids.map { FieldPlace(table: $0.0, field: $0.1) }))
        }
    }

    private func discardTable(_ id: TableID, with fields: [FieldPlace] = [], _ store: SQLiteStorage) throws {
        try store.write { (writer) throws(APIError) in
            for place in fields {
                guard let table = writer.schema.base(Sample.base)?.table(place.table) else { throw .internalError }
                try writer.updateTable(table.changed(fields: table.fields.filter { $0.id != place.field }))
            }
            try writer.deleteTable(id, in: Sample.base)
            try writer.addToTrash(
                NewTrashEntry(
                    kind: .table, id: id.text, base: Sample.base, table: id, name: "T", user: Sample.user,
                    fields: fields))
        }
    }

    @Test func `Records go after thirty days to the millisecond, and what was restored is forgotten`() throws {
        let store = try open()
        try store.makeSample([Sample.field(1, .singleLineText)])
        let ids = try store.add((0..<1_200).map { [(0, .text("\($0)"))] })
        for start in stride(from: 0, to: 1_100, by: 100) { try store.delete(Array(ids[start..<start + 100])) }
        try store.restore([ids[5]])
        clock.advance(1)
        try store.delete([ids[1_150]])
        clock.advance(30 * Self.day - 1)
        store.tidyAll()
        #expect(try store.trash().count == 1_100)
        clock.advance(1)
        store.tidyAll()
        #expect(try store.trash().map(\.id) == [ids[1_150].text])
        try store.restore([ids[1_150]])
        #expect(try store.cells(ids[1_150])?[0] == .text("1150"))
        #expect(try store.count() == 101)
        clock.advance(30 * Self.day)
        store.tidyAll()
        folder.close(store)
        #expect(rows("SELECT count(*) FROM d_1") == ["0"])
        #expect(rows("SELECT count(*) FROM trash") == ["0"])
    }

    @Test func `A command leaves the trash alone`() throws {
        var store = try open()
        try store.makeSample([Sample.field(1, .singleLineText)])
        let id = try store.add([[(0, .text("kept"))]])[0]
        try store.delete([id])
        folder.close(store)
        clock.advance(100 * Self.day)
        store = try open(purges: false)
        store.tidyAll()
        folder.close(store)
        store = try open(days: 200)
        store.tidyAll()
        try store.restore([id])
        #expect(try store.cells(id)?[0] == .text("kept"))
        folder.close(store)
    }

    @Test func `A purge of a table goes on where it was cut off, and nothing of it can be restored`() throws {
        var store = try open()
        try LinkSample.make(in: store)
        let orders = try store.add((0..<30).map { [(0, .text("\($0)"))] })
        let names = (0..<12_000).map { number -> [Cell] in
            [(0, .text("customer \(number)")), (1, .links([orders[number % 20]]))]
        }
        let customers = try store.add(names, to: LinkSample.customers)
        try store.delete(Array(customers.prefix(700)), from: LinkSample.customers)
        try store.delete([orders[0]])
        let inverse = FieldPlace(table: LinkSample.orders, field: LinkSample.customer.id)
        try discardTable(LinkSample.customers, with: [inverse], store)
        clock.advance(30 * Self.day + 1)
        // So many steps are not enough.
        store.tidy()
        #expect(try store.trash() == [])
        folder.close(store)
        let left = Int(rows("SELECT count(*) FROM t_2").first ?? "") ?? 0
        #expect((1..<11_300).contains(left))
        // Longer kept from now on: what has begun to go goes all the same.
        store = try open(days: 1_000)
        #expect(try store.trash() == [])
        store.tidyAll()
        #expect(try store.walk([]) == Array(orders.dropFirst()))
        // Deleting and restoring in the other table works on, without and after a restart.
        try store.delete([orders[7]])
        try store.restore([orders[7]])
        folder.close(store)
        store = try open(days: 1_000)
        try store.delete([orders[7]])
        try store.restore([orders[7]])
        #expect(try store.table().fields.map(\.name) == ["Field 20", "Parts"])
        try store.setLinks(orders[3], 1, to: [orders[7]])
        folder.close(store)
        #expect(rows("SELECT name FROM sqlite_schema WHERE name IN ('t_2', 'd_2', 'l_1')") == [])
        #expect(rows("SELECT count(*) FROM trash_links WHERE link = 1") == ["0"])
        #expect(rows("SELECT count(*) FROM fields WHERE table_number = 2 OR link = 1") == ["0"])
        #expect(rows("SELECT is_purged FROM tables") == ["0", "1"])
    }

    @Test func `A purged field leaves an empty column that a change of type takes, and no links`() throws {
        var store = try open()
        try LinkSample.make(in: store)
        let more = Sample.field(40, .singleLineText)
        let old = try store.table()
        try store.write { (writer) throws(APIError) in
            try writer.updateTable(old.changed(fields: old.fields + [more]))
        }
        let customer = try store.add([[(0, .text("c"))]], to: LinkSample.customers)[0]
        let ids = try store.add(
            (0..<1_300).map { [(0, .text("name")), (1, .links([customer])), (3, .text("secret \($0)"))] })
        try store.delete(Array(ids.prefix(20)))
        try discard([(LinkSample.orders, more.id)], store)
        try discard(
            [(LinkSample.orders, LinkSample.customer.id), (LinkSample.customers, LinkSample.ordersOf.id)], store)
        clock.advance(1)
        try store.delete(Array(ids[20..<40]))
        clock.advance(30 * Self.day)
        store.tidyAll()
        #expect(try store.trash().count == 20)
        try store.restore(Array(ids[20..<40]))
        try store.delete([customer], from: LinkSample.customers)
        folder.close(store)
        #expect(rows("SELECT name FROM sqlite_schema WHERE name = 'l_1'") == [])
        #expect(rows("SELECT count(*) FROM links") == ["1"])
        let column = rows("SELECT number FROM fields WHERE kept = 'TEXT' AND is_retired = 3")
        try #require(column.count == 1)
        #expect(rows("SELECT count(f_\(column[0])) FROM t_1") == ["0"])
        #expect(rows("SELECT count(f_\(column[0])) FROM d_1") == ["0"])
        store = try open()
        let retyping = try store.begin(LinkSample.orderFields[0].id, to: .multilineText)
        #expect(retyping.place == Int(column[0]))
        while try !store.convert(retyping, limit: 500, { $0 }) {}
        try store.finish(retyping, as: Sample.field(20, .multilineText), { $0 })
        #expect(try store.cells(ids[1_000])?[0] == .text("name"))
        folder.close(store)
    }

    @Test func `A purged base takes everything with it and nothing else`() throws {
        var store = try open()
        try LinkSample.make(in: store)
        let orders = try store.add((0..<800).map { [(0, .text("\($0)"))] })
        try store.delete(Array(orders.prefix(600)))
        try discardTable(LinkSample.customers, store)
        let other = BaseID(text: IdentifierText(time: 2, counter: 9))
        let table = TableSchema(
            id: TableID(text: IdentifierText(time: 3, counter: 9)), base: other, name: "Other", description: nil,
            primaryFieldID: Sample.field(60, .singleLineText).id, fields: [Sample.field(60, .singleLineText)],
            views: [View(id: ViewID(text: IdentifierText(time: 3, counter: 9)), name: "Grid", type: "grid")],
            version: 1)
        try store.write { (writer) throws(APIError) in
            try writer.createBase(
                BaseSchema(
                    id: other, name: "Other", workspace: WorkspaceID(text: IdentifierText(time: 4, counter: 1)),
                    createdTime: Sample.time, tables: [table]))
            try writer.insert([NewRecord(id: writer.newRecordID(), cells: [])], in: table, by: Sample.user)
            try writer.deleteBase(Sample.base)
            try writer.addToTrash(
                NewTrashEntry(
                    kind: .base, id: Sample.base.text, base: Sample.base, table: nil, name: "Sample",
                    user: Sample.user, fields: []))
        }
        clock.advance(30 * Self.day + 1)
        store.tidyAll()
        folder.close(store)
        #expect(rows("SELECT count(*) FROM trash") == ["0"])
        #expect(rows("SELECT name FROM bases") == ["Other"])
        #expect(rows("SELECT name FROM sqlite_schema WHERE name GLOB '[tdl]_[0-9]*' ORDER BY name") == ["d_3", "t_3"])
        store = try open()
        #expect(try store.read { (reader) throws(APIError) in try reader.recordCount(of: table.id) } == 1)
        folder.close(store)
    }

    @Test(arguments: [true, false])
    func `A base whose making was cut off is gone when the folder is opened, and soon goes for good`(
        isAbandoned: Bool
    ) throws {
        var store = try open(purges: false)
        try store.write { (writer) throws(APIError) in
            let fields = [Sample.field(1, .singleLineText)]
            try writer.insert(Sample.person)
            try writer.createBase(Sample.baseSchema([Sample.tableSchema(fields)]).begun())
        }
        #expect(store.schema.bases.isEmpty)
        try store.add((0..<1_200).map { [(0, .text("\($0)"))] })
        if isAbandoned { try store.write { (writer) throws(APIError) in try writer.abandonBase(Sample.base) } }
        folder.close(store)
        store = try open(purges: false)
        #expect(store.schema.allBases.isEmpty)
        store.tidyAll()
        folder.close(store)
        #expect(rows("SELECT count(*) FROM bases") == ["0"])
        #expect(rows("SELECT count(*) FROM trash") == ["0"])
        #expect(rows("SELECT name FROM sqlite_schema WHERE name GLOB '[tdl]_[0-9]*'").isEmpty)
    }

    @Test func `A finished base is like any other`() throws {
        var store = try open()
        try store.write { (writer) throws(APIError) in
            try writer.insert(Sample.person)
            try writer.createBase(
                Sample.baseSchema([Sample.tableSchema([Sample.field(1, .singleLineText)])]).begun())
        }
        let ids = try store.add([[(0, .text("a"))]])
        try store.write { (writer) throws(APIError) in try writer.finishBase(Sample.base) }
        #expect(store.schema.bases.count == 1)
        folder.close(store)
        store = try open()
        store.tidyAll()
        #expect(store.schema.bases.count == 1)
        #expect(try store.walk([]) == ids)
        #expect(throws: APIError.self) {
            try store.write { (writer) throws(APIError) in try writer.abandonBase(Sample.base) }
        }
        folder.close(store)
    }

    @Test func `A restored base and its tables stand where they stood`() throws {
        var store = try open()
        try LinkSample.make(in: store)
        let order = try store.add([[(0, .text("o"))]])[0]
        let customer = try store.add([[(0, .text("c")), (1, .links([order]))]], to: LinkSample.customers)[0]
        for _ in 0..<2 {
            try store.write { (writer) throws(APIError) in
                try writer.deleteTable(Sample.table, in: Sample.base)
                _ = try writer.restoreTable(Sample.table, in: Sample.base, named: "Back")
                try writer.deleteBase(Sample.base)
                _ = try writer.restoreBase(Sample.base)
            }
            #expect(store.schema.bases.map(\.name) == ["Sample"])
            #expect(store.schema.base(Sample.base)?.tables.map(\.id) == [Sample.table, LinkSample.customers])
            #expect(try store.table().name == "Back")
            #expect(try store.links(order, 1) == [customer])
            let next = try store.add([[(1, .links([customer]))]])[0]
            #expect(next > order)
            #expect(try store.links(customer, 1, in: LinkSample.customers)?.last == next)
            folder.close(store)
            store = try open()
        }
        #expect(try store.count() == 3)
        folder.close(store)
    }
}
