/// Mentions in the text of a comment: `@[usr…]`, and as people also write them, `@[e-mail address]`.
///
/// What names nobody known is plain text. Every step is linear in the text.
package enum Mention {
    /// No address that a person of the folder has is longer.
    private static let longestName = 254

    /// The text as it is kept: every address of a person known is that person's id, all else is as it was.
    package static func kept(_ text: String, users: UserDirectory) -> String {
        let bytes = Array(text.utf8)
        var kept: [UInt8] = []
        var copied = 0
        for name in names(in: bytes) {
            guard let user = users.user(email: String(decoding: bytes[name], as: UTF8.self)) else { continue }
            kept.append(contentsOf: bytes[copied..<name.lowerBound])
            user.id.append(to: &kept)
            copied = name.upperBound
        }
        guard copied > 0 else { return text }
        kept.append(contentsOf: bytes[copied...])
        return String(decoding: kept, as: UTF8.self)
    }

    /// The people whom a kept text mentions, each once, in its order.
    package static func people(in text: String, users: UserDirectory) -> [User] {
        let bytes = Array(text.utf8)
        var known: Set<UserID> = []
        var people: [User] = []
        for name in names(in: bytes) {
            guard let id = UserID(bytes: Array(bytes[name])), known.insert(id).inserted, let user = users.user(id)
            else { continue }
            people.append(user)
        }
        return people
    }

    /// Where what stands between `@[` and `]` is; no such name has a bracket in it.
    private static func names(in bytes: [UInt8]) -> [Range<Int>] {
        var names: [Range<Int>] = []
        var start = 0
        while start + 1 < bytes.count {
            guard bytes[start] == UInt8(ascii: "@"), bytes[start + 1] == UInt8(ascii: "[") else {
                start += 1
                continue
            }
            let name = start + 2
            var end = name
            while end < bytes.count, end - name <= longestName, !isBracket(bytes[end]) { end += 1 }
            if end > name, end < bytes.count, bytes[end] == UInt8(ascii: "]") { names.append(name..<end) }
            // What stopped the search may be the bracket of the next mention.
            start = max(name, end - 1)
        }
        return names
    }

    private static func isBracket(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") }
}
