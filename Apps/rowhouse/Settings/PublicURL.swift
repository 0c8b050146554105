/// The address that links are made from: `http` or `https`, a host, perhaps a port and a path; no query, no fragment.
enum PublicURL {
    /// The address without a slash at its end; nil for anything else.
    static func checked(_ text: String) -> String? {
        let lowered = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lowered.hasPrefix) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        guard !authority.isEmpty, authority.first != ":", !authority.contains("@"),
            rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !rest.contains(where: { "?#\"<>\\^`{|}".contains($0) })
        else { return nil }
        var url = scheme + rest
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }
}
