/// Reads JSON strictly by RFC 8259.
///
/// Refused beyond the grammar: a byte order mark, bytes that are not UTF-8, escaped surrogates without a partner,
/// numbers beyond the range of a double, and anything beyond the limits. Of members with one key the last value wins.
package enum JSONParser {
    /// What a document may cost.
    package struct Limits: Sendable {
        /// How many arrays and objects may be open at once; never more than 256, whatever is set.
        package var depth = 64
        /// The greatest length of the document in bytes.
        package var bytes = 10 * 1024 * 1024

        /// The usual limits, or others.
        package init(depth: Int = 64, bytes: Int = 10 * 1024 * 1024) {
            self.depth = depth
            self.bytes = bytes
        }
    }

    /// The value the bytes spell.
    ///
    /// - Throws: `JSONError` with the offset of the first byte that cannot be accepted.
    package static func parse(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytes else {
            throw JSONError("The document is too large", at: max(0, limits.bytes))
        }
        // The parser, equality and the writer recurse; the cap keeps them well inside a small thread's stack.
        var reader = JSONReader(bytes: bytes, depth: min(limits.depth, 256))
        return try reader.document()
    }
}
