import CivilTime
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@Suite struct FilterTests {
    let folder = TestFolder()

    private static func pick<Value>(_ values: [Value], _ random: inout SeededRandom) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    /// A random condition on the fields of `Sample.everyType`, as deep as told.
    private static func condition(_ depth: Int, _ ids: [RecordID], _ random: inout SeededRandom) -> StoredCondition {
        let comparisons: [StoredCondition.Comparison] = [.equal, .less, .lessOrEqual, .greater, .greaterOrEqual]
        let names = ["a", "B", "é", "e\u{301}", "item 2", "茶", "🫖", "zzz", "a\u{0}b"]
        switch Int.random(in: 0..<(depth > 0 ? 12 : 9), using: &random) {
        case 0: return .isEmpty(field: Int.random(in: 0..<17, using: &random))
        case 1, 2:
            let value = pick([-1.5, -0.0, 0, 2, 2.25, 5, 60, 1e9, .infinity], &random)
            return .real(field: pick([1, 14, 15], &random), pick(comparisons, &random), value)
        case 3:
            let value: Int64 = pick([-86_400_000, 0, 86_400_000, 1, 350, .max, .min], &random)
            return .integer(field: pick([3, 9, 10, 11], &random), pick(comparisons, &random), value)
        case 4: return .integers(field: pick([2, 4], &random), pick([[1], [2, 3], [3], [7], []], &random))
        case 5, 6:
            return .texts(
                field: pick([0, 16], &random),
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in pick(names, &random) })
        case 7: return .contains(field: pick([0, 5, 16], &random), pick(names + ["1", "m", ",", "\n"], &random))
        case 8: return .records((0..<3).map { _ in pick(ids, &random) })
        case 9: return .not(condition(depth - 1, ids, &random))
        case 10:
            return .all(
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in condition(depth - 1, ids, &random) })
        default:
            return .any(
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in condition(depth - 1, ids, &random) })
        }
    }

    private static let orders: [[SortKey]] = [
        [], [SortKey(field: 0, direction: .asc)], [SortKey(field: 1, direction: .desc)],
        [SortKey(field: 4, direction: .desc), SortKey(field: 0, direction: .asc)],
        [SortKey(field: 2, direction: .asc), SortKey(field: 11, direction: .desc)],
    ]

    /// The records in this order for which the condition holds by its own meaning.
    private func expected(
        _ condition: StoredCondition, _ order: [SortKey], _ store: SQLiteStorage
    ) throws -> [RecordID] {
        let table = try store.table()
        let fields = condition.fields.sorted()
        let ids = try store.walk(order)
        let batch = try store.read { (reader) throws(APIError) in
            try reader.records(ids, in: table, fields: fields)
        }
        return Self.matches(condition, batch, fields)
    }

    private static func matches(_ condition: StoredCondition, _ batch: RecordBatch, _ fields: [Int]) -> [RecordID] {
        batch.ids.indices.filter { index in
            condition.matches(batch.ids[index]) { field in
                fields.firstIndex(of: field).map { batch.cell(record: index, field: $0) } ?? .empty
            }
        }.map { batch.ids[$0] }
    }

    /// The records of a filtered walk by pages, and how many calls it took.
    private func walk(
        _ condition: StoredCondition, _ order: [SortKey], limit: Int, _ store: SQLiteStorage
    ) throws -> (ids: [RecordID], calls: Int) {
        let table = try store.table()
        var ids: [RecordID] = []
        var after: PagePosition?
        var calls = 0
        repeat {
            let plan = PagePlan(
                table: table, fields: [1], order: order, after: after, limit: limit, filter: condition)
            let page = try store.readEach { (reader) throws(APIError) in try reader.page(plan) }
            #expect(page.batch.count <= limit)
            ids += page.batch.ids
            after = page.unfinished ?? (page.hasMore ? page.last : nil)
            if page.hasMore { #expect(after != nil) }
            calls += 1
        } while after != nil && calls < 10_000
        return (ids, calls)
    }

    @Test(arguments: [UInt64(31), 32], [400, 700])
    func `A store keeps just the records for which a condition holds by its meaning`(
        seed: UInt64, records: Int
    ) throws {
        let store = try folder.open()
        try store.makeSample(Sample.everyType)
        var random = SeededRandom(seed)
        let ids = try store.add((0..<records).map { _ in Sample.randomCells(&random) })
        try store.update(ids[3], [(0, .text("a\u{0}b"))])
        try store.update(ids[5], [(0, .text("e\u{301}"))])
        try store.delete(Array(ids[100..<120]))
        if records > 500 { for order in Self.orders.prefix(4) where !order.isEmpty { try store.makeIndex(order) } }
        let table = try store.table()
        let fields = Array(table.fields.indices)
        let batches = try Self.orders.map { order in
            let ids = try store.walk(order)
            return try store.read { (reader) throws(APIError) in try reader.records(ids, in: table, fields: fields) }
        }
        var matches = 0
        for _ in 0..<60 {
            let condition = Self.condition(3, ids, &random)
            for (order, batch) in zip(Self.orders, batches) {
                let expected = Self.matches(condition, batch, fields)
                let limit = Int.random(in: 10...200, using: &random)
                let found = try walk(condition, order, limit: limit, store).ids
                #expect(found == expected, "seed \(seed), \(condition), \(order), pages of \(limit)")
                matches += expected.count
            }
        }
        #expect(matches > 1000)
        folder.close(store)
    }

    @Test func `Ids that come out of turn are filtered in their order`() throws {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText), Sample.field(2, .number)])
        let table = try store.table()
        var random = SeededRandom(8)
        let early = (0..<700).map { RecordID(text: IdentifierText(time: 1000, counter: UInt64($0))) }
            .shuffled(using: &random)
        try store.write { (writer) throws(APIError) in
            let records = early.enumerated().map { number, id in
                NewRecord(id: id, cells: [(1, .real(Double(number % 7)))])
            }
            try writer.insert(records, in: table, by: Sample.user)
        }
        let condition = StoredCondition.real(field: 1, .equal, 3)
        #expect(try walk(condition, [], limit: 9, store).ids == expected(condition, [], store))
        #expect(try walk(condition, [], limit: 9, store).ids.count == 100)
        folder.close(store)
    }

    @Test func `One call looks at a limited number of records`() throws {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText), Sample.field(2, .number)])
        for start in stride(from: 0, to: 30_000, by: 5_000) {
            try store.add((start..<start + 5_000).map { [(1, .real(Double($0)))] })
        }
        let order = [SortKey(field: 1, direction: .desc)]
        try store.makeIndex(order)
        let table = try store.table()
        for order in [[], order] {
            let nothing = StoredCondition.contains(field: 0, "x")
            let (ids, calls) = try walk(nothing, order, limit: 100, store)
            #expect(ids == [])
            #expect(calls >= 3)
            let plan = PagePlan(table: table, fields: [], order: order, after: nil, limit: 100, filter: nothing)
            let page = try store.readEach { (reader) throws(APIError) in try reader.page(plan) }
            #expect(page.hasMore && page.unfinished != nil && page.batch.count == 0)
        }
        // What a removal leaves empty is passed over.
        let first = try store.walk([]).prefix(20_000)
        try store.delete(Array(first))
        let last = StoredCondition.real(field: 1, .greater, 29_998)
        #expect(try walk(last, [], limit: 10, store).ids.count == 1)
        folder.close(store)
    }

    @Test func `Records that are named are answered at once, in any order`() throws {
        let store = try folder.open()
        try store.makeSample(Sample.everyType)
        var random = SeededRandom(77)
        let ids = try store.add((0..<900).map { _ in Sample.randomCells(&random) })
        let named = ids.shuffled(using: &random).prefix(300) + [RecordID(text: IdentifierText(time: 5, counter: 5))]
        let conditions: [StoredCondition] = [
            .records(Array(named) + named.prefix(5)),
            .all([.isEmpty(field: 0).negated, .records(Array(named))]),
        ]
        for condition in conditions {
            for order in Self.orders {
                #expect(try isImmediate(condition, order, store))
                #expect(
                    try walk(condition, order, limit: 40, store).ids == expected(condition, order, store), "\(order)")
            }
        }
        folder.close(store)
    }

    private func isImmediate(
        _ condition: StoredCondition, _ order: [SortKey], _ store: SQLiteStorage
    ) throws -> Bool {
        let plan = PagePlan(
            table: try store.table(), fields: [], order: order, after: nil, limit: 10, filter: condition)
        return try store.read { (reader) throws(APIError) in reader.isImmediate(plan) }
    }

    /// Each condition has few matches among many records; the second field tells many records of one cell apart.
    private static let sparse: [StoredCondition] = [
        .texts(field: 0, ["name 7"]), .real(field: 1, .equal, 7), .integers(field: 4, [2]),
        .all([.integers(field: 4, [2]), .real(field: 1, .less, 40)]),
        .all([.real(field: 1, .greaterOrEqual, 7), .real(field: 1, .less, 9)]), .isEmpty(field: 3),
        .any([.isEmpty(field: 3), .integer(field: 3, .less, 0)]), .integer(field: 3, .greater, 28 * 86_400_000),
        .texts(field: 16, ["long \(String(repeating: "茶", count: 2000))"]),
    ]

    @Test(arguments: orders)
    func `A filter that finds little among many records gets an index that answers the same`(order: [SortKey]) throws {
        let store = try folder.open()
        try store.makeSample(Sample.everyType)
        var random = SeededRandom(91)
        let long = String(repeating: "茶", count: 2000)
        for start in stride(from: 0, to: 4_500, by: 1_500) {
            try store.add(
                (start..<start + 1_500).map { number in
                    var cells = Sample.randomCells(&random).filter { ![0, 1, 3, 4, 16].contains($0.field) }
                    cells += [
                        (0, .text("name \(number % 500)")), (1, .real(Double(number % 300))),
                        (4, .integer(number % 13 == 0 ? 2 : 1)),
                    ]
                    if number % 40 == 0 { cells.append((16, .text((number % 80 == 0 ? "long " : "other ") + long))) }
                    if number % 50 > 0 { cells.append((3, .integer(Int64(number % 30) * 86_400_000))) }
                    return cells
                })
        }
        if !order.isEmpty { try store.makeIndex(order) }
        for condition in Self.sparse {
            let expected = try expected(condition, order, store)
            #expect(!expected.isEmpty)
            for _ in 0..<3 {
                #expect(try walk(condition, order, limit: 30, store).ids == expected, "\(condition), \(order)")
                while store.isBuildingIndexes { pauseBriefly() }
            }
            for limit in [7, 1000] {
                #expect(try walk(condition, order, limit: limit, store).ids == expected, "\(condition), \(order)")
            }
        }
        folder.close(store)
    }

    /// Orders in which the records made last come last.
    private static let lastOrders = [
        [], [SortKey(field: 15, direction: .asc)], [SortKey(field: 15, direction: .desc)],
        [SortKey(field: 16, direction: .asc), SortKey(field: 15, direction: .desc)],
    ]

    /// Twelve thousand records, those from 10,900 on with another choice and all with their number.
    private func makeLastOnesDifferent(_ store: SQLiteStorage, _ order: [SortKey]) throws {
        try store.makeSample(Sample.everyType)
        let isDown = order.last?.direction == .desc
        for start in stride(from: 0, to: 12_000, by: 4_000) {
            try store.add(
                (start..<start + 4_000).map { number in
                    [
                        (1, .real(Double(number))), (4, .integer(number < 10_900 ? 1 : 2)),
                        (15, .real(Double(isDown ? -number : number) / 2)), (16, .text("\(number / 3_000)")),
                    ]
                })
        }
        if !order.isEmpty { try store.makeIndex(order) }
    }

    @Test(arguments: lastOrders)
    func `Many records of one cell among many more get an index in the order asked for`(order: [SortKey]) throws {
        let store = try folder.open()
        try makeLastOnesDifferent(store, order)
        let common = StoredCondition.integers(field: 4, [2])
        for _ in 0..<3 {
            #expect(try walk(common, order, limit: 100, store).ids.count == 1_100)
            while store.isBuildingIndexes { pauseBriefly() }
        }
        #expect(try isImmediate(common, order, store))
        let few = StoredCondition.all([common, .real(field: 1, .greater, 11_200)])
        for limit in [7, 100] {
            for condition in [common, few] {
                #expect(try walk(condition, order, limit: limit, store).ids == expected(condition, order, store))
            }
        }
        try store.delete(Array(try expected(common, order, store).prefix(100)))
        try store.update(try expected(common, order, store)[50], [(4, .integer(3))])
        #expect(try walk(common, order, limit: 20, store).ids == expected(common, order, store))
        folder.close(store)
    }

    @Test(arguments: lastOrders)
    func `Where matches stand at the end of an order, those an index knows are sorted instead`(
        order: [SortKey]
    ) throws {
        let store = try folder.open()
        try makeLastOnesDifferent(store, order)
        let last = StoredCondition.real(field: 1, .greaterOrEqual, 11_100)
        #expect(try walk(last, order, limit: 100, store).calls > 9)
        try store.makeIndex([SortKey(field: 1, direction: .asc)])
        for condition in [last, .all([last, .isEmpty(field: 0)])] {
            let (ids, calls) = try walk(condition, order, limit: 100, store)
            #expect(try ids == expected(condition, order, store))
            #expect(ids.count == 900)
            #expect(calls == 9)
        }
        folder.close(store)
    }

    /// Conditions that narrow one or two indexed fields, and one that no index knows.
    private static func narrow(_ random: inout SeededRandom) -> StoredCondition {
        let number = Double(Int.random(in: 0..<400, using: &random))
        let parts: [StoredCondition] = [
            .integers(field: 4, [Int64.random(in: 1...3, using: &random)]), .real(field: 1, .less, number / 8),
            .real(field: 1, .greaterOrEqual, number), .real(field: 1, .equal, number.rounded() / 20),
            .texts(field: 0, [pick(["a", "b", "c", "zz"], &random)]), .isEmpty(field: 0),
            .any([.isEmpty(field: 1), .real(field: 1, .less, number / 20)]), .contains(field: 16, "7"),
        ]
        return .joined(all: Array(parts.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))))
    }

    @Test(arguments: [UInt64(41), 42])
    func `Whatever way a page is searched for, the same records are found`(seed: UInt64) throws {
        let store = try folder.open()
        try store.makeSample(Sample.everyType)
        var random = SeededRandom(seed)
        for start in stride(from: 0, to: 5_000, by: 1_000) {
            try store.add(
                (start..<start + 1_000).map { number in
                    var cells: [Cell] = [(16, .text("\(number)")), (15, .real(Double(number / 40)))]
                    if number % 9 > 0 { cells.append((1, .real(Double(Int.random(in: 0..<400, using: &random))))) }
                    if number % 7 > 0 { cells.append((0, .text(Self.pick(["a", "b", "c", "d", "d", "d"], &random)))) }
                    cells.append((4, .integer(number % 37 == 0 ? 1 : number > 4_700 ? 2 : 3)))
                    return cells
                })
        }
        let orders: [[SortKey]] = [
            [], [SortKey(field: 15, direction: .asc)], [SortKey(field: 15, direction: .desc)],
            [SortKey(field: 1, direction: .desc), SortKey(field: 15, direction: .asc)],
        ]
        for order in orders where !order.isEmpty { try store.makeIndex(order) }
        for field in [0, 1, 4] { try store.makeIndex([SortKey(field: field, direction: .asc)]) }
        try store.delete(Array(try store.walk([]).prefix(100).suffix(50)))
        let table = try store.table()
        let fields = [0, 1, 4, 16]
        let batches = try orders.map { order in
            let ids = try store.walk(order)
            return try store.read { (reader) throws(APIError) in try reader.records(ids, in: table, fields: fields) }
        }
        for _ in 0..<40 {
            let condition = Self.narrow(&random)
            for (order, batch) in zip(orders, batches) {
                let limit = Self.pick([20, 100, 150], &random)
                #expect(
                    try walk(condition, order, limit: limit, store).ids == Self.matches(condition, batch, fields),
                    "seed \(seed), \(condition), \(order), pages of \(limit)")
            }
        }
        folder.close(store)
    }

    @Test(arguments: lastOrders)
    func `What an index told lately spares a filter the wait, and its pages are right whatever is written after`(
        order: [SortKey]
    ) throws {
        let store = try folder.open()
        try store.makeSample(Sample.everyType)
        var ids: [RecordID] = []
        for start in stride(from: 0, to: 4_000, by: 2_000) {
            let rows = (start..<start + 2_000).map { (number: Int) -> [Cell] in
                let (place, order) = (Double(number * 7 % 4_000), Double(number * 3 % 1_000))
                let choice: Int64 = number % 8 == 0 ? 2 : 1
                return [(1, .real(place)), (4, .integer(choice)), (15, .real(order)), (16, .text("\(number % 5)"))]
            }
            ids += try store.add(rows)
        }
        for field in [1, 4] { try store.makeIndex([SortKey(field: field, direction: .asc)]) }
        if !order.isEmpty { try store.makeIndex(order) }
        let many = StoredCondition.integers(field: 4, [2])
        let conditions: [StoredCondition] = [
            many, .all([many, .real(field: 1, .less, 3_000)]), .all([many, .real(field: 1, .greaterOrEqual, 3_700)]),
            .real(field: 1, .less, 100),
        ]
        func check() throws {
            for condition in conditions {
                let expected = try expected(condition, order, store)
                for limit in [7, 100] {
                    #expect(try walk(condition, order, limit: limit, store).ids == expected, "\(condition), \(order)")
                }
            }
        }
        try check()
        for condition in conditions { #expect(try isImmediate(condition, order, store), "\(condition), \(order)") }
        // Far fewer of one kind than were counted, then far more.
        for number in stride(from: 0, to: 2_400, by: 8) { try store.update(ids[number], [(4, .integer(3))]) }
        try check()
        for number in stride(from: 1, to: 4_000, by: 8) {
            try store.update(ids[number], [(4, .integer(2)), (1, .real(Double(number % 90)))])
        }
        try check()
        try store.delete(stride(from: 1, to: 1_600, by: 4).map { ids[$0] })
        try check()
        folder.close(store)
    }
}
