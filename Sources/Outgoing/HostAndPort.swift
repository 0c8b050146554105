/// A host, by name or by address, and a port.
package struct HostAndPort: Hashable, Sendable, CustomStringConvertible {
    package let host: WebHost
    package let port: Int

    init(host: WebHost, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`, an IPv6 host in brackets; nil for anything else.
    package init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), let host = WebHost(String(text[..<colon])),
            let port = HostAndPort.port(text[text.index(after: colon)...])
        else { return nil }
        self.init(host: host, port: port)
    }

    package var description: String { "\(host):\(port)" }

    /// A number from 1 to 65,535 in at most five digits.
    static func port(_ text: Substring) -> Int? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
            let port = Int(text), (1...65_535).contains(port)
        else { return nil }
        return port
    }
}
