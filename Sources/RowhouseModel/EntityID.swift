/// An identifier of Airtable's shape: a three-letter prefix and fourteen base-62 characters.
package protocol EntityID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The three letters that tell the kind, such as `rec`.
    static var prefix: String { get }
    /// What follows the prefix.
    var text: IdentifierText { get }
    /// Wraps the fourteen characters.
    init(text: IdentifierText)
}

extension EntityID {
    /// Reads `prefix` + fourteen characters; nil for any other shape.
    package init?(_ string: String) {
        guard let text = IdentifierText(string, after: Self.prefix) else { return nil }
        self.init(text: text)
    }

    /// Reads `prefix` + fourteen characters from UTF-8; nil for any other shape.
    package init?(bytes: [UInt8]) {
        guard let text = IdentifierText(bytes.span, after: Self.prefix.utf8Span.span) else { return nil }
        self.init(text: text)
    }

    /// Appends the whole identifier as ASCII.
    package func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: Self.prefix.utf8)
        text.append(to: &bytes)
    }

    /// The whole identifier, such as `recA1b2C3d4E5f6G7`.
    package var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(17)
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}
