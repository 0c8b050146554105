/// Airtable's "List comments".
package struct ListCommentsRequest: Sendable, Equatable {
    package var base: BaseID
    package var table: TableReference
    package var record: RecordID
    /// 1–100.
    package var pageSize = 100
    package var offset: String?

    package init(base: BaseID, table: TableReference, record: RecordID) {
        self.base = base
        self.table = table
        self.record = record
    }
}

/// Airtable's "Create comment".
package struct CreateCommentRequest: Sendable, Equatable {
    package var base: BaseID
    package var table: TableReference
    package var record: RecordID
    package var text: String
    /// The comment that is answered.
    package var parent: CommentID?

    package init(base: BaseID, table: TableReference, record: RecordID, text: String, parent: CommentID? = nil) {
        self.base = base
        self.table = table
        self.record = record
        self.text = text
        self.parent = parent
    }
}

/// Airtable's "Update comment".
package struct UpdateCommentRequest: Sendable, Equatable {
    package var base: BaseID
    package var table: TableReference
    package var record: RecordID
    package var comment: CommentID
    package var text: String

    package init(base: BaseID, table: TableReference, record: RecordID, comment: CommentID, text: String) {
        self.base = base
        self.table = table
        self.record = record
        self.comment = comment
        self.text = text
    }
}

/// Airtable's "Delete comment".
package struct DeleteCommentRequest: Sendable, Equatable {
    package var base: BaseID
    package var table: TableReference
    package var record: RecordID
    package var comment: CommentID

    package init(base: BaseID, table: TableReference, record: RecordID, comment: CommentID) {
        self.base = base
        self.table = table
        self.record = record
        self.comment = comment
    }
}
