/// What a change of a field's type or choices would do to its cells.
package struct RetypingReport: Sendable, Equatable {
    /// One cell that would not stay whole, as a person sees it.
    package struct Example: Sendable, Equatable {
        package let record: RecordID
        package let before: String
        /// Nil where nothing would be left.
        package let after: String?
        package init(record: RecordID, before: String, after: String?) {
            self.record = record
            self.before = before
            self.after = after
        }
    }

    /// Cells that would be empty afterwards, or say something else.
    package var lost = 0
    /// Cells that would keep a part only.
    package var shortened = 0
    /// Cells that would stay whole.
    package var kept = 0
    /// The first cells that would not stay whole.
    package var examples: [Example] = []

    package init() {}
}
