import CivilTime
package import RowhouseModel
import Storage

extension Engine: TrashOperations {
    package func listTrash(
        of base: BaseID?, pageSize: Int, offset: String?, as caller: Caller
    ) throws(APIError) -> TrashPage {
        let before = try offset.map { (text) throws(APIError) in
            guard let id = DeletionID(text) else { throw .invalidOffset(text) }
            return id.text.number
        }
        let days = storage.trashDays
        if let base {
            let schema = try Self.base(base, of: storage.schema, scope: .recordsRead, as: caller)
            var entries = try trash(.base(base, before: before), pageSize + 1)
            let offset = Self.offset(of: &entries, pageSize)
            return TrashPage(
                entries: entries, offset: offset, users: storage.users,
                tableNames: try tableNames(of: entries, in: schema), days: days)
        }
        guard caller.holds(.schemaRead) else { throw .invalidPermissions }
        var entries: [TrashEntry] = []
        var next = before
        // Those that the caller does not reach are passed over.
        while entries.count <= pageSize {
            let found = try trash(.bases(before: next), pageSize + 1)
            entries += found.filter { caller.reaches($0.base) }
            guard found.count > pageSize, let last = found.last else { break }
            next = last.number
        }
        let offset = Self.offset(of: &entries, pageSize)
        return TrashPage(entries: entries, offset: offset, users: storage.users, tableNames: [:], days: days)
    }

    private func trash(_ query: TrashQuery, _ limit: Int) throws(APIError) -> [TrashEntry] {
        let since = Self.oldest(clock(), storage.trashDays)
        return try storage.readEach { (reader) throws(APIError) in try reader.trash(query, since: since, limit: limit) }
    }

    /// What was deleted before that has no way back.
    static func oldest(_ now: Instant, _ days: Int) -> Instant {
        Instant(milliseconds: now.milliseconds &- Int64(days) &* 86_400_000)
    }

    private static func offset(of entries: inout [TrashEntry], _ pageSize: Int) -> String? {
        guard entries.count > pageSize else { return nil }
        entries = Array(entries.prefix(pageSize))
        return entries.last.map { DeletionID(text: IdentifierText(number: $0.number)).description }
    }

    /// The names of tables, also of those that are in the trash themselves.
    private func tableNames(of entries: [TrashEntry], in base: BaseSchema) throws(APIError) -> [TableID: String] {
        var names: [TableID: String] = [:]
        for id in Set(entries.compactMap(\.table)) {
            names[id] = try base.table(id)?.name ?? trash(.newest(.table, id.text), 1).first?.name
        }
        return names
    }
}
