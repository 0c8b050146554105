import CivilTime
import RowhouseModel
import Storage

extension RecordSession {
    private static let trashColumns =
        "SELECT number, kind, id, base, table_id, name, deletion, deleted, user, state FROM trash"

    func trash(_ query: TrashQuery, since: Instant, limit: Int) throws(APIError) -> [TrashEntry] {
        switch query {
        case .base(let base, let before):
            return try trash(
                "base = ?4 AND state = 0 AND kind <> 'base' AND number < ?3 ORDER BY number DESC", since, limit
            ) {
                $0.bind(3, before ?? .max)
                $0.bind(4, base.text)
            }
        case .bases(let before):
            return try trash(
                "state = 0 AND kind = 'base' AND number < ?3 ORDER BY number DESC", since, limit
            ) { $0.bind(3, before ?? .max) }
        case .newest(let kind, let id):
            return try trash("id = ?3 AND kind = ?4 ORDER BY number DESC", since, limit) {
                $0.bind(3, id)
                $0.bind(4, kind.rawValue)
            }
        case .deletion(let id):
            // Entries of one call follow each other.
            let first = id.text.number
            return try trash("number >= ?3 AND number < ?4 AND deletion = ?3 ORDER BY number", since, limit) {
                $0.bind(3, first)
                $0.bind(4, first.addingReportingOverflow(Int64(limit)).partialValue)
            }
        }
    }

    private func trash(
        _ condition: String, _ since: Instant, _ limit: Int, _ bind: (Statement) -> Void
    ) throws(APIError) -> [TrashEntry] {
        let statement = try connection.prepare(
            "\(Self.trashColumns) WHERE deleted >= ?1 AND state <> \(TrashState.going) AND \(condition) LIMIT ?2")
        statement.bind(1, since.milliseconds)
        statement.bind(2, limit)
        bind(statement)
        var entries: [TrashEntry] = []
        while try statement.step() {
            guard let kind = TrashEntry.Kind(rawValue: statement.text(1)) else { throw .internalError }
            entries.append(
                TrashEntry(
                    number: statement.integer(0), kind: kind, id: statement.identifier(2),
                    base: BaseID(text: statement.identifier(3)),
                    table: statement.isNull(4) ? nil : TableID(text: statement.identifier(4)), name: statement.text(5),
                    deletion: DeletionID(text: IdentifierText(number: statement.integer(6))),
                    deletedTime: Instant(milliseconds: statement.integer(7)),
                    deletedBy: statement.isNull(8) ? nil : UserID(text: statement.identifier(8)),
                    isRestored: statement.int(9) == TrashState.restored))
        }
        return entries
    }
}
