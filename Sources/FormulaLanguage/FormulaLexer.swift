/// A formula's text cut into words.
struct FormulaLexer {
    let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The next word; `.end` for ever after the last.
    mutating func next() throws(FormulaFault) -> FormulaToken {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        let start = position
        let kind = try kind()
        return FormulaToken(kind: kind, range: start..<position)
    }

    private mutating func kind() throws(FormulaFault) -> FormulaToken.Kind {
        guard let byte = byte() else { return .end }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try quoted(until: byte))
        case UInt8(ascii: "{"): return .reference(try braced())
        case UInt8(ascii: "."), 48...57: return .number(try number())
        case UInt8(ascii: "_"), 65...90, 97...122, 0x80...: return .word(try word())
        default: return try symbol(byte)
        }
    }

    private mutating func symbol(_ byte: UInt8) throws(FormulaFault) -> FormulaToken.Kind {
        let start = position
        position += 1
        switch byte {
        case UInt8(ascii: "("): return .open
        case UInt8(ascii: ")"): return .close
        case UInt8(ascii: ","): return .comma
        case UInt8(ascii: "+"): return .sign(.add)
        case UInt8(ascii: "-"): return .sign(.subtract)
        case UInt8(ascii: "*"): return .sign(.multiply)
        case UInt8(ascii: "/"): return .sign(.divide)
        case UInt8(ascii: "&"): return .sign(.concatenate)
        case UInt8(ascii: "="): return .sign(.equal)
        case UInt8(ascii: "<"): return .sign(accept("=") ? .lessOrEqual : .less)
        case UInt8(ascii: ">"): return .sign(accept("=") ? .greaterOrEqual : .greater)
        case UInt8(ascii: "!") where accept("="): return .sign(.notEqual)
        case UInt8(ascii: "}"): throw FormulaFault("This brace closes none that is open", at: start)
        case 0x20...0x7E:
            throw FormulaFault("A formula has no sign \(Character(Unicode.Scalar(byte)))", at: start)
        default: throw FormulaFault("A formula has no control characters", at: start)
        }
    }

    private mutating func number() throws(FormulaFault) -> Double {
        let start = position
        skipDigits()
        if accept(".") {
            let fraction = position
            skipDigits()
            if position == fraction { throw FormulaFault("A digit must follow the point", at: start) }
        }
        if let byte = byte(), byte < 0x80, byte == UInt8(ascii: ".") || Self.isWord(byte) {
            throw FormulaFault("A number ends in a digit, a name that begins with one needs braces", at: start)
        }
        // Up to the limit of a formula's length, digits alone: always a number, at worst infinite.
        return Double(String(decoding: bytes[start..<position], as: UTF8.self)) ?? .infinity
    }

    private mutating func skipDigits() {
        while let byte = byte(), 48...57 ~= byte { position += 1 }
    }

    private mutating func quoted(until quote: UInt8) throws(FormulaFault) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = byte() {
            position += 1
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            text.append(byte == UInt8(ascii: "\\") ? escaped() ?? byte : byte)
        }
        throw FormulaFault("This text has no closing \(Character(Unicode.Scalar(quote)))", at: start)
    }

    /// The byte after a backslash, or what it stands for; of other characters the backslash falls away.
    private mutating func escaped() -> UInt8? {
        guard let byte = byte() else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return UInt8(ascii: "\n")
        case UInt8(ascii: "t"): return UInt8(ascii: "\t")
        case UInt8(ascii: "r"): return UInt8(ascii: "\r")
        default: return byte
        }
    }

    /// A name in braces: of the backslashes only those before `}` and `\` are escapes.
    private mutating func braced() throws(FormulaFault) -> String {
        let start = position
        position += 1
        var name: [UInt8] = []
        while let byte = byte() {
            position += 1
            if byte == UInt8(ascii: "}") { return String(decoding: name, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), let next = self.byte(),
                next == UInt8(ascii: "}") || next == UInt8(ascii: "\\")
            {
                position += 1
                name.append(next)
            } else {
                name.append(byte)
            }
        }
        throw FormulaFault("This name has no closing brace", at: start)
    }

    private mutating func word() throws(FormulaFault) -> String {
        let start = position
        while let byte = byte() {
            if byte < 0x80 {
                guard Self.isWord(byte) else { break }
                position += 1
            } else {
                try letter(isFirst: position == start)
            }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// A character beyond ASCII: of any script, but no sign.
    private mutating func letter(isFirst: Bool) throws(FormulaFault) {
        let length = bytes[position] >= 0xF0 ? 4 : bytes[position] >= 0xE0 ? 3 : 2
        let end = min(position + length, bytes.count)
        let text = String(decoding: bytes[position..<end], as: UTF8.self)
        guard let scalar = text.unicodeScalars.first else { return position = end }
        if "“”„‘’‚«»".unicodeScalars.contains(scalar) {
            throw FormulaFault("Texts stand between straight quotes, \" or '", at: position)
        }
        if 0xFF01...0xFF5E ~= scalar.value, !scalar.properties.isIDContinue,
            let narrow = Unicode.Scalar(scalar.value - 0xFEE0)
        {
            throw FormulaFault("Write \(narrow) in place of \(scalar)", at: position)
        }
        let properties = scalar.properties
        guard properties.isAlphabetic || !isFirst && (properties.isIDContinue || properties.isEmojiModifier) else {
            throw FormulaFault("A name with \(text) in it needs braces", at: position)
        }
        position = end
    }

    private func byte() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
        guard byte() == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || 9...13 ~= byte }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), 48...57, 65...90, 97...122, 0x80...: true
        default: false
        }
    }
}
