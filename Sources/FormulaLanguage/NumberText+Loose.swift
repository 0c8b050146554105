extension NumberText {
    /// The number that the digits of a text make, with its first point and a minus that stands before them; nil when
    /// there is no digit.
    static func looseNumber(in text: String) -> Double? {
        var kept: [UInt8] = []
        var (hasDigit, hasPoint) = (false, false)
        for byte in text.utf8 {
            if byte &- 48 < 10 {
                hasDigit = true
                kept.append(byte)
            } else if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
                kept.append(byte)
            } else if byte == UInt8(ascii: "-"), kept.isEmpty {
                kept.append(byte)
            }
        }
        return hasDigit ? Double(String(decoding: kept, as: UTF8.self)) : nil
    }
}
