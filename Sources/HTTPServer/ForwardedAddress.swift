/// The client's address as trusted proxies report it.
enum ForwardedAddress {
    /// Reads X-Forwarded-For from its end, where our own proxies wrote, up to the first address that is not one of them.
    static func client(_ values: [String], peer: String, trusted: Set<String>) -> String {
        var client = peer
        for part in values.joined(separator: ",").split(separator: ",").reversed() {
            let text = String(part.drop { $0 == " " }.prefix { $0 != " " })
            guard let address = NumericAddress.canonical(text) else { return client }
            client = address
            if !trusted.contains(address) { return client }
        }
        return client
    }
}
