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
    let last = bytes.count &- 8
    var position = start
    while position < last, isPlain(eightBytes(bytes, at: position)) { position &+= 8 }
    // What is left of a longer text is looked at together with some that came before.
    if last >= 0, position >= last, isPlain(eightBytes(bytes, at: last)) { return bytes.count }
    while position < bytes.count, !mustBeEscaped(bytes[position]) { position &+= 1 }
    return position
}

/// Eight bytes as one integer; written so that the compiler makes one load of it.
@inline(__always) private func eightBytes(_ bytes: Span<UInt8>, at position: Int) -> UInt64 {
    let bytes = bytes.extracting(position..<position &+ 8)
    let low = UInt64(bytes[0]) | UInt64(bytes[1]) &<< 8 | UInt64(bytes[2]) &<< 16 | UInt64(bytes[3]) &<< 24
    let high = UInt64(bytes[4]) | UInt64(bytes[5]) &<< 8 | UInt64(bytes[6]) &<< 16 | UInt64(bytes[7]) &<< 24
    return low | high &<< 32
}

/// Whether none of the eight bytes must be escaped.
@inline(__always) private func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    // The top bit of a byte is set where a subtraction wrapped and the byte itself had no top bit.
    let wrapped = (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
    return wrapped & (ones &* 0x80) == 0
}

@inline(__always) private func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}
