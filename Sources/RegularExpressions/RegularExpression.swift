import CRE2

/// A compiled pattern of RE2: no look-around, no back-references, time linear in the text.
///
/// `@unchecked Sendable`: RE2's objects may be used by several threads at once.
package final class RegularExpression: @unchecked Sendable {
    private let pattern: OpaquePointer
    /// The number of groups in the pattern.
    package let groupCount: Int

    /// Compiles a pattern, or nil when it is not one or needs more than a megabyte.
    package init?(_ text: String) {
        var text = text
        let made = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cre2_compile($0.baseAddress, $0.count, 1 << 20) }
        }
        guard let made else { return nil }
        pattern = made
        groupCount = Int(cre2_group_count(made))
    }

    deinit { cre2_free(pattern) }

    /// Places in UTF-8 of the first match at or after `start` and of its groups; nil where a group took no part.
    package func firstMatch(in text: [UInt8], from start: Int = 0) -> [Range<Int>?]? {
        guard start >= 0, start <= text.count else { return nil }
        let count = groupCount + 1
        var places = [Int64](repeating: -1, count: count * 2)
        let isFound = text.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                cre2_find(pattern, $0.baseAddress, $0.count, start, &places, Int32(count))
            }
        }
        guard isFound != 0 else { return nil }
        return (0..<count).map { index in
            let (low, high) = (places[index * 2], places[index * 2 + 1])
            return low < 0 ? nil : Int(low)..<Int(high)
        }
    }
}
