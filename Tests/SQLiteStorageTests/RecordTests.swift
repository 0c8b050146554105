import CivilTime
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@Suite struct RecordTests {
    let folder = TestFolder()
    let clock = TestClock()

    private func open() throws -> SQLiteStorage {
        let clock = clock
        return try folder.open { $0.clock = { clock.now } }
    }

    @Test func `A record reads as it was written, in every kept type, also after reopening`() throws {
        var store = try open()
        try store.makeSample(Sample.everyType)
        let cells: [Cell] = [
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
        expected[11] = .integer(clock.now.milliseconds)
        expected[12] = .text(Sample.user.description)
        expected[13] = .text(Sample.user.description)
        #expect(try store.cells(id) == expected)
        folder.close(store)
        store = try open()
        #expect(try store.cells(id) == expected)
        folder.close(store)
    }

    @Test func `Records are read by ids in the order of the ids, missing ones left out`() throws {
        let store = try open()
        try store.makeSample([Sample.field(1, .singleLineText), Sample.field(2, .number)])
        let ids = try store.add((0..<5).map { [(0, .text("\($0)")), (1, .real(Double($0)))] })
        let unknown = RecordID(text: IdentifierText(time: 1, counter: 1))
        let table = try store.table()
        let batch = try store.read { (reader) throws(APIError) in
            try reader.records([ids[3], unknown, ids[0], ids[3]], in: table, fields: [1, 0])
        }
        #expect(batch.ids == [ids[3], ids[0], ids[3]])
        #expect(batch.cell(record: 1, field: 0) == .real(0))
        #expect(batch.cell(record: 2, field: 1) == .text("3"))
        #expect(try store.cells(unknown) == nil)
        folder.close(store)
    }

    @Test func `An update changes the cells named and no others, and marks the record as modified`() throws {
        let store = try open()
        var fields = Sample.everyType
        fields[11].options = .lastModifiedTime(referencedFieldIDs: [fields[1].id], result: .standard)
        try store.makeSample(fields)
        let id = try store.add([[(0, .text("a")), (1, .real(1))]])[0]
        let created = clock.now.milliseconds
        clock.advance(1000)
        try store.update(id, [(0, .text("b"))], by: Sample.other)
        var cells = try #require(try store.cells(id))
        #expect(cells[0] == .text("b"))
        #expect(cells[1] == .real(1))
        // Only field 2 is watched for the time; any field for the user.
        #expect(cells[11] == .empty)
        #expect(cells[13] == .text(Sample.other.description))
        try store.update(id, [(1, .empty), (0, .text(""))])
        cells = try #require(try store.cells(id))
        #expect(cells[1] == .empty)
        #expect(cells[11] == .integer(created + 1000))
        #expect(cells[10] == .integer(created))
        folder.close(store)
    }

    @Test func `A lastModifiedTime field on an old table starts from what is known`() throws {
        let store = try open()
        try store.makeSample([Sample.field(1, .singleLineText)])
        let ids = try store.add([[], []])
        let created = clock.now.milliseconds
        clock.advance(5000)
        try store.update(ids[0], [(0, .text("x"))])
        let table = try store.table()
        try store.write { (writer) throws(APIError) in
            try writer.updateTable(
                table.changed(
                    fields: table.fields + [
                        Sample.field(
                            2, .lastModifiedTime, .lastModifiedTime(referencedFieldIDs: [], result: .standard)),
                        Sample.field(3, .lastModifiedBy),
                    ]))
        }
        let first = try #require(try store.cells(ids[0]))
        #expect(first == [.text("x"), .integer(clock.now.milliseconds), .text(Sample.user.description)])
        #expect(try store.cells(ids[1]) == [.empty, .integer(created), .text(Sample.user.description)])
        folder.close(store)
    }

    @Test func `Changing or removing a record that does not exist is an error and changes nothing`() throws {
        let store = try open()
        try store.makeSample([Sample.field(1, .singleLineText)])
        let id = try store.add([[(0, .text("a"))]])[0]
        let unknown = RecordID(text: IdentifierText(time: 1, counter: 1))
        #expect(throws: APIError.recordDoesNotExist(unknown.description)) {
            try store.update(unknown, [(0, .text("b"))])
        }
        #expect(throws: APIError.recordDoesNotExist(unknown.description)) { try store.delete([id, unknown]) }
        #expect(throws: APIError.recordDoesNotExist(id.description)) { try store.delete([id, id]) }
        #expect(try store.cells(id) == [.text("a")])
        #expect(try store.count() == 1)
        try store.delete([id])
        #expect(try store.cells(id) == nil)
        #expect(try store.count() == 0)
        folder.close(store)
    }

    @Test func `Record numbers are never given twice, also after the last was removed and a restart`() throws {
        var store = try open()
        try store.makeSample([Sample.field(1, .singleLineText), Sample.field(2, .autoNumber)])
        let ids = try store.add([[], [], []])
        try store.delete([ids[2]])
        folder.close(store)
        store = try open()
        let next = try store.add([[]])[0]
        #expect(try store.cells(next)?[1] == .integer(4))
        #expect(next > ids[2])
        folder.close(store)
    }

    @Test func `Record ids go up when the clock stands still, goes back, and after a restart`() throws {
        var store = try open()
        try store.makeSample([Sample.field(1, .singleLineText)])
        var ids = try store.add(Array(repeating: [], count: 50))
        clock.advance(-100_000)
        ids += try store.add(Array(repeating: [], count: 50))
        folder.close(store)
        store = try open()
        ids += try store.add(Array(repeating: [], count: 50))
        clock.advance(1_000_000)
        ids += try store.add(Array(repeating: [], count: 50))
        #expect(ids == ids.sorted())
        #expect(Set(ids).count == 200)
        #expect(ids.last?.text.time == UInt64(clock.now.milliseconds))
        folder.close(store)
    }

    @Test func `Two tables and two fields whose ids differ only by case are kept apart`() throws {
        let store = try open()
        func id(_ text: String) throws -> IdentifierText { try #require(IdentifierText(text, after: "")) }
        let upper = Field(id: FieldID(text: try id("ABCDEFGHIJKLMN")), name: "A", type: .singleLineText, options: .none)
        let lower = Field(id: FieldID(text: try id("abcdefghijklmn")), name: "a", type: .singleLineText, options: .none)
        let first = TableID(text: try id("TABLETABLETABL"))
        let second = TableID(text: try id("tabletabletabl"))
        try store.write { (writer) throws(APIError) in
            try writer.createBase(
                Sample.baseSchema([
                    Sample.tableSchema([upper, lower], id: first), Sample.tableSchema([lower, upper], id: second),
                ]))
        }
        let one = try store.add([[(0, .text("upper")), (1, .text("lower"))]], to: first)[0]
        let two = try store.add([[(0, .text("l2")), (1, .text("u2"))]], to: second)[0]
        #expect(try store.cells(one, in: first) == [.text("upper"), .text("lower")])
        #expect(try store.cells(two, in: second) == [.text("l2"), .text("u2")])
        #expect(try store.cells(two, in: first) == nil)
        folder.close(store)
    }

    @Test func `Records are found by equal cells, empty ones too, with and without an index`() throws {
        let store = try open()
        try store.makeSample(Sample.everyType)
        var random = SeededRandom(7)
        let rows = (0..<1500).map { _ in Sample.randomCells(&random) }
        let ids = try store.add(rows)
        let table = try store.table()
        for probe in rows.prefix(40) {
            let cells: [Cell] = [0, 4, 1].map { field in (field, probe.last { $0.field == field }?.value ?? .empty) }
            let expected = ids.indices.filter { index in
                cells.allSatisfy { cell in
                    (rows[index].last { $0.field == cell.field }?.value ?? .empty) == cell.value
                }
            }.map { ids[$0] }
            let read = try store.read { (reader) throws(APIError) in try reader.find(cells, in: table, limit: 2000) }
            let written = try store.write { (writer) throws(APIError) in
                try writer.find(cells, in: table, limit: 2000)
            }
            #expect(read.sorted() == expected)
            #expect(written.sorted() == expected)
        }
        let some = try store.read { (reader) throws(APIError) in
            try reader.find([(2, .integer(1))], in: table, limit: 2)
        }
        #expect(some.count == 2)
        folder.close(store)
    }

    @Test func `Removed choices leave single and multiple selects`() throws {
        let store = try open()
        try store.makeSample(Sample.everyType)
        let ids = try store.add([
            [(4, .integer(1)), (5, .text("[1,2,3]"))], [(4, .integer(2)), (5, .text("[2]"))], [(5, .text("[11]"))],
        ])
        let table = try store.table()
        let changes = try store.write { (writer) throws(APIError) in
            try [4, 5].map { (position) throws(APIError) in
                let field = table.fields[position].id
                let (changes, next) = try writer.removeChoices([2, 3], of: field, in: table, after: 0)
                #expect(next == nil)
                return changes
            }
        }
        #expect(changes.map { $0.map(\.record) } == [[ids[1]], [ids[0], ids[1]]])
        #expect(changes[1][0].cells[0].before == .text("[1,2,3]") && changes[1][0].cells[0].after == .text("[1]"))
        #expect(try store.cells(ids[0])?[4...5] == [.integer(1), .text("[1]")])
        #expect(try store.cells(ids[1])?[4...5] == [.empty, .empty])
        #expect(try store.cells(ids[2])?[4...5] == [.empty, .text("[11]")])
        folder.close(store)
    }

    /// As when the program ends between the change of a field and that of its cells, or the field goes to the trash.
    @Test func `Cells are cleared of a removed choice though what began it was cut off`() throws {
        var store = try open()
        try store.makeSample(Sample.everyType)
        let ids = try store.add([[(4, .integer(1))], [(4, .integer(2))]])
        let table = try store.table()
        var left = table.fields[4]
        left.options = .choices(left.choices.filter { $0.number != 2 }, given: 3)
        let fields = table.fields.map { [left] in $0.id == left.id ? left : $0 }
        try store.write { (writer) throws(APIError) in
            try writer.updateTable(table.changed(fields: fields))
            try writer.updateTable(table.changed(fields: fields.filter { $0.type != .singleSelect }))
        }
        clock.advance(61_000)
        store.tidy()
        let hidden = try store.table()
        try store.write { (writer) throws(APIError) in try writer.updateTable(hidden.changed(fields: fields)) }
        #expect(try store.cells(ids[1])?[4] == .integer(2))
        folder.close(store)
        store = try open()
        store.tidy()
        #expect(try store.cells(ids[1])?[4] == .empty)
        #expect(try store.cells(ids[0])?[4] == .integer(1))
        folder.close(store)
    }
}
