/// Why bytes are not acceptable JSON, and where; never contains any of the input.
package struct JSONError: Error, Equatable, Sendable {
    /// A short English sentence without a full stop.
    package let reason: String
    /// The offset of the first byte that cannot be accepted (the length of the input when it ends too early).
    package let offset: Int

    init(_ reason: String, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
