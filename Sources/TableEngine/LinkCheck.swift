import RowhouseModel
import Storage

/// How many links one request may still add or move: each is written on both sides while other writes wait.
final class LinkAllowance {
    static let most = 20_000
    private var left = most

    func take(_ count: Int) throws(APIError) {
        left -= count
        guard left >= 0 else { throw .invalidRequest("A request may add or move up to \(Self.most) links.") }
    }
}

extension WriteSession {
    /// Holds the links of a cell against the linked table, as far as they are new.
    ///
    /// - Throws: `ROW_DOES_NOT_EXIST`, or `ROW_TABLE_DOES_NOT_MATCH_LINKED_TABLE` for a record of another table.
    func checkLinks(
        _ value: StoredCell, before: StoredCell = .empty, for field: Field, in base: BaseID
    ) throws(APIError) {
        guard let id = field.linkedTableID else { return }
        guard let linked = writer.schema.base(base)?.table(id), let wanted = value.linkedRecords else {
            throw .cannotAccept(field.name)
        }
        let old = before.linkedRecords ?? []
        let known = Set(old)
        let names = Set(wanted)
        let stay = zip(old.lazy.filter { names.contains($0) }, wanted).prefix { $0 == $1 }.count
        try links.take(wanted.count - stay)
        let new = wanted.filter { !known.contains($0) }
        let present = new.isEmpty ? [] : Set(try writer.records(new, in: linked, fields: []).ids)
        guard let missing = new.first(where: { !present.contains($0) }) else { return }
        for table in writer.schema.base(base)?.tables ?? [] where table.id != id {
            if try writer.record(missing, in: table, fields: []) != nil {
                throw .linkedTableMismatch(missing, field.name)
            }
        }
        throw .recordDoesNotExist(missing.description)
    }
}
