/// Reads an Accept-Encoding header (RFC 9110, section 12.5.3).
package enum AcceptEncoding {
    /// Whether gzip is named, or covered by `*`, with a quality above zero.
    package static func allowsGzip(_ value: String) -> Bool {
        var wildcard = false
        for part in value.utf8.split(separator: UInt8(ascii: ",")) {
            let pieces = part.split(separator: UInt8(ascii: ";"))
            guard let coding = pieces.first.map(compact) else { continue }
            let isRefused = pieces.dropFirst().contains { isZeroQuality(compact($0)) }
            if coding == Array("gzip".utf8) || coding == Array("x-gzip".utf8) { return !isRefused }
            if coding == [UInt8(ascii: "*")] { wildcard = !isRefused }
        }
        return wildcard
    }

    private static func compact(_ text: Substring.UTF8View) -> [UInt8] {
        text.filter { !ASCII.isBlank($0) }.map(ASCII.lowercased)
    }

    private static func isZeroQuality(_ parameter: [UInt8]) -> Bool {
        guard parameter.starts(with: "q=".utf8) else { return false }
        let value = parameter.dropFirst(2)
        return value.contains(UInt8(ascii: "0"))
            && value.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    }
}
