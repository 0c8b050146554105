package import CivilTime

/// Something deleted that can still be restored.
package struct TrashEntry: Sendable, Equatable {
    /// What was deleted.
    package enum Kind: String, Sendable { case record, field, table, base }

    /// Where it stands among all that was deleted in this folder.
    package let number: Int64
    package let kind: Kind
    /// The id that it had and will have again.
    package let id: IdentifierText
    package let base: BaseID
    /// The table of a record or a field, or the table itself.
    package let table: TableID?
    /// The name of a field, table or base; what the primary field of a record showed, its beginning only.
    package let name: String
    /// What was deleted by the same call.
    package let deletion: DeletionID
    package let deletedTime: Instant
    /// Nil where it was deleted before there was a trash.
    package let deletedBy: UserID?
    /// Whether it was restored since.
    package let isRestored: Bool

    package init(
        number: Int64, kind: Kind, id: IdentifierText, base: BaseID, table: TableID?, name: String,
        deletion: DeletionID, deletedTime: Instant, deletedBy: UserID?, isRestored: Bool
    ) {
        self.number = number
        self.kind = kind
        self.id = id
        self.base = base
        self.table = table
        self.name = name
        self.deletion = deletion
        self.deletedTime = deletedTime
        self.deletedBy = deletedBy
        self.isRestored = isRestored
    }

    /// The id with its prefix.
    package var wholeID: String {
        switch kind {
        case .record: RecordID(text: id).description
        case .field: FieldID(text: id).description
        case .table: TableID(text: id).description
        case .base: BaseID(text: id).description
        }
    }

    /// The longest name that is kept, in UTF-8 bytes.
    package static let longestName = 1_000
}

/// What a call wants restored.
package enum TrashReference: Sendable, Equatable {
    case record(RecordID)
    case field(FieldID)
    case table(TableID)
    case base(BaseID)
    /// All that one call deleted, as far as it is still in the trash.
    case deletion(DeletionID)

    /// Reads what a path of a base's trash names; nil for any other shape.
    package init?(_ text: String) {
        if let id = RecordID(text) {
            self = .record(id)
        } else if let id = FieldID(text) {
            self = .field(id)
        } else if let id = TableID(text) {
            self = .table(id)
        } else if let id = DeletionID(text) {
            self = .deletion(id)
        } else {
            return nil
        }
    }

    package var text: String {
        switch self {
        case .record(let id): id.description
        case .field(let id): id.description
        case .table(let id): id.description
        case .base(let id): id.description
        case .deletion(let id): id.description
        }
    }
}

/// A page of a trash, the newest first.
package struct TrashPage: Sendable {
    package let entries: [TrashEntry]
    package let offset: String?
    /// The people and tables that the entries name.
    package let users: UserDirectory
    package let tableNames: [TableID: String]
    /// How many days after its deletion an entry goes for good.
    package let days: Int

    package init(
        entries: [TrashEntry], offset: String?, users: UserDirectory, tableNames: [TableID: String], days: Int
    ) {
        self.entries = entries
        self.offset = offset
        self.users = users
        self.tableNames = tableNames
        self.days = days
    }
}

/// What a restore brought back.
package struct Restoration: Sendable {
    package let reference: TrashReference
    /// As they are named now.
    package let entries: [TrashEntry]
    package init(reference: TrashReference, entries: [TrashEntry]) {
        self.reference = reference
        self.entries = entries
    }
}

/// Looking into the trash and restoring from it.
package protocol TrashOperations: Sendable {
    /// What was deleted in a base, or without a base the deleted bases.
    func listTrash(
        of base: BaseID?, pageSize: Int, offset: String?, as caller: Caller
    ) async throws(APIError) -> TrashPage
    /// Brings back what is named, with the ids, cells and links it had; restoring what is restored already changes
    /// nothing. `base` is nil for a base.
    func restore(
        _ reference: TrashReference, in base: BaseID?, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<Restoration>
}
