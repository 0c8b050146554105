/// Percent-encoding of texts in addresses (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// What a plus sign means in an encoded text.
    package enum Plus: Sendable {
        /// A plus sign, as in paths.
        case itself
        /// A space, as in form data and queries.
        case space
    }

    /// Decodes a whole text.
    ///
    /// - Throws: ``TargetError`` for a malformed escape, bytes that are not UTF-8, or U+0000.
    package static func decode(_ text: String, plus: Plus = .itself) throws(TargetError) -> String {
        try decode(Array(text.utf8)[...], plus: plus)
    }

    static func decode(_ bytes: ArraySlice<UInt8>, plus: Plus) throws(TargetError) -> String {
        // Most texts are ASCII and stand as they are.
        if isPlain(bytes) { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            var byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard bytes.endIndex - index >= 2, let high = ASCII.hexadecimal(bytes[index]),
                    let low = ASCII.hexadecimal(bytes[index + 1])
                else { throw .malformedEscape }
                byte = high << 4 | low
                index += 2
            } else if byte == UInt8(ascii: "+"), plus == .space {
                byte = UInt8(ascii: " ")
            }
            guard byte != 0 else { throw .nulCharacter }
            result.append(byte)
        }
        guard let text = String(validating: result, as: UTF8.self) else { throw .invalidUTF8 }
        return text
    }

    private static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
        for byte in bytes where hasMeaning(byte) { return false }
        return true
    }

    /// Whether a byte may stand for another one, or not at all, or belongs to a longer character.
    static func hasMeaning(_ byte: UInt8) -> Bool { byte == 0x25 || byte == 0x2B || byte == 0 || byte >= 0x80 }

    /// Encodes every byte but RFC 3986's unreserved characters: fit for one path segment, one name or one value.
    package static func encode(_ text: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result.append(digit(byte >> 4))
                result.append(digit(byte & 15))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 &+ value : 0x41 &+ value &- 10 }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
