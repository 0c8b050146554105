import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Storage

/// Finds the records that typecast names by the values of their primary fields, and makes those that are missing.
struct LinkedNames {
    /// How many names one request may look up: each costs a search, while other writes wait.
    static let most = 1_000

    private let session: WriteSession
    private let base: BaseID
    private var context: CellContext
    private var found: [TableID: [String: RecordID]] = [:]
    private var searches = 0
    private var made: [(table: TableSchema, changes: [RecordChange])] = []

    init(_ session: WriteSession, base: BaseID) {
        self.session = session
        self.base = base
        context = CellContext(
            typecast: true, users: session.writer.users, zones: session.zones,
            makeChoiceID: { Engine.randomID() })
    }

    /// The cell that is meant: ids of records, or values of their primary fields, each exactly as it reads.
    mutating func cell(_ value: JSONValue, for field: Field) throws(APIError) -> StoredCell {
        guard let id = field.linkedTableID, let linked = session.writer.schema.base(base)?.table(id) else {
            throw .cannotAccept(field.name)
        }
        let references = try LinkCell.references(value, for: field)
        let ids = references.compactMap { RecordID($0) }
        let present = ids.isEmpty ? [] : Set(try session.writer.records(ids, in: linked, fields: []).ids)
        var records: [RecordID] = []
        var known: Set<RecordID> = []
        for reference in references {
            let record: RecordID
            if let id = RecordID(reference), present.contains(id) {
                record = id
            } else {
                record = try self.record(named: reference, in: linked, for: field)
            }
            if known.insert(record).inserted { records.append(record) }
        }
        return .links(records)
    }

    private mutating func record(
        named name: String, in linked: TableSchema, for field: Field
    ) throws(APIError) -> RecordID {
        if let record = found[linked.id]?[name] { return record }
        searches += 1
        guard searches <= Self.most else {
            throw .invalidRequest("A request with typecast may name up to \(Self.most) linked records.")
        }
        guard let position = linked.index(of: linked.primaryFieldID) else { throw .internalError }
        let key = try key(name, linked.fields[position], for: field)
        let matches = try session.writer.find([(position, key)], in: linked, limit: 1)
        let record: RecordID
        if let first = matches.first {
            record = first
        } else {
            record = try make(key, position, in: linked, for: field)
        }
        found[linked.id, default: [:]][name] = record
        return record
    }

    /// The primary cell that a name stands for.
    private mutating func key(
        _ name: String, _ primary: Field, for field: Field
    ) throws(APIError) -> StoredCell {
        if primary.type == .autoNumber, let number = Int64(name) { return .integer(number) }
        guard primary.type.isWritable else { throw .cannotAccept(field.name) }
        let cell: StoredCell
        do throws(APIError) {
            cell = try CellDecoder.decode(.string(name), for: primary, in: &context)
        } catch {
            throw .cannotAccept(field.name)
        }
        guard cell != .empty else { throw .cannotAccept(field.name) }
        return cell
    }

    private mutating func make(
        _ key: StoredCell, _ position: Int, in linked: TableSchema, for field: Field
    ) throws(APIError) -> RecordID {
        guard linked.fields[position].type.isWritable else { throw .cannotAccept(field.name) }
        let changes = try session.insert([[(position, key)]], in: linked)
        guard let record = changes.first?.record else { throw .internalError }
        if let index = made.firstIndex(where: { $0.table === linked }) {
            made[index].changes += changes
        } else {
            made.append((linked, changes))
        }
        return record
    }

    /// Logs the records that were made.
    func log() throws(APIError) {
        for (table, changes) in made { try session.log(.createRecords, of: changes, in: table) }
    }
}
