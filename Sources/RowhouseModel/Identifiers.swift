// The kinds of identifier of Airtable's meta API.

/// Identifies a base: `app` and fourteen base-62 characters.
package struct BaseID: EntityID {
    package static let prefix = "app"
    package let text: IdentifierText
    package init(text: IdentifierText) { self.text = text }
}

/// Identifies a table: `tbl` and fourteen base-62 characters.
package struct TableID: EntityID {
    package static let prefix = "tbl"
    package let text: IdentifierText
    package init(text: IdentifierText) { self.text = text }
}

/// Identifies a field: `fld` and fourteen base-62 characters.
package struct FieldID: EntityID {
    package static let prefix = "fld"
    package let text: IdentifierText
    package init(text: IdentifierText) { self.text = text }
}

/// Identifies a view: `viw` and fourteen base-62 characters.
package struct ViewID: EntityID {
    package static let prefix = "viw"
    package let text: IdentifierText
    package init(text: IdentifierText) { self.text = text }
}

/// Identifies a record: `rec` and fourteen base-62 characters.
package struct RecordID: EntityID {
    package static let prefix = "rec"
    package let text: IdentifierText
    package init(text: IdentifierText) { self.text = text }
}

/// Identifies a user: `usr` and fourteen base-62 characters.
package struct UserID: EntityID {
    package static let prefix = "usr"
    package let text: IdentifierText
    package init(text: IdentifierText) { self.text = text }
}

/// Identifies a select choice: `sel` and fourteen base-62 characters.
package struct ChoiceID: EntityID {
    package static let prefix = "sel"
    package let text: IdentifierText
    package init(text: IdentifierText) { self.text = text }
}

/// Identifies a workspace: `wsp` and fourteen base-62 characters.
package struct WorkspaceID: EntityID {
    package static let prefix = "wsp"
    package let text: IdentifierText
    package init(text: IdentifierText) { self.text = text }
}

/// Identifies a personal access token: `pat` and fourteen base-62 characters.
package struct TokenID: EntityID {
    package static let prefix = "pat"
    package let text: IdentifierText
    package init(text: IdentifierText) { self.text = text }
}

/// Identifies one walk over the pages of a list: `itr` and fourteen base-62 characters.
package struct IteratorID: EntityID {
    package static let prefix = "itr"
    package let text: IdentifierText
    package init(text: IdentifierText) { self.text = text }
}

/// Identifies a comment: `com` and fourteen base-62 characters.
package struct CommentID: EntityID {
    package static let prefix = "com"
    package let text: IdentifierText
    package init(text: IdentifierText) { self.text = text }
}

/// Identifies an attachment: `att` and fourteen base-62 characters.
package struct AttachmentID: EntityID {
    package static let prefix = "att"
    package let text: IdentifierText
    package init(text: IdentifierText) { self.text = text }
}

/// Identifies what one call deleted: `del` and fourteen base-62 characters.
package struct DeletionID: EntityID {
    package static let prefix = "del"
    package let text: IdentifierText
    package init(text: IdentifierText) { self.text = text }
}

/// Identifies an entry of the change log: `chg` and fourteen base-62 characters.
package struct ChangeID: EntityID {
    package static let prefix = "chg"
    package let text: IdentifierText
    package init(text: IdentifierText) { self.text = text }
}
