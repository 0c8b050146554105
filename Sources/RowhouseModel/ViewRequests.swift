/// A view as the path of a request names it: by id or name, with `+` taken literally and as a space.
package struct ViewReference: Sendable, Equatable {
    package let exact: String
    package let plusAsSpace: String

    package init(_ exact: String, plusAsSpace: String? = nil) {
        self.exact = exact
        self.plusAsSpace = plusAsSpace ?? exact
    }
}

/// What a schema call says of a view; what it does not name stays as it is.
package struct ViewInput: Sendable, Equatable {
    package var name: String?
    package var type: String?
    /// The inner nil shows every record.
    package var filterByFormula: String??
    /// Fields by name or id; none drops the order.
    package var sort: [SortRequest]?
    /// Names or ids; the inner nil shows every field.
    package var visibleFieldIDs: [String]??
    package var recordOrder: RecordMove?

    package init(
        name: String? = nil, type: String? = nil, filterByFormula: String?? = nil, sort: [SortRequest]? = nil,
        visibleFieldIDs: [String]?? = nil, recordOrder: RecordMove? = nil
    ) {
        self.name = name
        self.type = type
        self.filterByFormula = filterByFormula
        self.sort = sort
        self.visibleFieldIDs = visibleFieldIDs
        self.recordOrder = recordOrder
    }
}

/// Records to be put, in the order given, directly before another in a view's order by hand.
package struct RecordMove: Sendable, Equatable {
    /// One to 1,000 records.
    package var records: [RecordID]
    /// Nil: after all others.
    package var before: RecordID?

    package init(records: [RecordID], before: RecordID?) {
        self.records = records
        self.before = before
    }
}

/// A view with the table that it is of.
package struct TableView: Sendable {
    package let view: View
    package let table: TableSchema

    package init(view: View, table: TableSchema) {
        self.view = view
        self.table = table
    }
}
