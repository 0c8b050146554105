/// What names and e-mail addresses may look like.
enum NameRules {
    static let longestName = 200
    private static let longestEmail = 254

    /// The name without white space around it; nil when nothing is left or it is too long or has control characters.
    static func name(_ text: String) -> String? {
        let name = trimmed(text)
        let length = name.unicodeScalars.count
        guard length > 0, length <= longestName, !name.unicodeScalars.contains(where: isControl) else { return nil }
        return name
    }

    /// The address without white space around it; nil unless it is `local@domain` (the part of RFC 5321 that matters
    /// to tell people apart; whether mail arrives there is not asked).
    static func email(_ text: String) -> String? {
        let email = trimmed(text)
        let parts = email.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard email.utf8.count <= longestEmail, parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
            !email.unicodeScalars.contains(where: { isControl($0) || $0.properties.isWhitespace || isMark($0) })
        else { return nil }
        return email
    }

    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool { "<>()[],;:\\\"".unicodeScalars.contains(scalar) }
}
