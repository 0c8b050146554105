/// Questions about single bytes of HTTP's own syntax.
package enum ASCII {
    /// The small letter of a capital one; every other byte as it is.
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    /// A space or a tab.
    package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The value of a hexadecimal digit, or nil.
    package static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte &- 0x30
        case 0x41...0x46: byte &- 0x41 &+ 10
        case 0x61...0x66: byte &- 0x61 &+ 10
        default: nil
        }
    }

    /// Whether a byte may stand in a field name (`tchar`, RFC 9110, section 5.6.2).
    package static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}

extension ASCII {
    /// Whether two texts are the same but for the case of ASCII letters.
    package static func isEqual(_ first: String, _ second: String) -> Bool {
        let (left, right) = (first.utf8Span.span, second.utf8Span.span)
        guard left.count == right.count else { return false }
        for index in left.indices { guard lowercased(left[index]) == lowercased(right[index]) else { return false } }
        return true
    }
}
