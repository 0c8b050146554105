import Platform
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@Suite struct RetypingTests {
    private let folder = TestFolder()
    private static let field = Sample.field(2, .singleLineText)
    private static let number = Sample.field(2, .number, .number(precision: 0))

    private static func length(_ cell: StoredCell) -> StoredCell {
        guard case .text(let text) = cell else { return .empty }
        return .real(Double(text.utf8.count))
    }

    private func make(_ texts: [String]) throws -> (store: SQLiteStorage, ids: [RecordID]) {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText), Self.field])
        return (store, try store.add(texts.map { [(1, .text($0))] }))
    }

    @Test func `Cells written while a column is filled are converted as they are at the end`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed)
        let (store, first) = try make((0..<300).map { String(repeating: "x", count: $0 % 17) })
        var ids = first
        let retyping = try store.begin(Self.field.id, to: .number)
        var isDone = false
        while !isDone {
            isDone = try store.convert(retyping, limit: 7, Self.length)
            for _ in 0..<2 {
                let text = String(repeating: "y", count: Int.random(in: 0...40, using: &random))
                try store.update(ids[Int.random(in: 0..<ids.count, using: &random)], [(1, .text(text))])
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                try store.delete([ids.remove(at: Int.random(in: 0..<ids.count, using: &random))])
            }
            if ids.count < 320 { ids += try store.add([[(1, .text("new"))], []]) }
            // What everybody reads is as it was.
            #expect(try store.cells(ids[0])?[1] != .real(1))
        }
        var expected: [RecordID: StoredCell] = [:]
        for id in ids { expected[id] = Self.length(try #require(try store.cells(id)?[1])) }
        try store.finish(retyping, as: Self.number, Self.length)
        for id in ids { #expect(try store.cells(id)?[1] == expected[id], "seed \(seed)") }
        folder.close(store)
        let again = try folder.open()
        for id in ids { #expect(try again.cells(id)?[1] == expected[id], "seed \(seed)") }
        folder.close(again)
    }

    @Test func `Several threads may write while a column is filled`() throws {
        let (store, ids) = try make((0..<20).map { "start \($0)" })
        let retyping = try store.begin(Self.field.id, to: .number)
        let isOver = Guarded(false)
        let failures = Guarded(0)
        let writers = (0..<3).map { number in
            OwnThread(name: "writer \(number)") {
                var round = 0
                while !isOver.withLock(\.self) {
                    round += 1
                    let turn = round
                    let id = ids[(round * 7 + number) % ids.count]
                    do {
                        // Each writer names the field by what the table is when its turn comes.
                        try store.write { (writer) throws(APIError) in
                            guard let table = writer.schema.base(Sample.base)?.table(Sample.table) else { return }
                            let isText = table.fields[1].type == .singleLineText
                            let cell: StoredCell = isText ? .text("round \(turn)") : .real(Double(-turn))
                            try writer.update(id, in: table, cells: [(1, cell)], by: Sample.user)
                        }
                    } catch { failures.withLock { $0 += 1 } }
                }
            }
        }
        while try !store.convert(retyping, limit: 11, Self.length) {}
        try store.finish(retyping, as: Self.number, Self.length)
        isOver.withLock { $0 = true }
        for writer in writers { writer?.join() }
        #expect(failures.withLock(\.self) == 0)
        for id in ids {
            // A length of "start n" or "round n", or what was written as a number afterwards.
            guard case .real(let value)? = try store.cells(id)?[1] else {
                Issue.record("a text was left")
                continue
            }
            #expect(value < 0 || (7...14).contains(value))
        }
        folder.close(store)
    }

    @Test func `What is given up leaves the field as it was, and its column is used again`() throws {
        let (store, ids) = try make(["a", "bb", "ccc"])
        let first = try store.begin(Self.field.id, to: .number)
        #expect(throws: APIError.retriable) { try store.begin(Self.field.id, to: .date) }
        #expect(try store.convert(first, limit: 2, Self.length) == false)
        try store.abandon(first)
        #expect(throws: APIError.retriable) { try store.convert(first, limit: 2, Self.length) }
        #expect(try ids.map { try store.cells($0)?[1] } == [.text("a"), .text("bb"), .text("ccc")])
        let second = try store.begin(Self.field.id, to: .number)
        #expect(second.place == first.place)
        // What the first left must not come through.
        try store.finish(second, as: Self.number) { _ in .empty }
        #expect(try ids.map { try store.cells($0)?[1] } == [.empty, .empty, .empty])
        folder.close(store)
    }

    @Test func `A folder closed in between has the field as it was`() throws {
        let (store, ids) = try make(["a", "bb", "ccc"])
        let cut = try store.begin(Self.field.id, to: .number)
        _ = try store.convert(cut, limit: 2, Self.length)
        folder.close(store)
        let again = try folder.open()
        #expect(try again.table().fields[1] == Self.field)
        #expect(try ids.map { try again.cells($0)?[1] } == [.text("a"), .text("bb"), .text("ccc")])
        let second = try again.begin(Self.field.id, to: .number)
        #expect(second.place == cut.place)
        try again.finish(second, as: Self.number, Self.length)
        #expect(try ids.map { try again.cells($0)?[1] } == [.real(1), .real(2), .real(3)])
        folder.close(again)
    }

    @Test func `Who still reads by the table as it was reads the cells as they were`() throws {
        let (store, ids) = try make(["a", "bb"])
        let before = try store.table()
        let retyping = try store.begin(Self.field.id, to: .multilineText)
        var changed = Self.field
        changed.type = .multilineText
        try store.finish(retyping, as: changed) { _ in .text("new") }
        let plan = PagePlan(table: before, fields: [1], order: [], after: nil, limit: 10)
        let page = try store.read { (reader) throws(APIError) in try reader.page(plan) }
        #expect(page.batch.cell(record: 1, field: 0) == .text("bb"))
        #expect(try store.cells(ids[1])?[1] == .text("new"))
        folder.close(store)
        // The old cells stay in the file.
        #expect(SQLiteStorage.rows("SELECT count(*) FROM fields WHERE is_retired = 1", folder: folder.path) == ["1"])
    }

    @Test func `Indexes on the old cells go, and sorting and finding are right at once`() throws {
        let (store, ids) = try make((0..<1_200).map { "\($0 % 10)x" })
        let order = [SortKey(field: 1, direction: .asc)]
        try store.makeIndex(order)
        let table = try store.table()
        _ = try store.write { (writer) throws(APIError) in
            try writer.find([(1, .text("3x"))], in: table, limit: 1)
        }
        let retyping = try store.begin(Self.field.id, to: .number)
        try store.finish(retyping, as: Self.number) { cell in
            guard case .text(let text) = cell, let digit = Double(text.prefix(1)) else { return .empty }
            return .real(9 - digit)
        }
        var expected: [RecordID] = []
        for digit in 0..<10 { expected += stride(from: 9 - digit, to: ids.count, by: 10).map { ids[$0] } }
        #expect(try store.walk(order) == expected)
        try store.makeIndex(order)
        #expect(try store.walk(order) == expected)
        let new = try store.table()
        let found = try store.write { (writer) throws(APIError) in
            try writer.find([(1, .real(6))], in: new, limit: 1_000)
        }
        #expect(found.sorted() == stride(from: 3, to: ids.count, by: 10).map { ids[$0] })
        folder.close(store)
        let indexes = SQLiteStorage.rows("SELECT columns FROM find_indexes", folder: folder.path)
        let columns = SQLiteStorage.rows(
            "SELECT number FROM fields WHERE is_retired = 0 AND type = 'number'", folder: folder.path)
        #expect(indexes == columns)
    }

    @Test func `A table that has had all columns it may have says so`() throws {
        let store = try folder.open {
            $0.columnLimit = 100
            $0.log = { _ in }
        }
        try store.makeSample([Sample.field(1, .singleLineText), Self.field])
        var failure: APIError?
        for round in 0..<20 where failure == nil {
            do throws(APIError) {
                try store.write { (writer) throws(APIError) in
                    guard let table = writer.schema.base(Sample.base)?.table(Sample.table) else { return }
                    let more = (0..<20).map { Sample.field(100 + round * 20 + $0, .email) }
                    try writer.updateTable(table.changed(fields: Array(table.fields.prefix(2)) + more))
                }
            } catch { failure = error }
        }
        #expect(failure?.status == 422)
        #expect(failure?.message?.contains("has had 100 fields") == true)
        folder.close(store)
    }
}

extension SQLiteStorage {
    func begin(_ field: FieldID, to type: FieldType) throws -> FieldRetyping {
        let table = try table()
        return try write { (writer) throws(APIError) in try writer.beginRetyping(field, to: type, in: table) }
    }

    func convert(
        _ retyping: FieldRetyping, limit: Int, _ convert: @escaping @Sendable (StoredCell) -> StoredCell
    ) throws -> Bool {
        let table = try table()
        return try write { (writer) throws(APIError) in
            try writer.convert(retyping, in: table, limit: limit, convert)
        }
    }

    func finish(
        _ retyping: FieldRetyping, as field: Field, _ convert: @escaping @Sendable (StoredCell) -> StoredCell
    ) throws {
        let table = try table()
        try write { (writer) throws(APIError) in
            guard try writer.convert(retyping, in: table, limit: 10_000, convert) else { throw .internalError }
            try writer.finishRetyping(retyping, in: table)
            try writer.updateTable(table.changed(fields: table.fields.map { $0.id == field.id ? field : $0 }))
        }
    }

    fileprivate func abandon(_ retyping: FieldRetyping) throws {
        try write { (writer) throws(APIError) in try writer.abandonRetyping(retyping) }
    }
}
