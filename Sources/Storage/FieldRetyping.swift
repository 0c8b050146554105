package import RowhouseModel

/// A change of a field's type under way: which field, and where a store puts the converted cells.
package struct FieldRetyping: Sendable {
    package let field: FieldID
    package let table: TableID
    /// The store's own number.
    package let place: Int

    package init(field: FieldID, table: TableID, place: Int) {
        self.field = field
        self.table = table
        self.place = place
    }
}
