import Platform
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@Suite struct MomentTests {
    private let folder = TestFolder()
    private static let fields = [
        Sample.field(1, .singleLineText), Sample.field(2, .singleSelect, Sample.choices(["a"])),
    ]

    private func texts(_ storage: any Storage) throws -> [StoredCell] {
        let table = try #require(storage.schema.base(Sample.base)?.tables.first)
        let plan = PagePlan(table: table, fields: [0], order: [], after: nil, limit: 100)
        let page = try storage.read { (reader) throws(APIError) in try reader.page(plan) }
        return page.batch.ids.indices.map { page.batch.cell(record: $0, field: 0) }
    }

    @Test func `A moment stays as it was, schema and records`() throws {
        let store = try folder.open()
        try store.makeSample(Self.fields)
        let ids = try store.add([[(0, .text("a"))], [(0, .text("b"))]])
        let moment = try store.moment()
        let version = moment.schema.version
        try store.update(ids[0], [(0, .text("changed"))])
        try store.delete([ids[1]])
        try store.add([[(0, .text("new"))]])
        let table = try store.table()
        try store.write { (writer) throws(APIError) in
            try writer.updateTable(table.changed(fields: [Sample.field(1, .singleLineText, name: "Other")]))
        }
        #expect(try texts(moment) == [.text("a"), .text("b")])
        #expect(moment.schema.version == version)
        #expect(moment.schema.base(Sample.base)?.tables.first?.fields.count == 2)
        #expect(try texts(store) == [.text("changed"), .text("new")])
        #expect(try texts(try store.moment()) == [.text("changed"), .text("new")])
        #expect(throws: APIError.self) { try moment.write { (_) throws(APIError) in } }
        folder.close(store)
        // Let go by the store when it closes.
        #expect(throws: APIError.self) { try texts(moment) }
    }

    @Test func `Schema and records of a moment belong together, however fast both change`() throws {
        let store = try folder.open()
        try store.makeSample(Self.fields)
        let record = try store.add([[(1, .integer(1))]])[0]
        let isDone = Guarded(false)
        let writer = OwnThread(name: "writer") {
            for number in 2...400 {
                // A choice and the cell that has it come in one write.
                _ = try? store.write { (writer) throws(APIError) in
                    guard let table = writer.schema.base(Sample.base)?.table(Sample.table) else { return }
                    var fields = table.fields
                    fields[1].options = Sample.choices((1...number).map { "c\($0)" })
                    let changed = table.changed(fields: fields)
                    try writer.updateTable(changed)
                    try writer.update(
                        record, in: changed, cells: [(1, .integer(Int64(number)))], by: Sample.user)
                }
            }
            isDone.withLock { $0 = true }
        }
        var count = 0
        while !isDone.withLock({ $0 }) {
            let moment = try store.moment()
            let table = try #require(moment.schema.base(Sample.base)?.table(Sample.table))
            let batch = try moment.read { (reader) throws(APIError) in
                try reader.record(record, in: table, fields: [1])
            }
            let cell = try #require(batch).cell(record: 0, field: 0)
            #expect(cell == .integer(Int64(table.fields[1].choices.count)))
            count += 1
        }
        writer?.join()
        #expect(count > 0)
        folder.close(store)
    }
}
