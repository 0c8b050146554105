import CivilTime
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

/// A cell to be written: field position and value.
typealias Cell = (field: Int, value: StoredCell)

/// A base for tests, and shorthand for what tests do to it.
enum Sample {
    static let user = UserID(text: IdentifierText(time: 1, counter: 1))
    static let other = UserID(text: IdentifierText(time: 1, counter: 2))
    static let base = BaseID(text: IdentifierText(time: 2, counter: 1))
    static let table = TableID(text: IdentifierText(time: 3, counter: 1))
    static let time = Instant(milliseconds: 1_700_000_000_000)

    static func field(_ number: Int, _ type: FieldType, _ options: FieldOptions = .none, name: String? = nil) -> Field {
        let text = IdentifierText(time: UInt64(number), counter: 7)
        return Field(id: FieldID(text: text), name: name ?? "Field \(number)", type: type, options: options)
    }

    static func choices(_ names: [String]) -> FieldOptions {
        .choices(names.enumerated().map { choice($0 + 1, $1) })
    }

    static func choice(_ number: Int, _ name: String) -> SelectChoice {
        let id = ChoiceID(text: IdentifierText(time: UInt64(number), counter: 1))
        return SelectChoice(id: id, name: name, color: nil, number: number)
    }

    static func tableSchema(_ fields: [Field], id: TableID = table) -> TableSchema {
        TableSchema(
            id: id, base: base, name: "Table \(id)", description: nil, primaryFieldID: fields[0].id, fields: fields,
            views: [View(id: ViewID(text: id.text), name: "Grid view", type: "grid")], version: 1)
    }

    static func baseSchema(_ tables: [TableSchema]) -> BaseSchema {
        BaseSchema(
            id: base, name: "Sample", workspace: WorkspaceID(text: IdentifierText(time: 4, counter: 1)),
            createdTime: time, tables: tables)
    }

    static let person = User(id: user, email: "ada@example.com", name: "Ada", createdTime: time)

    /// Every type that keeps cells or is read from the record itself.
    static let everyType: [Field] = [
        field(1, .singleLineText), field(2, .number, .number(precision: 2)), field(3, .checkbox),
        field(4, .date, .date(.iso)), field(5, .singleSelect, choices(["b", "a", "c"])),
        field(6, .multipleSelects, choices(["x", "y", "z"])), field(7, .singleCollaborator),
        field(8, .multipleCollaborators), field(9, .barcode), field(10, .autoNumber),
        field(11, .createdTime, .createdTime(result: .standard)),
        field(12, .lastModifiedTime, .lastModifiedTime(referencedFieldIDs: [], result: .standard)),
        field(13, .createdBy), field(14, .lastModifiedBy), field(15, .rating, .rating(icon: "star", max: 5, color: "")),
        field(16, .duration, .duration(format: "h:mm")), field(17, .multilineText),
    ]

    /// Random cells for all writable fields of `everyType`, many of them empty or equal.
    static func randomCells(_ random: inout SeededRandom) -> [Cell] {
        let names = ["a", "B", "b", "é", "item 2", "item 10", "item 02", "茶", "🫖", "ſ"]
        let people = [
            user.description, other.description, UserID(text: IdentifierText(time: 9, counter: 9)).description,
        ]
        var cells: [Cell] = []
        func maybe(_ field: Int, _ value: StoredCell) {
            if Int.random(in: 0..<4, using: &random) > 0 { cells.append((field, value)) }
        }
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        maybe(0, .text(pick(names)))
        maybe(1, .real(pick([-1.5, -0.0, 0, 2, 1e9, 2.25])))
        maybe(2, .integer(1))
        maybe(3, .integer(pick([-86_400_000, 0, 86_400_000])))
        maybe(4, .integer(pick([1, 2, 3])))
        maybe(5, .text(pick(["[1]", "[2,1]", "[3]", "[1,3]"])))
        maybe(6, .text(pick(people)))
        maybe(7, .text(pick([people[0], "\(people[1]),\(people[0])", people[1]])))
        maybe(8, .text(pick(["{\"text\":\"2\"}", "{\"text\":\"10\",\"type\":\"upce\"}"])))
        maybe(14, .real(pick([1, 5])))
        maybe(15, .real(pick([60, 90.5])))
        maybe(16, .text(pick(names) + "\n" + pick(names)))
        return cells
    }
}

extension SQLiteStorage {
    /// Makes the sample base with one table of these fields.
    func makeSample(_ fields: [Field]) throws {
        try write { (writer) throws(APIError) in
            try writer.insert(Sample.person)
            try writer.createBase(Sample.baseSchema([Sample.tableSchema(fields)]))
        }
    }

    func table(_ id: TableID = Sample.table) throws -> TableSchema {
        try #require(schema.base(Sample.base)?.table(id))
    }

    /// Adds records with these cells; their ids.
    @discardableResult
    func add(_ rows: [[Cell]], to id: TableID = Sample.table) throws -> [RecordID] {
        let table = try table(id)
        return try write { (writer) throws(APIError) in
            let records = rows.map { NewRecord(id: writer.newRecordID(), cells: $0) }
            try writer.insert(records, in: table, by: Sample.user)
            return records.map(\.id)
        }
    }

    func update(_ id: RecordID, _ cells: [Cell], by user: UserID = Sample.user) throws {
        let table = try table()
        try write { (writer) throws(APIError) in try writer.update(id, in: table, cells: cells, by: user) }
    }

    func delete(_ ids: [RecordID]) throws {
        let table = try table()
        try write { (writer) throws(APIError) in try writer.delete(ids.map { ($0, "") }, in: table, by: Sample.user) }
    }

    /// All cells of a record, or nil when there is no such record.
    func cells(_ id: RecordID, in tableID: TableID = Sample.table) throws -> [StoredCell]? {
        let table = try table(tableID)
        return try read { (reader) throws(APIError) in
            try reader.record(id, in: table, fields: Array(table.fields.indices))
        }.map { batch in batch.fields.indices.map { batch.cell(record: 0, field: $0) } }
    }

    func page(_ order: [SortKey], after: PagePosition? = nil, limit: Int, fields: [Int] = []) throws -> StoredPage {
        let plan = PagePlan(table: try table(), fields: fields, order: order, after: after, limit: limit)
        return try read { (reader) throws(APIError) in try reader.page(plan) }
    }

    /// Walks through the whole table by pages.
    func walk(_ order: [SortKey], limit: Int = 100) throws -> [RecordID] {
        var ids: [RecordID] = []
        var after: PagePosition?
        repeat {
            let page = try page(order, after: after, limit: limit)
            ids += page.batch.ids
            after = page.hasMore ? page.last : nil
        } while after != nil
        return ids
    }

    func count() throws -> Int {
        try read { (reader) throws(APIError) in try reader.recordCount(of: Sample.table) }
    }

    func isImmediate(_ order: [SortKey]) throws -> Bool {
        let plan = PagePlan(table: try table(), fields: [], order: order, after: nil, limit: 10)
        return try read { (reader) throws(APIError) in reader.isImmediate(plan) }
    }

    /// Asks for a page in this order, and waits until the index it makes is ready.
    func makeIndex(_ order: [SortKey]) throws {
        _ = try page(order, limit: 1)
        while isBuildingIndexes { pauseBriefly() }
        #expect(try isImmediate(order))
    }
}
