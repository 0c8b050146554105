import RowhouseModel

/// An http or https URL, taken apart once: what is checked is what is called.
package struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    package enum Scheme: String, Sendable {
        case http, https

        var port: Int { self == .http ? 80 : 443 }
    }

    package let scheme: Scheme
    package let place: HostAndPort
    /// Path and query, in ASCII; begins with a slash.
    package let target: String

    static let longest = RemoteAddress.longest

    /// Reads an absolute URL; a fragment is left out. Nil for another scheme, for user names, for control characters
    /// and wherever programs disagree on which part is the host.
    package init?(_ text: String) {
        let text = RemoteAddress.trimmed(text)[...]
        guard text.utf8.count <= WebAddress.longest, let scheme = WebAddress.scheme(of: text) else { return nil }
        // By bytes: a letter's accent may stand after a slash too.
        let rest = text.utf8.dropFirst(scheme.rawValue.utf8.count + 3)
        let authority = Substring(rest.prefix { !"/?#".utf8.contains($0) })
        guard let place = WebAddress.place(authority, scheme),
            let target = WebAddress.target(rest.dropFirst(authority.utf8.count))
        else { return nil }
        self.init(scheme: scheme, place: place, target: target)
    }

    init(scheme: Scheme, place: HostAndPort, target: String) {
        self.scheme = scheme
        self.place = place
        self.target = target
    }

    package var description: String {
        let port = place.port == scheme.port ? "" : ":\(place.port)"
        return "\(scheme.rawValue)://\(place.host)\(port)\(target)"
    }

    private static func scheme(of text: Substring) -> Scheme? {
        let start = text.utf8.prefix { $0 != UInt8(ascii: "/") }
        guard text.utf8.dropFirst(start.count).starts(with: "//".utf8) else { return nil }
        let name = Substring(start).lowercased()
        return name == "http:" ? .http : name == "https:" ? .https : nil
    }

    /// User names (`public@127.0.0.1`), backslashes, escapes and second colons are no part of any host.
    private static func place(_ authority: Substring, _ scheme: Scheme) -> HostAndPort? {
        let hostEnd =
            authority.hasPrefix("[")
            ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
        let hostText = authority[..<(hostEnd ?? authority.endIndex)]
        let rest = authority[hostText.endIndex...]
        guard let host = WebHost(String(hostText)), rest.isEmpty || rest.hasPrefix(":") else { return nil }
        let digits = rest.dropFirst()
        guard !digits.isEmpty else { return HostAndPort(host: host, port: scheme.port) }
        return HostAndPort.port(digits).map { HostAndPort(host: host, port: $0) }
    }

    private static func target(_ text: Substring.UTF8View) -> String? {
        guard let encoded = encoded(text) else { return nil }
        return encoded.hasPrefix("/") ? encoded : "/" + encoded
    }

    /// Path and query with everything encoded that may not stand in a request line; without the fragment.
    static func encoded(_ text: Substring.UTF8View) -> String? {
        var encoded: [UInt8] = []
        for byte in text.prefix(while: { $0 != UInt8(ascii: "#") }) {
            guard byte > 0x1F, byte != 0x7F else { return nil }
            if byte >= 0x80 || " \"<>\\^`{|}".utf8.contains(byte) {
                encoded.append(UInt8(ascii: "%"))
                for half in [byte >> 4, byte & 15] { encoded.append(half < 10 ? 0x30 + half : 0x37 + half) }
            } else {
                encoded.append(byte)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
