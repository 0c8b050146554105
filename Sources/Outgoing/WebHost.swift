/// The host of a URL in its one spelling, so that hosts can be compared and nobody reads one differently.
package enum WebHost: Hashable, Sendable, CustomStringConvertible {
    /// In ASCII and lower case, without a dot at its end.
    case name(String)
    case address(NetworkAddress)

    /// Reads a name, an IPv4 address in any spelling or an IPv6 address in brackets; nil for anything else.
    package init?(_ text: String) {
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = String(text.dropFirst().dropLast())
            // Neither zones (`%eth0`) nor anything but IPv6.
            guard inner.utf8.contains(UInt8(ascii: ":")), let address = NetworkAddress(inner) else { return nil }
            self = .address(address)
            return
        }
        guard let name = WebHost.canonical(text) else { return nil }
        self = NetworkAddress(name).map { .address($0) } ?? .name(name)
    }

    package var description: String {
        switch self {
        case .name(let name): name
        case .address(let address): address.bracketed
        }
    }

    private static func canonical(_ text: String) -> String? {
        guard text.utf8.count <= 1024 else { return nil }
        // The ideographic full stop is a dot of names (RFC 3490, section 3.1).
        var labels = text.lowercased().split(omittingEmptySubsequences: false) { $0 == "." || $0 == "\u{3002}" }
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        var name = ""
        for label in labels {
            guard let ascii = Punycode.label(label), (1...63).contains(ascii.utf8.count),
                ascii.utf8.allSatisfy(isNameByte)
            else { return nil }
            name += name.isEmpty ? ascii : "." + ascii
        }
        return name.utf8.count <= 253 ? name : nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
