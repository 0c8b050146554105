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
        var result: [PathSegment] = []
        result.reserveCapacity(4)
        for segment in rawSegments(Array(rawPath.utf8)) {
            let exact = try PercentEncoding.decode(segment, plus: .itself)
            let spaced =
                segment.contains(UInt8(ascii: "+")) ? try PercentEncoding.decode(segment, plus: .space) : exact
            result.append(PathSegment(exact: exact, plusAsSpace: spaced))
        }
        return result
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
