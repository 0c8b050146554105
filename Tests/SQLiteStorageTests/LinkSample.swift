import RowhouseModel
import SQLiteStorage
import Storage
import Testing

/// Two tables with a pair of link fields, and a link within the first that has no other side.
enum LinkSample {
    static let orders = Sample.table
    static let customers = TableID(text: IdentifierText(time: 3, counter: 2))

    static let customer = Sample.field(21, .multipleRecordLinks, link(to: customers, inverse: 32), name: "Customer")
    static let parts = Sample.field(22, .multipleRecordLinks, link(to: orders), name: "Parts")
    static let ordersOf = Sample.field(32, .multipleRecordLinks, link(to: orders, inverse: 21), name: "Orders")

    /// Name, Customer, Parts.
    static let orderFields = [Sample.field(20, .singleLineText), customer, parts]
    /// Name, Orders.
    static let customerFields = [Sample.field(31, .singleLineText), ordersOf]

    static func link(to table: TableID, inverse: UInt64? = nil) -> FieldOptions {
        let field = inverse.map { FieldID(text: IdentifierText(time: $0, counter: 7)) }
        return .links(LinkOptions(linkedTableID: table, inverseLinkFieldID: field))
    }

    static func make(in store: SQLiteStorage) throws {
        try store.write { (writer) throws(APIError) in
            try writer.insert(Sample.person)
            try writer.createBase(
                Sample.baseSchema([
                    Sample.tableSchema(orderFields), Sample.tableSchema(customerFields, id: customers),
                ]))
        }
    }
}

extension SQLiteStorage {
    func links(_ id: RecordID, _ field: Int, in table: TableID = Sample.table) throws -> [RecordID]? {
        try cells(id, in: table)?[field].linkedRecords
    }

    func setLinks(_ id: RecordID, _ field: Int, in tableID: TableID = Sample.table, to records: [RecordID]) throws {
        let table = try table(tableID)
        try write { (writer) throws(APIError) in
            try writer.update(id, in: table, cells: [(field, .links(records))], by: Sample.user)
        }
    }

    func delete(_ ids: [RecordID], from tableID: TableID) throws {
        let table = try table(tableID)
        try write { (writer) throws(APIError) in try writer.delete(ids.map { ($0, "") }, in: table, by: Sample.user) }
    }

    /// The rows of every table of links in a folder that is closed, as `a|pa|b|pb`.
    static func linkRows(folder: String, number: Int) -> [String] {
        rows("SELECT a, pa, b, pb FROM l_\(number) ORDER BY a, pa", folder: folder)
    }
}

/// What two tables of linked records should hold: plain arrays, changed in the plainest way.
struct LinkModel {
    /// Side, record, what it links to.
    var cells: [[RecordID: [RecordID]]] = [[:], [:]]
    var parts: [RecordID: [RecordID]] = [:]

    mutating func set(_ side: Int, _ record: RecordID, to wanted: [RecordID]) {
        let new = Self.once(wanted)
        for gone in cells[side][record, default: []] where !new.contains(gone) {
            cells[1 - side][gone, default: []].removeAll { $0 == record }
        }
        for added in new where !cells[side][record, default: []].contains(added) {
            cells[1 - side][added, default: []].append(record)
        }
        cells[side][record] = new
    }

    mutating func delete(_ side: Int, _ record: RecordID) {
        cells[side][record] = nil
        for other in cells[1 - side].keys { cells[1 - side][other, default: []].removeAll { $0 == record } }
        guard side == 0 else { return }
        parts[record] = nil
        for other in parts.keys { parts[other, default: []].removeAll { $0 == record } }
    }

    static func once(_ records: [RecordID]) -> [RecordID] {
        var seen: Set<RecordID> = []
        return records.filter { seen.insert($0).inserted }
    }
}
