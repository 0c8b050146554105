/// The form of a path and query that may be written into a log.
package enum LoggedTarget {
    /// Joins path and query, with the values of parameters that carry secrets, and the key in a link of a file
    /// (`/f/{attachment}/{key}/…`), replaced by `-`.
    package static func redacted(rawPath: String, rawQuery: String) -> String {
        let path = withoutKey(rawPath)
        guard !rawQuery.isEmpty else { return path }
        var result = Array(path.utf8)
        result.reserveCapacity(path.utf8.count + rawQuery.utf8.count + 1)
        var separator = UInt8(ascii: "?")
        for item in Array(rawQuery.utf8).split(separator: UInt8(ascii: "&")) {
            result.append(separator)
            separator = UInt8(ascii: "&")
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            if isSecret(name) {
                result.append(contentsOf: name)
                result.append(contentsOf: "=-".utf8)
            } else {
                result.append(contentsOf: item)
            }
        }
        return String(decoding: result, as: UTF8.self)
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

    private static func isSecret(_ rawName: ArraySlice<UInt8>) -> Bool {
        // A name that cannot be decoded may hide anything.
        guard let name = try? PercentEncoding.decode(rawName, plus: .space) else { return true }
        let letters = asciiLetters(name) ?? Array(name.lowercased().filter(\.isLetter).utf8)
        return secrets.contains { isPart($0, of: letters) }
    }

    /// The letters of a name, small; nil for a name that is not ASCII, whose letters only Unicode can tell.
    private static func asciiLetters(_ name: String) -> [UInt8]? {
        var letters: [UInt8] = []
        letters.reserveCapacity(name.utf8.count)
        for byte in name.utf8 {
            if byte >= 0x80 { return nil }
            let small = ASCII.lowercased(byte)
            if small >= UInt8(ascii: "a"), small <= UInt8(ascii: "z") { letters.append(small) }
        }
        return letters
    }

    private static func isPart(_ word: [UInt8], of letters: [UInt8]) -> Bool {
        guard letters.count >= word.count else { return false }
        for start in 0...letters.count - word.count where letters[start] == word[0] {
            if letters[start..<start + word.count].elementsEqual(word) { return true }
        }
        return false
    }

    private static let secrets = [
        "key", "token", "secret", "password", "passwd", "signature", "code", "credential",
    ].map { Array($0.utf8) }
}
