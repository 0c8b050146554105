package import CivilTime
package import RowhouseModel

/// What a store keeps of an attachment beside the cell that shows it: where it lives, and what is still to be fetched.
package struct StoredAttachment: Sendable, Equatable {
    /// The cell that an attachment was made for; its id is valid nowhere else.
    package struct Place: Sendable, Hashable {
        package let base: BaseID
        package let table: TableID
        package let field: FieldID
        package let record: RecordID

        package init(base: BaseID, table: TableID, field: FieldID, record: RecordID) {
            self.base = base
            self.table = table
            self.field = field
            self.record = record
        }
    }

    /// The time at which what is new is due.
    package static let atOnce = Instant(milliseconds: 0)

    package var attachment: Attachment
    package let place: Place
    /// Who attached it.
    package let user: UserID
    package let createdTime: Instant
    /// Since when it is known that its cell does not hold it.
    package var unheldTime: Instant?
    /// From when on it is to be fetched, the beginning of time for what nobody has tried yet; nil for what is here, and
    /// for what its cell was found not to hold.
    package var dueTime: Instant?
    /// How many times it could not be kept, or had to make way for others.
    package var tries: Int

    package init(
        attachment: Attachment, place: Place, user: UserID, createdTime: Instant, unheldTime: Instant? = nil,
        dueTime: Instant? = nil, tries: Int = 0
    ) {
        self.attachment = attachment
        self.place = place
        self.user = user
        self.createdTime = createdTime
        self.unheldTime = unheldTime
        self.dueTime = dueTime
        self.tries = tries
    }
}
