/// A view of a table: what it is called, which records and fields it shows, and in which order.
///
/// It goes on naming fields that are gone, until someone changes what it says: they may come back from the trash. A list
/// by a filter that names one is an error meanwhile, which beats showing records that were meant to be left out.
package struct View: Sendable, Equatable {
    package let id: ViewID
    package var name: String
    /// `grid`, `form`, `calendar`, `gallery`, `kanban` …
    package var type: String
    /// A formula with field ids in braces that chooses the records; nil shows all.
    package var filter: String?
    /// No key: the order by hand, or that of record ids while nothing was moved.
    package var sort: [ViewSort]
    /// Fields that are not shown; a field made later is shown.
    package var hiddenFieldIDs: Set<FieldID>
    /// Fields in the view's own order, those not named after them; empty for the table's order.
    package var fieldOrder: [FieldID]
    /// Whether records were moved by hand, so that the store keeps places for them.
    package var isManuallyOrdered: Bool

    package init(
        id: ViewID, name: String, type: String, filter: String? = nil, sort: [ViewSort] = [],
        hiddenFieldIDs: Set<FieldID> = [], fieldOrder: [FieldID] = [], isManuallyOrdered: Bool = false
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.filter = filter
        self.sort = sort
        self.hiddenFieldIDs = hiddenFieldIDs
        self.fieldOrder = fieldOrder
        self.isManuallyOrdered = isManuallyOrdered
    }

    /// What a view may be called in `type`.
    package static let types: Set<String> = [
        "grid", "form", "calendar", "gallery", "kanban", "list", "timeline", "gantt",
    ]

    /// The fields that it shows, in its order.
    package func visibleFieldIDs(of fields: [Field]) -> [FieldID] {
        let present = fields.map(\.id)
        guard !fieldOrder.isEmpty else { return present.filter { !hiddenFieldIDs.contains($0) } }
        let known = Set(present)
        let named = Set(fieldOrder)
        return fieldOrder.filter { known.contains($0) && !hiddenFieldIDs.contains($0) }
            + present.filter { !named.contains($0) && !hiddenFieldIDs.contains($0) }
    }

    /// Shows exactly these of a table's fields, in this order.
    package mutating func show(_ visible: [FieldID], of fields: [Field]) {
        let shown = Set(visible)
        hiddenFieldIDs = Set(fields.map(\.id).filter { !shown.contains($0) })
        fieldOrder = []
        if visibleFieldIDs(of: fields) != visible { fieldOrder = visible }
    }

    /// The keys of its order whose fields a table has.
    package func sort(in table: TableSchema) -> [ViewSort] { sort.filter { table.index(of: $0.field) != nil } }
}

/// One key of a view's order.
package struct ViewSort: Sendable, Equatable {
    package let field: FieldID
    package let direction: SortDirection
    package init(field: FieldID, direction: SortDirection) {
        self.field = field
        self.direction = direction
    }
}
