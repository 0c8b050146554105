/// Weak entity tags and the conditions of RFC 9110, section 13.
package enum EntityTag {
    /// A weak tag of a body: the same bytes give the same tag in every run of the program.
    package static func weak(of body: [UInt8]) -> String {
        var hash = ContentHash.of(body)
        var digits: [UInt8] = Array(#"W/"0000000000000000""#.utf8)
        for place in stride(from: 18, through: 3, by: -1) {
            let digit = UInt8(truncatingIfNeeded: hash & 15)
            digits[place] = digit < 10 ? 0x30 &+ digit : 0x61 &+ digit &- 10
            hash >>= 4
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Whether an If-None-Match value names the tag: `*`, or a list compared weakly (RFC 9110, section 13.1.2).
    package static func matches(_ condition: String, _ tag: String) -> Bool {
        let bytes = Array(condition.utf8)
        let wanted = opaque(Array(tag.utf8)[...])
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "*") { return true }
            if bytes[index] == UInt8(ascii: "\"") {
                let rest = bytes[(index + 1)...]
                guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return false }
                if bytes[index...end].elementsEqual(wanted) { return true }
                index = end + 1
            } else {
                index += 1
            }
        }
        return false
    }

    private static func opaque(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        tag.starts(with: "W/".utf8) ? tag.dropFirst(2) : tag
    }
}
