/// Reads a still encoded query.
package enum QueryItems {
    /// The greatest number of parameters of one request.
    package static let limit = 500

    /// Decodes form data: parameters between `&`, a plus sign for a space, percent escapes; order kept.
    ///
    /// Empty items (`?&a=1`) are skipped; brackets may be encoded or not.
    /// - Throws: ``TargetError`` for malformed escapes, bytes that are not UTF-8, U+0000, or more than ``limit`` parameters.
    package static func parse(_ rawQuery: String) throws(TargetError) -> [QueryItem] {
        guard !rawQuery.isEmpty else { return [] }
        let bytes = Array(rawQuery.utf8)
        var result: [QueryItem] = []
        var start = 0
        while start <= bytes.count {
            var end = start
            var equals: Int?
            while end < bytes.count, bytes[end] != UInt8(ascii: "&") {
                if equals == nil, bytes[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if end > start {
                guard result.count < limit else { throw .tooManyParameters }
                result.append(
                    QueryItem(
                        name: try PercentEncoding.decode(bytes[start..<(equals ?? end)], plus: .space),
                        value: try equals.map { (place) throws(TargetError) in
                            try PercentEncoding.decode(bytes[(place + 1)..<end], plus: .space)
                        } ?? ""))
            }
            start = end + 1
        }
        return result
    }
}
