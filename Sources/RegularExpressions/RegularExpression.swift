import CRE2

/// A compiled pattern of RE2: no look-around, no back-references, time linear in the text.
///
/// `@unchecked Sendable`: RE2's objects may be used by several threads at once.
package final class RegularExpression: @unchecked Sendable {
    private let pattern: OpaquePointer
    /// The number of groups in the pattern.
    package let groupCount: Int
    /// The instructions of its program: a search takes at worst time in proportion to them and to the text.
    package let programSize: Int

    /// Compiles a pattern, or nil when it is not one or needs more than a megabyte.
    package init?(_ text: String) {
        var text = text
        let made = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cre2_compile($0.baseAddress, $0.count, 1 << 20) }
        }
        guard let made else { return nil }
        pattern = made
        groupCount = Int(cre2_group_count(made))
        programSize = Int(cre2_program_size(made))
    }

    deinit { cre2_free(pattern) }

    /// Whether there is a match anywhere in the UTF-8.
    package func matches(_ text: Span<UInt8>) -> Bool { find(in: text, from: 0, pairs: 0) != nil }

    /// Places in UTF-8 of the first match at or after `start` and of its first groups, of all when `groups` is left out;
    /// nil where a group took no part.
    package func firstMatch(in text: Span<UInt8>, from start: Int = 0, groups: Int = .max) -> [Range<Int>?]? {
        guard start >= 0, start <= text.count else { return nil }
        let pairs = 1 + max(0, min(groups, groupCount))
        guard let places = find(in: text, from: start, pairs: pairs) else { return nil }
        return (0..<pairs).map { index in
            let (low, high) = (places[index * 2], places[index * 2 + 1])
            return low < 0 ? nil : Int(low)..<Int(high)
        }
    }

    /// The starts and ends of the match and of its groups; nil when there is no match.
    private func find(in text: Span<UInt8>, from start: Int, pairs: Int) -> [Int64]? {
        var places = [Int64](repeating: -1, count: pairs * 2)
        let isFound = text.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                cre2_find(pattern, $0.baseAddress, $0.count, start, &places, Int32(pairs))
            }
        }
        return isFound != 0 ? places : nil
    }
}
