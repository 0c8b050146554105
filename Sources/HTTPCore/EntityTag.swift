/// The conditions of RFC 9110, section 13, on entity tags.
package enum EntityTag {
    /// The strong tag of a content that `name`, letters and digits such as a hash, stands for.
    package static func strong(_ name: String) -> String { "\"\(name)\"" }

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
