extension [UInt8] {
    /// Appends the text in quotes, with the escapes JSON demands.
    mutating func appendJSONString(_ text: String) {
        let span = text.utf8Span.span
        guard plainEnd(of: span, from: 0, to: span.count) < span.count else {
            append(UInt8(ascii: "\""))
            append(contentsOf: text.utf8)
            append(UInt8(ascii: "\""))
            return
        }
        let utf8 = Array(text.utf8)
        appendJSONString(utf8, 0..<utf8.count)
    }

    /// Appends a part of valid UTF-8 in quotes, with the escapes JSON demands; `range` lies inside `utf8`.
    mutating func appendJSONString(_ utf8: [UInt8], _ range: Range<Int>) {
        append(UInt8(ascii: "\""))
        var start = range.lowerBound
        while start < range.upperBound {
            let end = plainEnd(of: utf8.span, from: start, to: range.upperBound)
            append(contentsOf: utf8[start..<end])
            guard end < range.upperBound else { break }
            appendEscaped(utf8[end])
            start = end &+ 1
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        default:
            append(contentsOf: "u00".utf8)
            append(hexDigit(byte &>> 4))
            append(hexDigit(byte & 15))
        }
    }
}

/// The first position from `start` on whose byte must be escaped, else `end`.
private func plainEnd(of bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    while position < end {
        let byte = bytes[position]
        if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
        position &+= 1
    }
    return position
}

private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ value &- 10
}
