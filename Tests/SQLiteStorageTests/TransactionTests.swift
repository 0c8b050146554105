import CivilTime
import Platform
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@Suite struct TransactionTests {
    let folder = TestFolder()

    @Test func `In a group of writes each fails alone, and its neighbours are kept`() throws {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText), Sample.field(2, .number)])
        let table = try store.table()
        let outcomes = Guarded<[Int: Bool]>([:])
        onThreads(16) { thread in
            for round in 0..<25 {
                let number = thread * 25 + round
                let fails = number % 3 == 0
                let result = try? store.write { (writer) throws(APIError) in
                    let records = (0..<3).map { _ in
                        NewRecord(id: writer.newRecordID(), cells: [(1, .real(Double(number)))])
                    }
                    try writer.insert(records, in: table, by: Sample.user)
                    try writer.append(
                        Change(kind: .createRecords, base: Sample.base, table: table.id, user: Sample.user, token: nil))
                    if fails { throw APIError.failedStateCheck }
                    return true
                }
                outcomes.withLock { $0[number] = result ?? false }
            }
        }
        let kept = outcomes.withLock { $0.filter(\.value).map(\.key) }
        #expect(kept.sorted() == (0..<400).filter { $0 % 3 != 0 })
        #expect(try store.count() == kept.count * 3)
        for number in 0..<400 {
            let found = try store.read { (reader) throws(APIError) in
                try reader.find([(1, .real(Double(number)))], in: table, limit: 10)
            }
            #expect(found.count == (number % 3 == 0 ? 0 : 3))
        }
        folder.close(store)
    }

    @Test func `What a write changes of the schema is undone with it`() throws {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText)])
        let ids = try store.add([[(0, .text("a"))]])
        let before = store.schema
        let users = store.users
        let table = try store.table()
        let new = TableID(text: IdentifierText(time: 77, counter: 1))
        #expect(throws: APIError.failedStateCheck) {
            try store.write { (writer) throws(APIError) in
                let fields = table.fields + [Sample.field(2, .number)]
                try writer.updateTable(table.changed(name: "Other", fields: fields))
                try writer.createTable(Sample.tableSchema([Sample.field(3, .singleLineText)], id: new))
                let made = writer.schema.base(Sample.base)?.table(new)
                if let made {
                    try writer.insert([NewRecord(id: writer.newRecordID(), cells: [])], in: made, by: Sample.user)
                }
                try writer.insert(User(id: Sample.other, email: "o@example.com", name: "O", createdTime: writer.now))
                throw .failedStateCheck
            }
        }
        #expect(store.schema === before)
        #expect(store.users === users)
        // The same numbers are given again, and mean other things.
        try store.write { (writer) throws(APIError) in
            try writer.createTable(Sample.tableSchema([Sample.field(4, .singleLineText)], id: new))
        }
        #expect(try store.add([[(0, .text("b"))]], to: new).count == 1)
        #expect(try store.read { (reader) throws(APIError) in try reader.recordCount(of: new) } == 1)
        #expect(try store.cells(ids[0]) == [.text("a")])
        folder.close(store)
    }

    @Test func `The schema reads the same after reopening, hidden things stay hidden`() throws {
        var store = try folder.open()
        try store.makeSample(Sample.everyType)
        let second = TableID(text: IdentifierText(time: 50, counter: 1))
        let third = TableID(text: IdentifierText(time: 51, counter: 1))
        try store.write { (writer) throws(APIError) in
            try writer.createTable(Sample.tableSchema([Sample.field(60, .email)], id: second))
            try writer.createTable(Sample.tableSchema([Sample.field(61, .url)], id: third))
            try writer.deleteTable(second, in: Sample.base)
        }
        let table = try store.table()
        var fields = table.fields
        fields.swapAt(1, 3)
        fields.remove(at: 5)
        fields[2].description = "what \"it\" is"
        let views = [View(id: ViewID(text: IdentifierText(time: 8, counter: 8)), name: "New", type: "kanban")]
        let changed = table.changed(description: "words", fields: fields, views: views + table.views)
        try store.write { (writer) throws(APIError) in try writer.updateTable(changed) }
        let before = store.schema
        folder.close(store)
        store = try folder.open()
        let after = store.schema
        #expect(after.version == before.version)
        let base = try #require(after.base(Sample.base))
        #expect(base.tables.map(\.id) == [Sample.table, third])
        #expect(base.name == "Sample" && base.createdTime == Sample.time)
        let read = try store.table()
        #expect(read.fields == fields)
        #expect(read.views == changed.views)
        #expect(read.name == changed.name && read.description == "words" && read.version == changed.version)
        #expect(read.primaryFieldID == table.primaryFieldID)
        try store.write { (writer) throws(APIError) in try writer.deleteBase(Sample.base) }
        #expect(store.schema.bases.isEmpty)
        folder.close(store)
    }

    @Test func `A hidden field gets its cells back when it returns, but not under another kind of type`() throws {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText), Sample.field(2, .singleLineText)])
        let id = try store.add([[(0, .text("a")), (1, .text("b"))]])[0]
        func change(_ fields: [Field]) throws {
            let changed = try store.table().changed(fields: fields)
            try store.write { (writer) throws(APIError) in try writer.updateTable(changed) }
        }
        try change([Sample.field(1, .singleLineText)])
        #expect(try store.cells(id) == [.text("a")])
        try change([Sample.field(1, .singleLineText), Sample.field(2, .multilineText)])
        #expect(try store.cells(id) == [.text("a"), .text("b")])
        try change([Sample.field(1, .singleLineText), Sample.field(2, .number)])
        #expect(try store.cells(id) == [.text("a"), .empty])
        try change([Sample.field(1, .singleLineText), Sample.field(2, .singleLineText)])
        #expect(try store.cells(id) == [.text("a"), .empty])
        folder.close(store)
    }

    @Test func `Answers are found under their key and token for 24 hours, and then forgotten`() throws {
        let clock = TestClock()
        let store = try folder.open { $0.clock = { clock.now } }
        let answer = StoredAnswer(fingerprint: [0, 1, 255], body: Array("{\"id\":\"é\0\"}".utf8))
        let token = TokenID(text: IdentifierText(time: 1, counter: 1))
        let other = TokenID(text: IdentifierText(time: 1, counter: 2))
        func save(_ answer: StoredAnswer, key: String) throws {
            try store.write { (writer) throws(APIError) in
                try writer.save(answer, idempotencyKey: key, token: token)
            }
        }
        func found(_ key: String, _ token: TokenID) throws -> StoredAnswer? {
            try store.read { (reader) throws(APIError) in try reader.answer(idempotencyKey: key, token: token) }
        }
        try save(answer, key: "k")
        #expect(try found("k", token) == answer)
        #expect(try found("k", other) == nil)
        #expect(try found("K", token) == nil)
        clock.advance(24 * 3_600_000)
        #expect(try found("k", token) == answer)
        clock.advance(1)
        #expect(try found("k", token) == nil)
        let second = StoredAnswer(fingerprint: [9], body: [])
        try save(second, key: "k")
        #expect(try found("k", token) == second)
        store.tidy()
        clock.advance(-1000)
        #expect(try found("k", token) == second)
        folder.close(store)
    }

    @Test func `Tokens read as they were kept, are touched and revoked, and users last`() throws {
        var store = try folder.open()
        let now = Instant(milliseconds: 5)
        var first = StoredToken(
            id: TokenID(text: IdentifierText(time: 1, counter: 1)), hash: [1, 0, 2], user: Sample.user, name: "One",
            scopes: [.recordsRead, .schemaWrite], bases: nil, createdTime: now, expirationTime: nil,
            lastUsedTime: nil, isRevoked: false)
        let second = StoredToken(
            id: TokenID(text: IdentifierText(time: 1, counter: 2)), hash: [7], user: Sample.other, name: "",
            scopes: [], bases: [Sample.base], createdTime: now, expirationTime: Instant(milliseconds: 9),
            lastUsedTime: Instant(milliseconds: 8), isRevoked: true)
        try store.write { [first] (writer) throws(APIError) in
            try writer.insert(Sample.person)
            try writer.insert(first)
            try writer.insert(second)
        }
        func tokens() throws -> [StoredToken] { try store.read { (reader) throws(APIError) in try reader.tokens() } }
        #expect(try tokens() == [first, second])
        let known = try store.write { [first] (writer) throws(APIError) in
            try writer.touch([(first.id, Instant(milliseconds: 20)), (first.id, Instant(milliseconds: 10))])
            return (
                try writer.revoke(first.id), try writer.revoke(TokenID(text: IdentifierText(time: 3, counter: 3)))
            )
        }
        #expect(known == (true, false))
        first.isRevoked = true
        first.lastUsedTime = Instant(milliseconds: 20)
        folder.close(store)
        store = try folder.open()
        #expect(try tokens() == [first, second])
        #expect(store.users.users == [Sample.person])
        folder.close(store)
    }

    @Test func `The change log keeps values before and after, and forgets what is too old`() throws {
        let clock = TestClock()
        let store = try folder.open {
            $0.clock = { clock.now }
            $0.changeLogDays = 2
        }
        let field = Sample.field(1, .singleLineText).id
        let record = RecordID(text: IdentifierText(time: 1, counter: 1))
        func append(_ count: Int) throws {
            try store.write { (writer) throws(APIError) in
                for _ in 0..<count {
                    try writer.append(
                        Change(
                            kind: .updateRecords, base: Sample.base, table: Sample.table, user: Sample.user, token: nil,
                            records: [
                                RecordChange(record: record, cells: [(field, .text("\"a"), .real(1.5))])
                            ]))
                }
            }
        }
        try append(1200)
        clock.advance(2 * 86_400_000 + 1)
        try append(1)
        store.tidy()
        try append(1)
        folder.close(store)
        let rows = SQLiteStorage.rows("SELECT seq, kind, payload FROM changes ORDER BY seq", folder: folder.path)
        let payload = "{\"records\":[{\"id\":\"\(record)\",\"cells\":{\"\(field)\":[\"\\\"a\",1.5]}}]}"
        #expect(rows == ["1201|updateRecords|\(payload)", "1202|updateRecords|\(payload)"])
    }

    @Test(.timeLimit(.minutes(2)))
    func `Readers see whole transactions while others write`() throws {
        let store = try folder.open { $0.readers = 3 }
        try store.makeSample([Sample.field(1, .number), Sample.field(2, .singleLineText)])
        let table = try store.table()
        let ids = try store.add((0..<600).map { _ in [(0, .real(0))] })
        let faults = Guarded<[String]>([])
        onThreads(8) { thread in
            var random = SeededRandom(UInt64(thread))
            for round in 0..<150 {
                do throws(APIError) {
                    if thread < 3 {
                        // Two records always add up to zero.
                        let pair = Int.random(in: 0..<300, using: &random) * 2
                        let value = Double(Int.random(in: 1...1000, using: &random))
                        try store.write { (writer) throws(APIError) in
                            try writer.update(ids[pair], in: table, cells: [(0, .real(value))], by: Sample.user)
                            try writer.update(ids[pair + 1], in: table, cells: [(0, .real(-value))], by: Sample.user)
                        }
                    } else {
                        let sum = try store.read { (reader) throws(APIError) in
                            let order = round % 2 == 0 ? [] : [SortKey(field: 0, direction: .desc)]
                            let plan = PagePlan(table: table, fields: [0], order: order, after: nil, limit: 1000)
                            let batch = try reader.page(plan).batch
                            guard batch.count == 600 else { return Double.nan }
                            return (0..<600).reduce(0.0) { sum, record in
                                if case .real(let value) = batch.cell(record: record, field: 0) {
                                    sum + value
                                } else {
                                    sum
                                }
                            }
                        }
                        if sum != 0 { faults.withLock { $0.append("thread \(thread), round \(round): \(sum)") } }
                    }
                } catch {
                    faults.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(faults.withLock { $0 } == [])
        folder.close(store)
    }

    @Test func `A short read never waits behind long ones, and says so when its own readers are taken`() throws {
        let store = try folder.open {
            $0.readers = 1
            $0.shortReaders = 1
        }
        try store.makeSample([Sample.field(1, .number)])
        let table = try store.table()
        _ = try store.add([[(0, .real(1))]])
        let counts = try store.readEach { (_) throws(APIError) in
            let first = try store.readNow { (reader) throws(APIError) in
                let second = try store.readNow { (reader) throws(APIError) in try reader.recordCount(of: table.id) }
                #expect(second == nil)
                return try reader.recordCount(of: table.id)
            }
            return [first, try store.readNow { (reader) throws(APIError) in try reader.recordCount(of: table.id) }]
        }
        #expect(counts == [1, 1])
        folder.close(store)
        #expect(try store.readNow { (_) throws(APIError) in 1 } == nil)
    }
}
