extension WebAddress {
    /// Where a Location header leads from here (RFC 3986, section 5.2); nil where ``init(_:)`` would be nil.
    package func following(_ location: String) -> WebAddress? {
        guard location.utf8.count <= WebAddress.longest else { return nil }
        if location.hasPrefix("//") { return WebAddress("\(scheme.rawValue):\(location)") }
        if WebAddress.hasScheme(location) { return WebAddress(location) }
        // Only path and query are left, which are ASCII from here on.
        guard let reference = WebAddress.encoded(location[...].utf8) else { return nil }
        let path = String(self.target.prefix { $0 != "?" })
        let target: String
        if reference.isEmpty {
            target = self.target
        } else if reference.hasPrefix("?") {
            target = path + reference
        } else if reference.hasPrefix("/") {
            target = WebAddress.withoutDots(reference)
        } else {
            let folder = path.dropLast(path.reversed().prefix { $0 != "/" }.count)
            target = WebAddress.withoutDots(folder + reference)
        }
        return WebAddress(scheme: scheme, place: place, target: target)
    }

    /// Whether it begins with a scheme, of whatever name.
    private static func hasScheme(_ reference: String) -> Bool {
        guard let end = reference.firstIndex(where: { ":/?#".contains($0) }) else { return false }
        return reference[end] == ":"
    }

    /// A path and its query, the path's `.` and `..` followed.
    private static func withoutDots(_ text: String) -> String {
        let path = text.prefix { $0 != "?" }
        var kept: [Substring] = []
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for part in parts {
            if part == ".." { _ = kept.popLast() } else if part != "." { kept.append(part) }
        }
        if let last = parts.last, last == "." || last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/") + text.dropFirst(path.count)
    }
}
