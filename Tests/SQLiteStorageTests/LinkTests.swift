import CivilTime
import Platform
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@Suite struct LinkTests {
    let folder = TestFolder()

    private func open() throws -> SQLiteStorage {
        let store = try folder.open()
        try LinkSample.make(in: store)
        return store
    }

    @Test func `A link shows on both sides, new ones last on the other side`() throws {
        let store = try open()
        let customers = try store.add([[], [], []], to: LinkSample.customers)
        let orders = try store.add([
            [(1, .links([customers[1], customers[0]]))], [(1, .links([customers[0]]))], [],
        ])
        #expect(try store.links(orders[0], 1) == [customers[1], customers[0]])
        #expect(try store.links(customers[0], 1, in: LinkSample.customers) == [orders[0], orders[1]])
        #expect(try store.links(customers[2], 1, in: LinkSample.customers) == [])
        try store.setLinks(customers[0], 1, in: LinkSample.customers, to: [orders[2], orders[1]])
        #expect(try store.links(customers[0], 1, in: LinkSample.customers) == [orders[2], orders[1]])
        #expect(try store.links(orders[0], 1) == [customers[1]])
        #expect(try store.links(orders[2], 1) == [customers[0]])
        try store.setLinks(orders[2], 1, to: [])
        #expect(try store.links(customers[0], 1, in: LinkSample.customers) == [orders[1]])
        folder.close(store)
    }

    @Test func `The order sent is the order read, and what comes twice is kept once`() throws {
        let store = try open()
        let customers = try store.add([[], [], [], []], to: LinkSample.customers)
        let order = try store.add([[]])[0]
        let all = [3, 1, 0, 2].map { customers[$0] }
        try store.setLinks(order, 1, to: all + all)
        #expect(try store.links(order, 1) == all)
        try store.setLinks(order, 1, to: all.reversed())
        #expect(try store.links(order, 1) == all.reversed())
        try store.setLinks(order, 1, to: [customers[0], customers[3]])
        #expect(try store.links(order, 1) == [customers[0], customers[3]])
        folder.close(store)
    }

    @Test func `Moving a link in one cell does not move it in the other`() throws {
        let store = try open()
        let customers = try store.add([[], []], to: LinkSample.customers)
        let orders = try store.add([[(1, .links(customers))], [(1, .links(customers))]])
        try store.setLinks(orders[0], 1, to: customers.reversed())
        #expect(try store.links(customers[1], 1, in: LinkSample.customers) == orders)
        folder.close(store)
    }

    @Test func `A link to a record that is not in the linked table is refused, and nothing is written`() throws {
        let store = try open()
        let customer = try store.add([[]], to: LinkSample.customers)[0]
        let order = try store.add([[]])[0]
        for stranger in [order, RecordID(text: IdentifierText(time: 1, counter: 99))] {
            #expect(throws: APIError.recordDoesNotExist(stranger.description)) {
                try store.setLinks(order, 1, to: [customer, stranger])
            }
            #expect(throws: APIError.recordDoesNotExist(stranger.description)) {
                try store.add([[(1, .links([customer, stranger]))]])
            }
        }
        #expect(try store.links(order, 1) == [])
        #expect(try store.links(customer, 1, in: LinkSample.customers) == [])
        #expect(try store.count() == 1)
        folder.close(store)
    }

    @Test func `A deleted record is gone from every cell, and its links do not come back with a new one`() throws {
        let store = try open()
        let customers = try store.add([[], []], to: LinkSample.customers)
        let orders = try store.add([[(1, .links(customers))], [(1, .links(customers))]])
        try store.setLinks(orders[0], 2, to: [orders[1], orders[0]])
        try store.setLinks(orders[1], 2, to: [orders[0]])
        try store.delete([orders[1]])
        #expect(try store.links(orders[0], 2) == [orders[0]])
        #expect(try store.links(customers[0], 1, in: LinkSample.customers) == [orders[0]])
        try store.delete([customers[0]], from: LinkSample.customers)
        #expect(try store.links(orders[0], 1) == [customers[1]])
        let new = try store.add([[]])[0]
        #expect(try store.links(new, 1) == [] && store.links(new, 2) == [])
        folder.close(store)
        #expect(SQLiteStorage.rows("SELECT count(*) FROM l_1", folder: folder.path) == ["1"])
        #expect(SQLiteStorage.rows("SELECT count(*) FROM l_2", folder: folder.path) == ["1"])
    }

    @Test func `Links outlive the store, and a field that was hidden comes back with them`() throws {
        var store = try open()
        let customers = try store.add([[], []], to: LinkSample.customers)
        let orders = try store.add([[(1, .links(customers))], [(1, .links([customers[0]]))]])
        folder.close(store)
        store = try folder.open()
        #expect(try store.links(customers[0], 1, in: LinkSample.customers) == orders)
        let (table, linked) = (try store.table(), try store.table(LinkSample.customers))
        try store.write { (writer) throws(APIError) in
            try writer.updateTable(table.changed(fields: [table.fields[0]]))
            try writer.updateTable(linked.changed(fields: [linked.fields[0]]))
        }
        // What is deleted meanwhile is not there afterwards.
        try store.delete([orders[0]])
        folder.close(store)
        store = try folder.open()
        try store.write { (writer) throws(APIError) in
            try writer.updateTable(table.changed(fields: table.fields))
            try writer.updateTable(linked.changed(fields: linked.fields))
        }
        #expect(try store.links(orders[1], 1) == [customers[0]])
        #expect(try store.links(customers[0], 1, in: LinkSample.customers) == [orders[1]])
        #expect(try store.links(customers[1], 1, in: LinkSample.customers) == [])
        folder.close(store)
    }

    @Test func `Fields made one after the other share their links, and a failed schema change leaves none`() throws {
        let store = try folder.open()
        let (name, other) = (Sample.field(20, .singleLineText), Sample.field(31, .singleLineText))
        try store.write { (writer) throws(APIError) in
            try writer.createBase(
                Sample.baseSchema([
                    Sample.tableSchema([name]), Sample.tableSchema([other], id: LinkSample.customers),
                ]))
        }
        let (table, linked) = (try store.table(), try store.table(LinkSample.customers))
        for isRefused in [true, false] {
            try? store.write { (writer) throws(APIError) in
                try writer.updateTable(table.changed(fields: [name, LinkSample.customer, LinkSample.parts]))
                try writer.updateTable(linked.changed(fields: [other, LinkSample.ordersOf]))
                if isRefused { throw .internalError }
            }
        }
        let customer = try store.add([[]], to: LinkSample.customers)[0]
        let order = try store.add([[(1, .links([customer]))]])[0]
        #expect(try store.links(customer, 1, in: LinkSample.customers) == [order])
        folder.close(store)
        #expect(SQLiteStorage.rows("SELECT number, a_table, b_table FROM links", folder: folder.path).count == 2)
    }

    @Test func `A link counts as a change of the record it was written to, not of the linked one`() throws {
        let clock = TestClock()
        let store = try folder.open { $0.clock = { clock.now } }
        let changed = Sample.field(40, .lastModifiedTime, .lastModifiedTime(referencedFieldIDs: [], result: .standard))
        try store.write { (writer) throws(APIError) in
            try writer.createBase(
                Sample.baseSchema([
                    Sample.tableSchema(LinkSample.orderFields + [changed]),
                    Sample.tableSchema(LinkSample.customerFields + [changed], id: LinkSample.customers),
                ]))
        }
        let customer = try store.add([[]], to: LinkSample.customers)[0]
        let order = try store.add([[]])[0]
        clock.advance(5_000)
        try store.setLinks(order, 1, to: [customer])
        #expect(try store.cells(order)?[3] == .integer(clock.now.milliseconds))
        #expect(try store.cells(customer, in: LinkSample.customers)?[2] == .integer(clock.now.milliseconds - 5_000))
        folder.close(store)
    }

    @Test func `An order by a link field is that of ids, asks for no index and is not immediate in a large table`()
        throws
    {
        let store = try open()
        let customer = try store.add([[]], to: LinkSample.customers)[0]
        let ids = try store.add((0..<600).map { $0 % 2 == 0 ? [] : [(1, .links([customer]))] })
        let order = [SortKey(field: 1, direction: .asc)]
        #expect(try store.isImmediate(order) == false)
        #expect(try store.walk(order) == ids)
        #expect(!store.isBuildingIndexes)
        folder.close(store)
    }
}
