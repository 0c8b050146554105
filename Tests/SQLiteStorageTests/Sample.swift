import CivilTime
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

/// A base for tests, and shorthand for what tests do to it.
enum Sample {
    static let user = UserID("usrAAAAAAAAAAAAAA")!
    static let other = UserID("usrBBBBBBBBBBBBBB")!
    static let base = BaseID("appSAMPLE00000000")!
    static let table = TableID("tblSAMPLE00000000")!
    static let time = Instant(milliseconds: 1_700_000_000_000)

    static func field(_ number: Int, _ type: FieldType, _ options: FieldOptions = .none, name: String? = nil) -> Field {
        let text = IdentifierText(time: UInt64(number), counter: 7)
        return Field(id: FieldID(text: text), name: name ?? "Field \(number)", type: type, options: options)
    }

    static func choices(_ names: [String]) -> FieldOptions {
        .choices(
            names.enumerated().map {
                SelectChoice(
                    id: ChoiceID(text: IdentifierText(time: UInt64($0), counter: 1)), name: $1, color: nil,
                    number: $0 + 1)
            })
    }

    static func tableSchema(_ fields: [Field], id: TableID = table) -> TableSchema {
        TableSchema(
            id: id, base: base, name: "Table \(id)", description: nil, primaryFieldID: fields[0].id, fields: fields,
            views: [View(id: ViewID(text: id.text), name: "Grid view", type: "grid")], version: 1)
    }

    static func baseSchema(_ tables: [TableSchema]) -> BaseSchema {
        BaseSchema(
            id: base, name: "Sample", workspace: WorkspaceID("wspSAMPLE00000000")!, createdTime: time, tables: tables)
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
}

extension SQLiteStorage {
    /// Makes the sample base with one table of these fields.
    func makeSample(_ fields: [Field]) throws {
        try write { (writer) throws(APIError) in
            try writer.createBase(Sample.baseSchema([Sample.tableSchema(fields)]))
            try writer.insert(Sample.person)
        }
    }

    var sample: TableSchema { schema.base(Sample.base)!.table(Sample.table)! }

    /// Adds records with these cells; their ids.
    @discardableResult
    func add(_ rows: [[(field: Int, value: StoredCell)]]) throws -> [RecordID] {
        return try write { (writer) throws(APIError) in
            let records = rows.map { NewRecord(id: writer.newRecordID(), cells: $0) }
            let table = writer.schema.base(Sample.base)!.table(Sample.table)!
            try writer.insert(records, in: table, by: Sample.user)
            return records.map(\.id)
        }
    }

    func cells(_ id: RecordID) throws -> [StoredCell]? {
        let table = sample
        return try read { (reader) throws(APIError) in
            try reader.record(id, in: table, fields: Array(table.fields.indices))
        }.map { batch in batch.fields.indices.map { batch.cell(record: 0, field: $0) } }
    }
}
