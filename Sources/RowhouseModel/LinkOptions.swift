/// The options of a `multipleRecordLinks` field.
package struct LinkOptions: Sendable, Equatable {
    package let linkedTableID: TableID
    /// The field on the other side that shows the same links; nil for a link within one table that has no other side.
    package var inverseLinkFieldID: FieldID?
    /// Whether people are meant to choose one record only; cells hold several all the same.
    package var prefersSingleRecordLink: Bool
    package var isReversed: Bool
    /// The view of the linked table that people choose from; the API does not hold anyone to it.
    package var viewIDForRecordSelection: ViewID?

    package init(
        linkedTableID: TableID, inverseLinkFieldID: FieldID? = nil, prefersSingleRecordLink: Bool = false,
        isReversed: Bool = false, viewIDForRecordSelection: ViewID? = nil
    ) {
        self.linkedTableID = linkedTableID
        self.inverseLinkFieldID = inverseLinkFieldID
        self.prefersSingleRecordLink = prefersSingleRecordLink
        self.isReversed = isReversed
        self.viewIDForRecordSelection = viewIDForRecordSelection
    }
}
