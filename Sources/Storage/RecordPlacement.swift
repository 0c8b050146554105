package import RowhouseModel

/// What a move did to one record: its place in a view's order by hand, before and after.
package struct RecordPlacement: Sendable {
    package let record: RecordID
    /// Nil: the place of its id.
    package let before: String?
    package let after: String

    package init(record: RecordID, before: String?, after: String) {
        self.record = record
        self.before = before
        self.after = after
    }
}
