/// Splits the target of a request line (RFC 9112, section 3.2) into path and query, both still encoded.
package struct RequestTarget: Equatable, Sendable {
    package let rawPath: String
    package let rawQuery: String

    /// Takes origin form, absolute form and `*`; nil for anything else, for blanks, controls or bytes that are not UTF-8.
    package init?(_ bytes: [UInt8]) {
        let span = bytes.span
        for index in span.indices { guard span[index] > 0x20, span[index] != 0x7F else { return nil } }
        var rest = bytes[...]
        if rest.first != UInt8(ascii: "/") {
            if rest.elementsEqual("*".utf8) {
                self.init(path: "*", query: "")
                return
            }
            guard let path = RequestTarget.withoutAuthority(rest) else { return nil }
            rest = path
        }
        let mark = rest.firstIndex(of: UInt8(ascii: "?"))
        guard let path = RequestTarget.text(rest[..<(mark ?? rest.endIndex)]),
            let query = RequestTarget.text(mark.map { rest[($0 + 1)...] } ?? [])
        else { return nil }
        self.init(path: path.isEmpty ? "/" : path, query: query)
    }

    private init(path: String, query: String) {
        rawPath = path
        rawQuery = query
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        // Almost every target is ASCII, and the validating initializer takes several times as long.
        bytes.allSatisfy { $0 < 0x80 }
            ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
    }

    private static func withoutAuthority(_ target: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for scheme in ["http://", "https://"] where target.count > scheme.utf8.count {
            let head = target.prefix(scheme.utf8.count)
            guard zip(head, scheme.utf8).allSatisfy({ ASCII.lowercased($0) == $1 }) else { continue }
            let rest = target.dropFirst(scheme.utf8.count)
            return rest[(rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex)...]
        }
        return nil
    }
}
