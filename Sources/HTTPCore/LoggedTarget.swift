/// The form of a path and query that may be written into a log.
package enum LoggedTarget {
    /// Joins path and query, with the values of parameters that carry secrets, and the key in a link of a file
    /// (`/f/{attachment}/{key}/…`), replaced by `-`.
    package static func redacted(rawPath: String, rawQuery: String) -> String {
        let path = withoutKey(rawPath)
        guard !rawQuery.isEmpty else { return path }
        var result = path
        var separator = "?"
        for item in rawQuery.utf8.split(separator: UInt8(ascii: "&")) {
            result += separator
            separator = "&"
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            result +=
                isSecret(name) ? String(decoding: name, as: UTF8.self) + "=-" : String(decoding: item, as: UTF8.self)
        }
        return result
    }

    private static func withoutKey(_ path: String) -> String {
        // Nearly every other path is told by its second byte.
        let second = path.utf8.dropFirst().first
        guard second == UInt8(ascii: "f") || second == UInt8(ascii: "%") else { return path }
        var parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let first = String(decoding: parts.dropFirst().first ?? Substring().utf8, as: UTF8.self)
        // A segment that cannot be decoded is no link, but whatever follows it may be meant as a secret.
        guard parts.count > 3, (try? PercentEncoding.decode(first)) ?? "f" == "f" else { return path }
        parts[3] = Substring("-").utf8
        return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    }

    private static func isSecret(_ rawName: Substring.UTF8View) -> Bool {
        // A name that cannot be decoded may hide anything.
        guard let name = try? PercentEncoding.decode(String(decoding: rawName, as: UTF8.self), plus: .space) else {
            return true
        }
        let letters = name.lowercased().filter(\.isLetter)
        return secrets.contains { letters.contains($0) }
    }

    private static let secrets = ["key", "token", "secret", "password", "passwd", "signature", "code", "credential"]
}
