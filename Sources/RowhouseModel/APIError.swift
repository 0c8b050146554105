/// A mistake or a failure, in the terms of Airtable's error answers (the error table of the Web API).
package struct APIError: Error, Sendable, Equatable {
    /// The two shapes that answers use.
    package enum Shape: Sendable { case object, bare }

    /// The HTTP status.
    package let status: Int
    /// Airtable's word, such as `UNKNOWN_FIELD_NAME`.
    package let type: String
    /// A sentence for a person; absent where Airtable sends none.
    package let message: String?
    package let shape: Shape

    package init(status: Int, type: String, message: String?, shape: Shape = .object) {
        self.status = status
        self.type = type
        self.message = message
        self.shape = shape
    }
}
