/// Numbers as text and texts as numbers.
package enum NumberText {
    /// The shortest decimal text that reads back as the number, without an exponent and without grouping: `1`, `0.1`,
    /// `1000000000000000000000`; `NaN`, `Infinity` and `-Infinity` as JavaScript has them.
    package static func text(of value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity" }
        if value.magnitude < 0x1p53 {
            let integer = Int64(value)
            if Double(integer) == value { return String(integer) }
        }
        let text = value.description
        let bytes = text.utf8Span.span
        if let mark = bytes.indices.last(where: { bytes[$0] == UInt8(ascii: "e") }) {
            return plain(bytes, mark: mark)
        }
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Turns `-d.ddde±xx` into plain digits; `mark` is the place of the `e`.
    private static func plain(_ text: Span<UInt8>, mark: Int) -> String {
        var digits: [UInt8] = []
        for index in 0..<mark where text[index] >= UInt8(ascii: "0") { digits.append(text[index]) }
        var exponent = 0
        for index in mark + 2..<text.count {
            exponent = exponent &* 10 &+ Int(text[index] &- UInt8(ascii: "0"))
        }
        if text[mark + 1] == UInt8(ascii: "-") { exponent = -exponent }
        let zeros = { (count: Int) in [UInt8](repeating: UInt8(ascii: "0"), count: max(0, count)) }
        var result: [UInt8] = text[0] == UInt8(ascii: "-") ? [UInt8(ascii: "-")] : []
        if exponent < 0 {
            result += Array("0.".utf8) + zeros(-exponent - 1) + digits
        } else if digits.count <= exponent + 1 {
            result += digits + zeros(exponent + 1 - digits.count)
        } else {
            result += digits[...exponent] + [UInt8(ascii: ".")] + digits[(exponent + 1)...]
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The number that the whole text is written as (`3`, `-.5`, `1e3`), white space around it left aside; nil for
    /// every other text.
    package static func number(in text: String) -> Double? {
        let bytes = text.utf8Span.span
        var (start, end) = (0, bytes.count)
        while start < end, isSpace(bytes[start]) { start += 1 }
        while start < end, isSpace(bytes[end - 1]) { end -= 1 }
        guard end - start <= 1000, isNumber(bytes.extracting(start..<end)) else { return nil }
        return Double(start == 0 && end == bytes.count ? text : trimmed(bytes.extracting(start..<end)))
    }

    private static func trimmed(_ bytes: Span<UInt8>) -> String {
        String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }

    private static func isNumber(_ bytes: Span<UInt8>) -> Bool {
        var position = 0
        func accept(_ accepted: (UInt8) -> Bool, at position: inout Int) -> Bool {
            guard position < bytes.count, accepted(bytes[position]) else { return false }
            position += 1
            return true
        }
        let isSign = { (byte: UInt8) in byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }
        let isDigit = { (byte: UInt8) in byte &- UInt8(ascii: "0") < 10 }
        var digits = 0
        _ = accept(isSign, at: &position)
        while accept(isDigit, at: &position) { digits += 1 }
        if accept({ $0 == UInt8(ascii: ".") }, at: &position) {
            while accept(isDigit, at: &position) { digits += 1 }
        }
        guard digits > 0 else { return false }
        if accept({ $0 | 0x20 == UInt8(ascii: "e") }, at: &position) {
            _ = accept(isSign, at: &position)
            guard accept(isDigit, at: &position) else { return false }
            while accept(isDigit, at: &position) {}
        }
        return position == bytes.count
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || 9...13 ~= byte }
}
