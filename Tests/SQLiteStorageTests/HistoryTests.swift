import CivilTime
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@Suite struct HistoryTests {
    private let folder = TestFolder()
    private let clock = TestClock()
    private static let name = Sample.field(1, .singleLineText)
    private static let count = Sample.field(2, .number, .number(precision: 0))

    private func open(bytes: Int = 32 << 20) throws -> SQLiteStorage {
        let clock = clock
        return try folder.open {
            $0.clock = { clock.now }
            $0.pageBytes = bytes
            $0.changeLogDays = 90
        }
    }

    private func log(
        _ kind: Change.Kind, _ records: [RecordChange], _ store: SQLiteStorage, table: TableID = Sample.table
    ) throws {
        try store.write { (writer) throws(APIError) in
            try writer.append(
                Change(
                    kind: kind, base: Sample.base, table: table, user: Sample.user, token: nil, records: records))
        }
    }

    private func history(
        _ record: RecordID, _ store: SQLiteStorage, before: ChangeID? = nil, limit: Int = 100
    ) throws -> (entries: [RecordHistoryEntry], hasMore: Bool) {
        let table = try store.table()
        return try store.read { (reader) throws(APIError) in
            try reader.history(of: record, in: table, before: before, limit: limit)
        }
    }

    /// Makes a record and logs it, as the engine does.
    private func make(_ store: SQLiteStorage, _ name: String) throws -> RecordID {
        let table = try store.table()
        return try store.write { (writer) throws(APIError) in
            let id = writer.newRecordID()
            let cell = StoredCell.text(name)
            try writer.insert([NewRecord(id: id, cells: [(0, cell)])], in: table, by: Sample.user)
            let change = RecordChange(record: id, cells: [(Self.name.id, .empty, cell)], isCreation: true)
            try writer.append(
                Change(
                    kind: .createRecords, base: Sample.base, table: Sample.table, user: Sample.user, token: nil,
                    records: [change]))
            return id
        }
    }

    @Test func `A record's history is found among many others, page by page`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed)
        let store = try open()
        try store.makeSample([Self.name, Self.count])
        var expected: [RecordID: [String]] = [:]
        var ids: [RecordID] = []
        for step in 0..<1_500 {
            // Several in one millisecond now and then.
            if Bool.random(using: &random) { clock.advance(1) }
            if ids.count < 40, Int.random(in: 0..<8, using: &random) == 0 {
                let id = try make(store, "\(step)")
                ids.append(id)
                expected[id] = ["create \(step)"]
            } else if !ids.isEmpty {
                let some = Array(ids.shuffled(using: &random).prefix(3))
                try log(
                    .updateRecords,
                    some.map { RecordChange(record: $0, cells: [(Self.count.id, .empty, .real(Double(step)))]) }, store)
                for id in some { expected[id]?.insert("update \(step)", at: 0) }
            }
        }
        func text(_ entry: RecordHistoryEntry) -> String {
            switch entry.cells.first?.after {
            case .text(let text): "\(entry.kind) \(text)"
            case .real(let number): "\(entry.kind) \(Int(number))"
            default: "\(entry.kind)"
            }
        }
        for id in ids {
            #expect(try history(id, store, limit: 2_000).entries.map(text) == expected[id], "seed \(seed)")
            var walked: [String] = []
            var before: ChangeID?
            repeat {
                let page = try history(id, store, before: before, limit: 7)
                #expect(page.entries.count == 7 || !page.hasMore)
                walked += page.entries.map(text)
                before = page.hasMore ? page.entries.last?.id : nil
            } while before != nil && walked.count < 3_000
            #expect(walked == expected[id], "seed \(seed)")
        }
        folder.close(store)
    }

    @Test func `A page of long entries ends early`() throws {
        let store = try open(bytes: 5_000)
        try store.makeSample([Self.name, Self.count])
        let id = try make(store, "first")
        for number in 0..<10 {
            let text = StoredCell.text(String(repeating: "\(number)", count: 2_000))
            try log(.updateRecords, [RecordChange(record: id, cells: [(Self.name.id, .empty, text)])], store)
        }
        let page = try history(id, store)
        #expect(page.entries.count == 3 && page.hasMore)
        #expect(try history(id, store, before: page.entries.last?.id).entries.count == 3)
        folder.close(store)
    }

    @Test func `An entry shows a field as it was, under the name it has`() throws {
        let store = try open()
        try store.makeSample([Self.name, Self.count])
        let id = try make(store, "x")
        clock.advance(1)
        try log(.updateRecords, [RecordChange(record: id, cells: [(Self.count.id, .real(5), .real(6))])], store)
        clock.advance(1)
        let retyping = try store.begin(Self.count.id, to: .singleLineText)
        while try !store.convert(retyping, limit: 9, { _ in .text("t") }) {}
        try store.finish(retyping, as: Sample.field(2, .singleLineText, name: "Renamed"), { _ in .text("t") })
        clock.advance(1)
        try log(.updateRecords, [RecordChange(record: id, cells: [(Self.count.id, .text("t"), .empty)])], store)
        let cells = try history(id, store).entries.compactMap(\.cells.first)
        #expect(cells.map(\.field.type) == [.singleLineText, .number, .singleLineText])
        #expect(cells.map(\.field.name) == ["Renamed", "Renamed", "Field 1"])
        #expect(cells.map(\.before) == [.text("t"), .real(5), .empty])
        #expect(cells.map(\.after) == [.empty, .real(6), .text("x")])
        folder.close(store)
    }

    @Test func `What the log forgets is forgotten by record too`() throws {
        let store = try open()
        try store.makeSample([Self.name, Self.count])
        let id = try make(store, "x")
        for number in 0..<700 {
            try log(
                .updateRecords, [RecordChange(record: id, cells: [(Self.count.id, .empty, .real(Double(number)))])],
                store)
        }
        clock.advance(90 * 86_400_000 + 1)
        try log(.updateRecords, [RecordChange(record: id, cells: [(Self.count.id, .empty, .real(-1))])], store)
        store.tidy()
        let left = try history(id, store)
        #expect(left.entries.compactMap { $0.cells.first?.after } == [.real(-1)] && !left.hasMore)
        folder.close(store)
        #expect(SQLiteStorage.rows("SELECT count(*) FROM record_changes", folder: folder.path) == ["1"])
        #expect(SQLiteStorage.rows("SELECT count(*) FROM changes", folder: folder.path) == ["1"])
    }
}
