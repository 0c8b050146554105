package import RowhouseModel

/// A field, table or base that was just hidden, to be noted in the trash.
package struct NewTrashEntry: Sendable {
    package let kind: TrashEntry.Kind
    package let id: IdentifierText
    package let base: BaseID
    package let table: TableID?
    package let name: String
    package let user: UserID
    /// The hidden fields that come back with it: its own, and those of other tables that went with it.
    package let fields: [FieldPlace]

    package init(
        kind: TrashEntry.Kind, id: IdentifierText, base: BaseID, table: TableID?, name: String, user: UserID,
        fields: [FieldPlace]
    ) {
        self.kind = kind
        self.id = id
        self.base = base
        self.table = table
        self.name = name
        self.user = user
        self.fields = fields
    }
}

/// A field by its table.
package struct FieldPlace: Sendable, Hashable {
    package let table: TableID
    package let field: FieldID
    package init(table: TableID, field: FieldID) {
        self.table = table
        self.field = field
    }
}

/// A field that is out of sight, as it was.
package struct HiddenField: Sendable {
    package let table: TableID
    package let field: Field
    /// Where it stood among the fields of its table.
    package let position: Int
    package init(table: TableID, field: Field, position: Int) {
        self.table = table
        self.field = field
        self.position = position
    }
}

/// Which entries of the trash are looked for.
package enum TrashQuery: Sendable {
    /// Those of a base that are not restored, older than a number, the newest first.
    case base(BaseID, before: Int64?)
    /// The deleted bases, likewise.
    case bases(before: Int64?)
    /// The newest of this kind and id, restored or not.
    case newest(TrashEntry.Kind, IdentifierText)
    /// All that one call deleted, restored or not, in the order of deletion.
    case deletion(DeletionID)
}
