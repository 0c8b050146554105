extension ByteBuffer {
    /// Appends the number as JavaScript's `JSON.stringify` does (ECMA-262, Number::toString with radix 10).
    mutating func appendNumber(_ value: Double) {
        guard value.isFinite else { return append("null") }
        if value.magnitude < 0x1p53 {
            let integer = Int64(value)
            if Double(integer) == value { return appendInteger(integer) }
        }
        let text = value.description
        let bytes = text.utf8Span.span
        if let mark = bytes.indices.last(where: { bytes[$0] == UInt8(ascii: "e") }) {
            appendScientific(bytes, mark: mark)
        } else {
            append(bytes.extracting(droppingLast: text.hasSuffix(".0") ? 2 : 0))
        }
    }

    /// Appends the integer with all its digits.
    mutating func appendInteger(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        appendDigits(value.magnitude)
    }

    private mutating func appendDigits(_ value: UInt64) {
        if value > 9 { appendDigits(value / 10) }
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value % 10))
    }

    /// Turns `-d.ddde±xx` into JavaScript's form: plain digits from 1e-6 up to 1e21, an exponent elsewhere.
    private mutating func appendScientific(_ text: Span<UInt8>, mark: Int) {
        var digits: [UInt8] = []
        for index in 0..<mark where text[index] >= UInt8(ascii: "0") { digits.append(text[index]) }
        var exponent = 0
        for index in mark..<text.count where text[index] >= UInt8(ascii: "0") && text[index] <= UInt8(ascii: "9") {
            exponent = exponent &* 10 &+ Int(text[index] &- UInt8(ascii: "0"))
        }
        if text[0] == UInt8(ascii: "-") { append(UInt8(ascii: "-")) }
        appendScientific(digits, exponent: text[mark &+ 1] == UInt8(ascii: "-") ? -exponent : exponent)
    }

    private mutating func appendScientific(_ digits: [UInt8], exponent: Int) {
        switch exponent {
        case 0..<21:
            append(digits.span)
            appendZeros(exponent &+ 1 &- digits.count)
        case -6..<0:
            append("0.")
            appendZeros(-exponent &- 1)
            append(digits.span)
        default:
            append(digits.span.extracting(first: 1))
            if digits.count > 1 { append(UInt8(ascii: ".")) }
            append(digits.span.extracting(droppingFirst: 1))
            append(exponent < 0 ? "e-" : "e+")
            appendInteger(Int64(exponent.magnitude))
        }
    }

    private mutating func appendZeros(_ count: Int) {
        for _ in 0..<max(0, count) { append(UInt8(ascii: "0")) }
    }
}
