extension JSONReader {
    /// Reads the string whose opening quote is under the cursor.
    mutating func string() throws(JSONError) -> String {
        position &+= 1
        let start = position
        try skipPlainText()
        if current == UInt8(ascii: "\"") {
            defer { position &+= 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
        var text = Array(bytes[start..<position])
        while try unescape(into: &text) {
            let start = position
            try skipPlainText()
            text.append(contentsOf: bytes[start..<position])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Moves to the next quote or backslash over valid UTF-8.
    private mutating func skipPlainText() throws(JSONError) {
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): return
            case 0..<0x20: throw failure("Unescaped control character in a string")
            case 0x20..<0x80: position &+= 1
            default: position &+= try sequenceLength(startingWith: byte)
            }
        }
        throw failure("Unterminated string")
    }

    /// The length of the well-formed UTF-8 sequence under the cursor (RFC 3629, table of section 4).
    private func sequenceLength(startingWith lead: UInt8) throws(JSONError) -> Int {
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch lead {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: (0, 0x80...0xBF)
            }
        guard length > 0, position &+ length <= bytes.count, second.contains(bytes[position &+ 1]),
            length < 3 || bytes[position &+ 2] & 0xC0 == 0x80,
            length < 4 || bytes[position &+ 3] & 0xC0 == 0x80
        else { throw failure("Invalid UTF-8 in a string") }
        return length
    }

    /// Appends the escape under the cursor; at the closing quote moves past it and says false.
    private mutating func unescape(into text: inout [UInt8]) throws(JSONError) -> Bool {
        let escape = position
        let isQuote = current == UInt8(ascii: "\"")
        position &+= 1
        if isQuote { return false }
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(bytes[position])
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            position &+= 1
            text.append(contentsOf: String(try escapedScalar(from: escape)).utf8)
            return true
        default: throw failure("Unknown escape in a string")
        }
        position &+= 1
        return true
    }

    /// Reads the digits after `\u`, and a second escape when they are the first half of a pair.
    private mutating func escapedScalar(from escape: Int) throws(JSONError) -> Unicode.Scalar {
        let first = UInt32(try fourHexDigits())
        if let scalar = Unicode.Scalar(first) { return scalar }
        let lone = JSONError("Lone surrogate in a string", at: escape)
        guard first < 0xDC00, current == UInt8(ascii: "\\") else { throw lone }
        position &+= 1
        guard current == UInt8(ascii: "u") else { throw lone }
        position &+= 1
        let second = UInt32(try fourHexDigits())
        guard 0xDC00..<0xE000 ~= second,
            let scalar = Unicode.Scalar(0x10000 &+ (first &- 0xD800) &<< 10 &+ (second &- 0xDC00))
        else { throw lone }
        return scalar
    }

    private mutating func fourHexDigits() throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = current.flatMap(Self.hexDigit) else { throw failure("Expected four hex digits") }
            value = value &<< 4 | UInt16(digit)
            position &+= 1
        }
        return value
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }
}
