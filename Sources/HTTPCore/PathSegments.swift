/// Splits a still encoded path into its decoded segments.
package enum PathSegments {
    /// Splits at slashes first and decodes each segment after, so an encoded slash stays inside its segment.
    ///
    /// One trailing slash is ignored; empty segments elsewhere stay; "/" and "" have no segments.
    /// - Throws: ``TargetError`` for a malformed escape, bytes that are not UTF-8, or U+0000.
    package static func split(_ rawPath: String) throws(TargetError) -> [String] {
        var result: [String] = []
        for segment in rawSegments(Array(rawPath.utf8)) {
            result.append(try PercentEncoding.decode(segment, plus: .itself))
        }
        return result
    }

    /// The same split with both readings of a plus sign.
    ///
    /// - Throws: ``TargetError`` as ``split(_:)``.
    package static func splitBothWays(_ rawPath: String) throws(TargetError) -> [PathSegment] {
        let path = rawPath.utf8Span.span
        let slash = UInt8(ascii: "/")
        var start = path.count > 0 && path[0] == slash ? 1 : 0
        var end = path.count
        guard start < end else { return [] }
        if path[end - 1] == slash { end -= 1 }
        var result: [PathSegment] = []
        result.reserveCapacity(4)
        // Asked with every request: one pass, in which most segments turn out to stand as they are.
        var isPlain = true
        for index in start..<max(start, end) {
            let byte = path[index]
            if byte == slash {
                result.append(try segment(path.extracting(start..<index), isPlain: isPlain))
                start = index + 1
                isPlain = true
            } else if PercentEncoding.hasMeaning(byte) {
                isPlain = false
            }
        }
        result.append(try segment(path.extracting(start..<max(start, end)), isPlain: isPlain))
        return result
    }

    private static func segment(_ bytes: Span<UInt8>, isPlain: Bool) throws(TargetError) -> PathSegment {
        if isPlain, let text = try? UTF8Span(validating: bytes) {
            let exact = String(copying: text)
            return PathSegment(exact: exact, plusAsSpace: exact)
        }
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        let exact = try PercentEncoding.decode(copy[...], plus: .itself)
        let spaced = copy.contains(UInt8(ascii: "+")) ? try PercentEncoding.decode(copy[...], plus: .space) : exact
        return PathSegment(exact: exact, plusAsSpace: spaced)
    }

    private static func rawSegments(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        let slash = UInt8(ascii: "/")
        var rest = bytes[...]
        if rest.first == slash { rest = rest.dropFirst() }
        guard !rest.isEmpty else { return [] }
        if rest.last == slash { rest = rest.dropLast() }
        var segments: [ArraySlice<UInt8>] = []
        segments.reserveCapacity(6)
        var start = rest.startIndex
        for index in rest.indices where rest[index] == slash {
            segments.append(rest[start..<index])
            start = index + 1
        }
        segments.append(rest[start...])
        return segments
    }
}
