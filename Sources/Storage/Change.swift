package import RowhouseModel

/// One entry of the change log: who did what, with the values before and after.
package struct Change: Sendable {
    package enum Kind: String, Sendable {
        case createRecords, updateRecords, deleteRecords
        /// Some created and some updated, by one upsert.
        case upsertRecords
        /// Files of attachments that came, or could not be had: the program's own doing, which no history shows. Its
        /// cells hold nothing but these attachments.
        case settleAttachments
        /// Back from the trash.
        case restoreRecords
        case createBase, deleteBase, restoreBase, createTable, updateTable, deleteTable, restoreTable
        /// With the view, not the table, as schema.
        case createView, updateView, deleteView
        /// With the comment, and its record among the records, without cells.
        case createComment, updateComment, deleteComment
    }
    package let kind: Kind
    package let base: BaseID
    package let table: TableID?
    package let user: UserID
    package let token: TokenID?
    package let records: [RecordChange]
    /// The schema before and after of what was changed, as the meta API shows it.
    package let schema: SchemaChange?
    package let comment: CommentChange?

    package init(
        kind: Kind, base: BaseID, table: TableID?, user: UserID, token: TokenID?, records: [RecordChange] = [],
        schema: SchemaChange? = nil, comment: CommentChange? = nil
    ) {
        self.kind = kind
        self.base = base
        self.table = table
        self.user = user
        self.token = token
        self.records = records
        self.schema = schema
        self.comment = comment
    }
}

/// A comment before and after a change; no value where it did not exist.
package struct CommentChange: Sendable {
    package let before: Comment?
    package let after: Comment?
    package init(before: Comment?, after: Comment?) {
        self.before = before
        self.after = after
    }
}

/// A schema before and after a change, as JSON; no value where it did not exist.
package struct SchemaChange: Sendable {
    package let before: [UInt8]?
    package let after: [UInt8]?
    package init(before: [UInt8]?, after: [UInt8]?) {
        self.before = before
        self.after = after
    }
}

/// What a change did to one record.
package struct RecordChange: Sendable {
    package let record: RecordID
    /// Field and value before and after; only fields whose value differs.
    package let cells: [(field: FieldID, before: StoredCell, after: StoredCell)]
    /// Whether the change made the record.
    package let isCreation: Bool
    package init(
        record: RecordID, cells: [(field: FieldID, before: StoredCell, after: StoredCell)], isCreation: Bool = false
    ) {
        self.record = record
        self.cells = cells
        self.isCreation = isCreation
    }
}
