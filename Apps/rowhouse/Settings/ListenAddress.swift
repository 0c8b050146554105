import Glibc

/// Where to listen: a numeric address and a port; port 0 lets the system choose.
struct ListenAddress: Sendable, Equatable {
    let host: String
    let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`, an IPv6 host in brackets; nil for anything else.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let host = text[..<colon]
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = Int(digits),
            port <= 65535
        else { return nil }
        if host.hasPrefix("["), host.hasSuffix("]") {
            let inner = String(host.dropFirst().dropLast())
            guard NumericHost.isIPv6(inner) else { return nil }
            self.init(host: inner, port: port)
        } else if host == "localhost" {
            self.init(host: "127.0.0.1", port: port)
        } else {
            guard NumericHost.isIPv4(String(host)) else { return nil }
            self.init(host: String(host), port: port)
        }
    }

    /// `HOST:PORT` as a URL has it, with another port.
    func authority(port: Int) -> String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The address by which a program on this machine reaches it.
    var reachable: ListenAddress {
        switch host {
        case "0.0.0.0": ListenAddress(host: "127.0.0.1", port: port)
        case "::": ListenAddress(host: "::1", port: port)
        default: self
        }
    }
}

/// Addresses that need no name service.
enum NumericHost {
    static func isIPv4(_ text: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1
    }

    static func isIPv6(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1
    }
}
