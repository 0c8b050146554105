import CivilTime
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@Suite struct RecordTests {
    let folder = TestFolder()

    @Test func `A record reads as it was written, in every kept type, also after reopening`() throws {
        let clock = TestClock()
        var store = try folder.open { $0.clock = { clock.now } }
        try store.makeSample(Sample.everyType)
        let cells: [(field: Int, value: StoredCell)] = [
            (0, .text("O'Hara; \"x\" } 🫖 茶\0end")), (1, .real(-0.1)), (2, .integer(1)), (3, .integer(-86_400_000)),
            (4, .integer(2)), (5, .text("[3,1]")), (6, .text(Sample.user.description)),
            (7, .text("\(Sample.user),\(Sample.other)")), (8, .text("{\"text\":\"123\"}")), (14, .real(3)),
            (15, .real(90.5)), (16, .text("a\nb")),
        ]
        let id = try store.add([[], cells])[1]
        var expected = [StoredCell](repeating: .empty, count: Sample.everyType.count)
        for cell in cells { expected[cell.field] = cell.value }
        expected[9] = .integer(2)
        expected[10] = .integer(clock.now.milliseconds)
        expected[12] = .text(Sample.user.description)
        #expect(try store.cells(id) == expected)
        folder.close(store)
        store = try folder.open()
        #expect(try store.cells(id) == expected)
        folder.close(store)
    }

    @Test func `A page follows the order of ids and goes on after a deleted record`() throws {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText)])
        let ids = try store.add((0..<25).map { [(0, .text("\($0)"))] })
        let table = store.sample
        func page(after: RecordID?, limit: Int) throws -> StoredPage {
            try store.read { (reader) throws(APIError) in
                try reader.page(
                    PagePlan(
                        table: table, fields: [0], order: [], after: after.map { PagePosition(record: $0, key: []) },
                        limit: limit))
            }
        }
        let first = try page(after: nil, limit: 10)
        #expect(first.batch.ids == Array(ids[..<10]))
        #expect(first.hasMore)
        try store.write { (writer) throws(APIError) in try writer.delete([ids[9], ids[10]], in: table) }
        let second = try page(after: first.last?.record, limit: 14)
        #expect(second.batch.ids == Array(ids[11...]))
        #expect(!second.hasMore)
        #expect(try store.read { (reader) throws(APIError) in try reader.recordCount(of: table.id) } == 23)
        folder.close(store)
    }
}
