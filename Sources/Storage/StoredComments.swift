package import RowhouseModel

/// Some comments of a record, newest first.
package struct StoredComments: Sendable {
    package var comments: [Comment]
    /// The place of the last of them, where older ones follow.
    package var next: Int64?
    package init(comments: [Comment], next: Int64? = nil) {
        self.comments = comments
        self.next = next
    }
}
