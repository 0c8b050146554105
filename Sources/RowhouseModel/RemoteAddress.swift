/// The little that is to be known of an address elsewhere without going there.
package enum RemoteAddress {
    /// The longest address, in bytes.
    package static let longest = 8192

    /// Without the blanks and line ends around it that come with copying.
    package static func trimmed(_ url: String) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let text = url.utf8.drop(while: isBlank)
        return String(Substring(text.dropLast(text.reversed().prefix(while: isBlank).count)))
    }

    /// The host and the port that an address names, as they are written there but in lower case.
    package static func place(of url: String) -> String {
        guard let rest = afterScheme(url) else { return "" }
        return String(Substring(rest.utf8.prefix { !"/?#".utf8.contains($0) })).lowercased()
    }

    /// What follows `http://` or `https://`, the scheme in any case; nil for any other address, or one without a host.
    package static func afterScheme(_ url: String) -> String? {
        for scheme in ["http://", "https://"] {
            guard url.utf8.count > scheme.utf8.count,
                zip(url.utf8, scheme.utf8).allSatisfy({ lowercase($0) == $1 })
            else { continue }
            let rest = url.utf8.dropFirst(scheme.utf8.count)
            guard let first = rest.first, !"/?#:@".utf8.contains(first), rest.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { return nil }
            return String(decoding: rest, as: UTF8.self)
        }
        return nil
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }

    /// The last part of the path, decoded; nil when there is none.
    package static func filename(afterScheme rest: String) -> String? {
        let path = rest.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last, !last.isEmpty else { return nil }
        return Filename.cleaned(decoded(Array(last)))
    }

    /// Escapes that are none stay as they are.
    private static func decoded(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2])
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}
