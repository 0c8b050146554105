import CivilTime
import Platform
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@Suite struct SortIndexTests {
    let folder = TestFolder()

    private static func orders(_ fields: Range<Int>) -> [[SortKey]] {
        fields.flatMap { field in
            [[SortKey(field: field, direction: .asc)], [SortKey(field: field, direction: .desc)]]
        } + [
            [SortKey(field: 4, direction: .desc), SortKey(field: 0, direction: .asc)],
            [
                SortKey(field: 2, direction: .asc), SortKey(field: 3, direction: .desc),
                SortKey(field: 1, direction: .asc),
            ],
        ]
    }

    /// Every record, with all its cells.
    private static func everything(_ store: SQLiteStorage) throws -> RecordBatch {
        let table = try store.table()
        let ids = try store.walk([])
        return try store.read { (reader) throws(APIError) in
            try reader.records(ids, in: table, fields: Array(table.fields.indices))
        }
    }

    /// The order told by sorting every record here.
    private static func expected(
        _ order: [SortKey], _ store: SQLiteStorage, of everything: RecordBatch? = nil
    ) throws -> [RecordID] {
        let table = try store.table()
        let users = store.users
        let batch = try everything ?? Self.everything(store)
        func isBefore(_ left: Int, _ right: Int) -> Bool {
            for key in order {
                let field = table.fields[key.field]
                let result = CellOrder.compare(
                    batch.cell(record: left, field: key.field), batch.cell(record: right, field: key.field), field,
                    users)
                if result != 0 { return (result < 0) == (key.direction == .asc) }
            }
            return (batch.ids[left] < batch.ids[right]) == (order.last?.direction != .desc)
        }
        return batch.ids.indices.sorted(by: isBefore).map { batch.ids[$0] }
    }

    @Test(arguments: [UInt64(11), 12])
    func `Scan, index and an independent sort agree for every type`(seed: UInt64) throws {
        let store = try folder.open()
        try store.makeSample(Sample.everyType)
        try store.write { (writer) throws(APIError) in
            try writer.insert(User(id: Sample.other, email: "b@example.com", name: "ada", createdTime: Sample.time))
        }
        var random = SeededRandom(seed)
        var ids = try store.add((0..<480).map { _ in Sample.randomCells(&random) })
        for _ in 0..<100 {
            try store.update(
                ids[Int.random(in: 0..<ids.count, using: &random)], Sample.randomCells(&random) + [(0, .empty)])
        }
        var everything = try Self.everything(store)
        for order in Self.orders(0..<17) {
            #expect(try store.isImmediate(order))
            #expect(
                try store.walk(order, limit: 77) == Self.expected(order, store, of: everything),
                "scan, seed \(seed), \(order)")
        }
        ids += try store.add((0..<200).map { _ in Sample.randomCells(&random) })
        everything = try Self.everything(store)
        for order in Self.orders(0..<17) {
            try store.makeIndex(order)
            #expect(
                try store.walk(order, limit: 77) == Self.expected(order, store, of: everything),
                "index, seed \(seed), \(order)")
        }
        folder.close(store)
    }

    @Test func `An index follows inserts, updates, deletes and undone writes, and lasts`() throws {
        var store = try folder.open()
        try store.makeSample(Sample.everyType)
        var random = SeededRandom(21)
        var ids = try store.add((0..<700).map { _ in Sample.randomCells(&random) })
        let orders = Array(Self.orders(0..<6).suffix(10)) + [[SortKey(field: 11, direction: .desc)]]
        for order in orders { try store.makeIndex(order) }
        for round in 0..<60 {
            ids += try store.add([Sample.randomCells(&random)])
            let chosen = Int.random(in: 0..<ids.count, using: &random)
            try store.update(ids[chosen], Sample.randomCells(&random) + [(0, .text("z\(round)"))])
            try store.delete([ids.remove(at: Int.random(in: 0..<ids.count, using: &random))])
            let table = try store.table()
            let victim = ids[Int.random(in: 0..<ids.count, using: &random)]
            let cells = Sample.randomCells(&random)
            #expect(throws: APIError.failedStateCheck) {
                try store.write { (writer) throws(APIError) in
                    try writer.update(victim, in: table, cells: cells + [(4, .empty)], by: Sample.user)
                    try writer.insert([NewRecord(id: writer.newRecordID(), cells: cells)], in: table, by: Sample.user)
                    try writer.delete([(victim, "")], in: table, by: Sample.user)
                    throw .failedStateCheck
                }
            }
        }
        for order in orders {
            #expect(try store.isImmediate(order))
            #expect(try store.walk(order, limit: 50) == Self.expected(order, store), "\(order)")
        }
        folder.close(store)
        store = try folder.open()
        for order in orders {
            #expect(try store.isImmediate(order))
            #expect(try store.walk(order, limit: 50) == Self.expected(order, store), "\(order)")
        }
        folder.close(store)
    }

    @Test func `A new order of choices makes the index anew, a new name does not`() throws {
        let store = try folder.open()
        try store.makeSample(Sample.everyType)
        var random = SeededRandom(5)
        try store.add((0..<600).map { _ in Sample.randomCells(&random) })
        let order = [SortKey(field: 4, direction: .asc)]
        try store.makeIndex(order)
        func change(_ choices: [SelectChoice]) throws {
            let table = try store.table()
            var fields = table.fields
            fields[4].options = .choices(choices)
            let changed = table.changed(fields: fields)
            try store.write { (writer) throws(APIError) in try writer.updateTable(changed) }
        }
        try change([Sample.choice(1, "renamed"), Sample.choice(2, "a"), Sample.choice(3, "c")])
        #expect(try store.isImmediate(order))
        try change([Sample.choice(3, "c"), Sample.choice(2, "a"), Sample.choice(1, "b")])
        #expect(try !store.isImmediate(order))
        #expect(try store.walk(order) == Self.expected(order, store))
        try store.makeIndex(order)
        #expect(try store.walk(order) == Self.expected(order, store))
        folder.close(store)
    }

    @Test func `A new user makes orders by people anew`() throws {
        let store = try folder.open()
        try store.makeSample(Sample.everyType)
        var random = SeededRandom(6)
        try store.add((0..<600).map { _ in Sample.randomCells(&random) })
        let order = [SortKey(field: 6, direction: .asc)]
        try store.makeIndex(order)
        try store.write { (writer) throws(APIError) in
            try writer.insert(User(id: Sample.other, email: "z@example.com", name: "Zed", createdTime: Sample.time))
        }
        #expect(try !store.isImmediate(order))
        #expect(try store.walk(order) == Self.expected(order, store))
        try store.makeIndex(order)
        #expect(try store.walk(order) == Self.expected(order, store))
        folder.close(store)
    }

    @Test func `An index built while others write holds every record once`() throws {
        let store = try folder.open()
        try store.makeSample(Sample.everyType)
        var random = SeededRandom(8)
        let ids = try store.add((0..<6000).map { _ in Sample.randomCells(&random) })
        let orders = Self.orders(0..<5)
        _ = try orders.map { try store.page($0, limit: 1) }
        onThreads(2) { thread in
            var random = SeededRandom(UInt64(100 + thread))
            var mine = Array(ids[(thread * 3000)..<(thread * 3000 + 3000)])
            for _ in 0..<400 {
                let cells = Sample.randomCells(&random) + [(3, .empty)]
                try? store.update(mine[Int.random(in: 0..<mine.count, using: &random)], cells)
                try? store.delete([mine.remove(at: Int.random(in: 0..<mine.count, using: &random))])
                if let new = try? store.add([Sample.randomCells(&random)]) { mine += new }
            }
        }
        while store.isBuildingIndexes { pauseBriefly() }
        for order in orders {
            #expect(try store.isImmediate(order))
            #expect(try store.walk(order) == Self.expected(order, store), "\(order)")
        }
        folder.close(store)
    }

    @Test func `An index whose field goes in the group that made it hinders no write`() throws {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText), Sample.field(2, .number)])
        try store.add([[Cell]](repeating: [(1, .real(1))], count: 501))
        let table = try store.table()
        let begun = Semaphore()
        let go = Semaphore()
        let isInGroup = Semaphore()
        // Holds the writer's turn until what comes next waits for it: the index, then the loss of its field.
        let holder = OwnThread(name: "holder") {
            try? store.write { (_) throws(APIError) in
                begun.signal()
                go.wait()
            }
        }
        begun.wait()
        _ = try store.page([SortKey(field: 1, direction: .asc)], limit: 1)
        for _ in 0..<100 { pauseBriefly() }
        let changer = OwnThread(name: "changer") {
            try? store.write { (writer) throws(APIError) in
                try writer.updateTable(table.changed(fields: [table.fields[0]]))
                isInGroup.signal()
                // Time for the next write to be waiting before the builder can give the index up.
                for _ in 0..<100 { pauseBriefly() }
            }
        }
        for _ in 0..<100 { pauseBriefly() }
        go.signal()
        isInGroup.wait()
        let narrow = table.changed(fields: [table.fields[0]])
        try store.write { (writer) throws(APIError) in
            let now = writer.schema.base(Sample.base)?.table(narrow.id) ?? narrow
            let record = NewRecord(id: writer.newRecordID(), cells: [(0, .text("a"))])
            try writer.insert([record], in: now, by: Sample.user)
        }
        holder?.join()
        changer?.join()
        #expect(try store.count() == 502)
        #expect(try store.table().fields.count == 1)
        folder.close(store)
    }

    @Test func `A table has sixteen indexes at most, and the one longest unused gives way`() throws {
        let clock = TestClock()
        let store = try folder.open { $0.clock = { clock.now } }
        try store.makeSample(Sample.everyType)
        var random = SeededRandom(9)
        try store.add((0..<520).map { _ in Sample.randomCells(&random) })
        for field in 0..<17 {
            clock.advance(1000)
            try store.makeIndex([SortKey(field: field, direction: .asc)])
            _ = try store.page([SortKey(field: 0, direction: .desc)], limit: 1)
        }
        #expect(try store.isImmediate([SortKey(field: 0, direction: .asc)]))
        #expect(try !store.isImmediate([SortKey(field: 1, direction: .asc)]))
        #expect(try store.isImmediate([SortKey(field: 2, direction: .asc)]))
        folder.close(store)
    }
}

/// The order of cells as the specification tells it, by comparing values.
enum CellOrder {
    static func compare(_ left: StoredCell, _ right: StoredCell, _ field: Field, _ users: UserDirectory) -> Int {
        switch (left, right) {
        case (.empty, .empty): 0
        case (.empty, _): -1
        case (_, .empty): 1
        case (.real(let left), .real(let right)): sign(left, right)
        case (.integer(let left), .integer(let right)):
            field.type == .singleSelect ? sign(place(left, field), place(right, field)) : sign(left, right)
        case (.text(let left), .text(let right)): compareTexts(left, right, field, users)
        default: 0
        }
    }

    private static func compareTexts(_ left: String, _ right: String, _ field: Field, _ users: UserDirectory) -> Int {
        switch field.type {
        case .multipleSelects:
            list(numbers(left).map { place($0, field) }, numbers(right).map { place($0, field) }, by: sign)
        case .singleCollaborator, .multipleCollaborators, .createdBy, .lastModifiedBy:
            list(names(left, users), names(right, users), by: text)
        case .barcode: text(barcode(left), barcode(right))
        default: text(left, right)
        }
    }

    private static func sign<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left > right ? 1 : 0
    }
    private static func text(_ left: String, _ right: String) -> Int {
        TextOrder.precedes(left, right) ? -1 : TextOrder.precedes(right, left) ? 1 : 0
    }
    private static func list<Value>(_ left: [Value], _ right: [Value], by compare: (Value, Value) -> Int) -> Int {
        for (left, right) in zip(left, right) {
            let result = compare(left, right)
            if result != 0 { return result }
        }
        return sign(left.count, right.count)
    }
    private static func place(_ number: Int64, _ field: Field) -> Int {
        field.choices.firstIndex { $0.number == Int(number) } ?? -1
    }
    private static func numbers(_ text: String) -> [Int64] {
        text.dropFirst().dropLast().split(separator: ",").compactMap { Int64($0) }
    }
    private static func names(_ text: String, _ users: UserDirectory) -> [String] {
        text.split(separator: ",").map { id in users.users.first { $0.id.description == id }?.name ?? "" }
    }
    /// The text between the quotes after `"text":`; the samples hold no escapes.
    private static func barcode(_ json: String) -> String {
        let parts = json.split(separator: "\"")
        guard let key = parts.firstIndex(of: "text"), parts.indices.contains(key + 2) else { return "" }
        return String(parts[key + 2])
    }
}
