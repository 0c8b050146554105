package import RowhouseModel

/// One key of an order: a field by position and a direction.
package struct SortKey: Sendable, Hashable {
    package let field: Int
    package let direction: SortDirection
    package init(field: Int, direction: SortDirection) {
        self.field = field
        self.direction = direction
    }
}

/// Where a page begins: after this record, at this place of the order.
package struct PagePosition: Sendable, Equatable {
    package let record: RecordID
    /// The record's key in the order when it was read: of `SortKeyEncoder`, or its place in the order by hand; empty
    /// for the order of ids.
    package let key: [UInt8]
    package init(record: RecordID, key: [UInt8]) {
        self.record = record
        self.key = key
    }
}

/// One page of a table: which cells, in which order, from where, how many, and of which records.
package struct PagePlan: Sendable {
    package let table: TableSchema
    /// Positions in `table.fields` of the cells to read.
    package let fields: [Int]
    /// No key: the order by hand of `manualOrder`, or else that of record ids. Fields without a sort key of their own
    /// (`FieldType.hasSortKey`) do not order.
    package let order: [SortKey]
    /// The view whose order by hand counts where `order` has no key.
    package let manualOrder: ViewID?
    package let after: PagePosition?
    package let limit: Int
    /// Only records for which this holds; nil: all.
    package let filter: StoredCondition?
    /// After how many bytes of text the page is long enough; never more than a store has in one page anyway.
    package let textLimit: Int

    package init(
        table: TableSchema, fields: [Int], order: [SortKey], manualOrder: ViewID? = nil, after: PagePosition?,
        limit: Int, filter: StoredCondition? = nil, textLimit: Int = .max
    ) {
        self.table = table
        self.fields = fields
        self.order = order
        self.manualOrder = manualOrder
        self.after = after
        self.limit = limit
        self.filter = filter
        self.textLimit = textLimit
    }
}

/// A page as read: the records and where the last of them stands.
package struct StoredPage: Sendable {
    package var batch: RecordBatch
    /// The place of the last record; nil for an empty page.
    package var last: PagePosition?
    /// Whether a further record follows.
    package var hasMore: Bool
    /// Set when a filtered page was given up because a call looks at so many records only: what may follow has not been
    /// looked at yet. The page goes on after this place, which need not be that of a record that was found.
    package var unfinished: PagePosition?
    /// The places of the records in an order by hand, where that is the order.
    package var places: [[UInt8]] = []

    package init(batch: RecordBatch, last: PagePosition?, hasMore: Bool, unfinished: PagePosition? = nil) {
        self.batch = batch
        self.last = last
        self.hasMore = hasMore
        self.unfinished = unfinished
    }
}

/// A record to be added.
package struct NewRecord: Sendable {
    package let id: RecordID
    /// Field position and value.
    package let cells: [(field: Int, value: StoredCell)]
    package init(id: RecordID, cells: [(field: Int, value: StoredCell)]) {
        self.id = id
        self.cells = cells
    }
}
