package import CivilTime

/// What one call did to a record.
package struct RecordHistoryEntry: Sendable {
    package enum Kind: String, Sendable { case create, update, delete, restore }

    /// A cell before and after, with the field as it was then under the name it has now, its choices those that are gone
    /// included.
    package struct Cell: Sendable {
        package let field: Field
        package let before: StoredCell
        package let after: StoredCell
        package init(field: Field, before: StoredCell, after: StoredCell) {
            self.field = field
            self.before = before
            self.after = after
        }
    }

    package let id: ChangeID
    package let kind: Kind
    package let time: Instant
    package let user: UserID
    package let cells: [Cell]

    package init(id: ChangeID, kind: Kind, time: Instant, user: UserID, cells: [Cell]) {
        self.id = id
        self.kind = kind
        self.time = time
        self.user = user
        self.cells = cells
    }
}

/// A page of a record's history, the newest first.
package struct RecordHistoryPage: Sendable {
    package let entries: [RecordHistoryEntry]
    package let offset: String?
    package let users: UserDirectory
    package init(entries: [RecordHistoryEntry], offset: String?, users: UserDirectory) {
        self.entries = entries
        self.offset = offset
        self.users = users
    }
}

/// A record whose history is asked for.
package struct RecordHistoryRequest: Sendable {
    package let base: BaseID
    package let table: TableReference
    package let record: RecordID
    /// 1–100.
    package let pageSize: Int
    package let offset: String?
    package init(base: BaseID, table: TableReference, record: RecordID, pageSize: Int, offset: String?) {
        self.base = base
        self.table = table
        self.record = record
        self.pageSize = pageSize
        self.offset = offset
    }
}

/// One cell to be put back as an entry of the history has it.
package struct RestoreCellRequest: Sendable {
    /// Which of the two values of the entry.
    package enum Value: String, Sendable { case before, after }

    package let base: BaseID
    package let table: TableReference
    package let record: RecordID
    package let entry: ChangeID
    /// By id or name.
    package let field: String
    package let value: Value
    package init(
        base: BaseID, table: TableReference, record: RecordID, entry: ChangeID, field: String, value: Value
    ) {
        self.base = base
        self.table = table
        self.record = record
        self.entry = entry
        self.field = field
        self.value = value
    }
}

/// What became of a record, from the change log.
package protocol HistoryOperations: Sendable {
    func recordHistory(_ request: RecordHistoryRequest, as caller: Caller) async throws(APIError) -> RecordHistoryPage
    /// Writes a cell as it was: a change like any other, logged like any other.
    func restoreCell(
        _ request: RestoreCellRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<WrittenRecords>
}
