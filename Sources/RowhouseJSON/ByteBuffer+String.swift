extension ByteBuffer {
    /// Appends valid UTF-8 in quotes, with the escapes JSON demands.
    mutating func appendString(_ text: Span<UInt8>) {
        var end = plainEnd(of: text, from: 0)
        guard end < text.count else { return appendQuoted(text) }
        var start = 0
        append(UInt8(ascii: "\""))
        while end < text.count {
            append(text.extracting(start..<end))
            appendEscaped(text[end])
            start = end &+ 1
            end = plainEnd(of: text, from: start)
        }
        append(text.extracting(start..<end))
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
            append("u00")
            append(hexDigit(byte &>> 4))
            append(hexDigit(byte & 15))
        }
    }

    private func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ value &- 10
    }
}

/// The first position from `start` on whose byte must be escaped, else the length.
private func plainEnd(of bytes: Span<UInt8>, from start: Int) -> Int {
    var position = start
    while bytes.count &- position >= 16, isPlain(bytes.extracting(position..<position &+ 16)) { position &+= 16 }
    while position < bytes.count, !mustBeEscaped(bytes[position]) { position &+= 1 }
    return position
}

/// Whether none of 16 bytes must be escaped, by arithmetic without branches, which the compiler does for all at once.
@inline(__always) private func isPlain(_ chunk: Span<UInt8>) -> Bool {
    var found: UInt8 = 0
    for index in 0..<16 {
        let byte = chunk[index]
        let quote = byte ^ UInt8(ascii: "\"")
        let backslash = byte ^ UInt8(ascii: "\\")
        // The top bit is set where a subtraction wrapped and the byte itself had no top bit.
        found |= (byte &- 0x20) & ~byte | (quote &- 1) & ~quote | (backslash &- 1) & ~backslash
    }
    return found < 0x80
}

@inline(__always) private func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}
