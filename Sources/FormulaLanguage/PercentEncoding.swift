/// Texts in URLs (RFC 3986, section 2).
enum PercentEncoding {
    /// Whether a byte stands for itself: letters, digits and `-_.~`.
    static func isPlain(_ byte: UInt8) -> Bool {
        byte &- 48 < 10 || (byte | 0x20) &- 97 < 26 || byte == 45 || byte == 95 || byte == 46 || byte == 126
    }

    /// The text with every byte of its UTF-8 that does not stand for itself as `%XX`.
    static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isPlain(byte) { bytes.append(byte) } else { bytes += [37, digit(byte >> 4), digit(byte & 15)] }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 &+ value : 55 &+ value }
}
