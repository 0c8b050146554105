/// The conditions of RFC 9110, section 13, on entity tags.
package enum EntityTag {
    /// The strong tag of a content that `name`, letters and digits such as a hash, stands for.
    package static func strong(_ name: String) -> String { "\"\(name)\"" }

    /// Whether an If-None-Match value names the tag: `*`, or a list compared weakly (RFC 9110, section 13.1.2).
    ///
    /// What is neither names nothing, nor does what stands behind it.
    package static func matches(_ condition: String, _ tag: String) -> Bool {
        var rest = Array(condition.utf8)[...]
        let wanted = opaque(Array(tag.utf8)[...])
        if rest.filter({ !isBlank($0) }).elementsEqual("*".utf8) { return true }
        while true {
            rest = opaque(rest.drop { isBlank($0) || $0 == UInt8(ascii: ",") })
            guard rest.first == UInt8(ascii: "\""),
                let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\""))
            else { return false }
            if rest[...end].elementsEqual(wanted) { return true }
            rest = rest[(end + 1)...].drop { isBlank($0) }
            guard rest.first == UInt8(ascii: ",") else { return false }
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func opaque(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        tag.starts(with: "W/".utf8) ? tag.dropFirst(2) : tag
    }
}
