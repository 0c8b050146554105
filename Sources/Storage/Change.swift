package import RowhouseModel

/// One entry of the change log: who did what, with the values before and after.
package struct Change: Sendable {
    package enum Kind: String, Sendable {
        case createRecords, updateRecords, deleteRecords
        case createBase, deleteBase, createTable, updateTable, deleteTable
    }
    package let kind: Kind
    package let base: BaseID
    package let table: TableID?
    package let user: UserID
    package let token: TokenID?
    package let records: [RecordChange]

    package init(
        kind: Kind, base: BaseID, table: TableID?, user: UserID, token: TokenID?, records: [RecordChange] = []
    ) {
        self.kind = kind
        self.base = base
        self.table = table
        self.user = user
        self.token = token
        self.records = records
    }
}

/// What a change did to one record.
package struct RecordChange: Sendable {
    package let record: RecordID
    /// Field and value before and after; only fields whose value differs.
    package let cells: [(field: FieldID, before: StoredCell, after: StoredCell)]
    package init(record: RecordID, cells: [(field: FieldID, before: StoredCell, after: StoredCell)]) {
        self.record = record
        self.cells = cells
    }
}
