/// Base64 in the alphabet of URLs, without padding (RFC 4648, section 5).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Appends the 22 characters of a tag's 16 bytes.
    package static func append(_ tag: ShortTag, to output: inout [UInt8]) {
        let (alphabet, first, second) = (alphabet, tag.first, tag.second)
        for shift in stride(from: 58, through: 4, by: -6) { output.append(alphabet[Int(first >> UInt64(shift) & 63)]) }
        output.append(alphabet[Int(first << 2 & 63 | second >> 62)])
        for shift in stride(from: 56, through: 2, by: -6) { output.append(alphabet[Int(second >> UInt64(shift) & 63)]) }
        output.append(alphabet[Int(second << 4 & 63)])
    }

    /// The text of the bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count * 4 / 3 + 4)
        var bits = 0
        var buffer: UInt32 = 0
        for byte in bytes {
            buffer = (buffer << 8 | UInt32(byte)) & 0xFFFF
            bits += 8
            while bits >= 6 {
                bits -= 6
                output.append(alphabet[Int(buffer >> UInt32(bits)) & 63])
            }
        }
        if bits > 0 { output.append(alphabet[Int(buffer << UInt32(6 - bits)) & 63]) }
        return String(decoding: output, as: UTF8.self)
    }

    /// The bytes of a text; nil where it holds any other character.
    package static func decode(_ text: String) -> [UInt8]? {
        var output: [UInt8] = []
        var bits = 0
        var buffer: UInt32 = 0
        for byte in text.utf8 {
            guard let value = value(of: byte) else { return nil }
            buffer = (buffer << 6 | value) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                output.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        return output
    }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case 65...90: UInt32(byte) - 65
        case 97...122: UInt32(byte) - 71
        case 48...57: UInt32(byte) + 4
        case 45: 62
        case 95: 63
        default: nil
        }
    }
}
