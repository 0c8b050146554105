import RowhouseModel
import Storage

/// What a cached statement does with the records of a table.
enum StatementShape: Hashable {
    case byID, byNumber
    case firstByNumber, nextByNumber
    case firstByID, nextByID
    case ordered(index: Int, backwards: Bool)
    case scan
    case find(empty: UInt64)
    case insert, update, delete, number, modified
    /// Records that were moved by hand in a view or not, and for which a condition holds.
    case unmoved(view: Int, String), moved(view: Int, String)
    case forgetPlace(view: Int), keepPlace(view: Int)
    /// Copies a record to the twin of its table.
    case keep
    case numbers
    /// The ids in the cells of a link field, their number, and the records themselves.
    case linkCells(LinkSide), linkCounts(LinkSide), linked(LinkSide)
    case link(LinkUse, LinkSide)
    /// A part of a walk over the records for which a condition holds.
    case filtered(Walk, String)
    /// Keys of an index.
    case keys(index: Int)
    /// The records in a part of an index, and an index from a place on.
    case numbersInRange(Int, toEnd: Bool)
    case entries(Int, backwards: Bool, toEnd: Bool)
    /// One value of one row.
    case value(String)

    /// What a filtered walk goes by.
    enum Walk: Hashable {
        case byNumber, byID, scan
        case index(Int, backwards: Bool)
        case range(Int)
        case number
    }

    /// Whether it names an index that may be gone.
    var dependsOnIndex: Bool {
        switch self {
        case .ordered, .keys, .numbersInRange, .entries, .filtered(.index, _), .filtered(.range, _): true
        default: false
        }
    }
}

/// A statement on one version of a table, with what reading its rows needs.
final class CachedStatement {
    /// Kept alive so that its identity can stand for its version.
    let table: TableSchema
    let fields: [Field]
    let statement: Statement
    /// The link fields among `fields`, by their place there: filled in after the rows are read.
    let links: [(place: Int, side: LinkSide)]
    fileprivate(set) var lastUse = 0
    /// How many bytes of text a record had lately, to make room for at once.
    var textARecord = 256

    init(
        table: TableSchema, fields: [Field], links: [(place: Int, side: LinkSide)] = [], statement: Statement
    ) {
        self.table = table
        self.fields = fields
        self.links = links
        self.statement = statement
    }
}

/// The prepared statements of one connection, found without building SQL; the longest unused are dropped.
final class StatementCache {
    private struct Key: Hashable {
        let table: ObjectIdentifier
        let shape: StatementShape
        let fields: [Int]

        func hash(into hasher: inout Hasher) {
            hasher.combine(table)
            hasher.combine(shape)
            hasher.combine(fields.count)
            hasher.combine(fields.first)
        }
    }
    private static let limit = 256
    private var statements: [Key: CachedStatement] = [:]
    /// The statement found last: one is often wanted many times in a row.
    private var latest: (key: Key, statement: CachedStatement)?
    private var clock = 0

    /// The statement for a shape and fields of a table, made by `make` on first use.
    func statement(
        _ shape: StatementShape, of table: TableSchema, fields: [Int],
        make: () throws(APIError) -> CachedStatement?
    ) throws(APIError) -> CachedStatement? {
        clock &+= 1
        let key = Key(table: ObjectIdentifier(table), shape: shape, fields: fields)
        if let latest, latest.key == key {
            latest.statement.lastUse = clock
            return latest.statement
        }
        if let found = statements[key] {
            found.lastUse = clock
            latest = (key, found)
            return found
        }
        guard let made = try make() else { return nil }
        made.lastUse = clock
        if statements.count >= Self.limit { makeRoom() }
        statements[key] = made
        latest = (key, made)
        return made
    }

    func remove(_ shape: StatementShape, of table: TableSchema, fields: [Int]) {
        latest = nil
        statements[Key(table: ObjectIdentifier(table), shape: shape, fields: fields)] = nil
    }

    func removeAll() {
        latest = nil
        statements = [:]
    }

    private func makeRoom() {
        let oldest = statements.values.map(\.lastUse).sorted()[statements.count / 4]
        latest = nil
        statements = statements.filter { $0.value.lastUse > oldest }
    }
}
