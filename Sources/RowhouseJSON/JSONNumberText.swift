extension [UInt8] {
    /// Appends the number as JavaScript's `JSON.stringify` does (ECMA-262, Number::toString with radix 10).
    mutating func appendJSONNumber(_ value: Double) {
        guard value.isFinite else { return append(contentsOf: "null".utf8) }
        if value.magnitude < 0x1p53 {
            let integer = Int64(value)
            if Double(integer) == value { return appendDecimal(integer) }
        }
        let text = value.description
        guard text.utf8.contains(UInt8(ascii: "e")) else {
            return append(contentsOf: text.hasSuffix(".0") ? text.dropLast(2).utf8 : text[...].utf8)
        }
        appendScientific(text)
    }

    /// Appends the integer with all its digits.
    mutating func appendDecimal(_ value: Int64) {
        var rest = value.magnitude
        if value < 0 { append(UInt8(ascii: "-")) }
        let start = count
        repeat {
            append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }

    /// Turns `-d.ddde±xx` into JavaScript's form: plain digits from 1e-6 up to 1e21, an exponent elsewhere.
    private mutating func appendScientific(_ text: String) {
        let parts = text.split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]) else { return append(contentsOf: text.utf8) }
        if text.hasPrefix("-") { append(UInt8(ascii: "-")) }
        let digits = parts[0].utf8.filter { $0 >= UInt8(ascii: "0") }
        switch exponent {
        case 0..<21:
            append(contentsOf: digits)
            append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Swift.max(0, exponent + 1 - digits.count)))
        case -6..<0:
            append(contentsOf: "0.".utf8)
            append(contentsOf: repeatElement(UInt8(ascii: "0"), count: -exponent - 1))
            append(contentsOf: digits)
        default:
            append(contentsOf: digits.prefix(1))
            if digits.count > 1 { append(UInt8(ascii: ".")) }
            append(contentsOf: digits.dropFirst())
            append(contentsOf: (exponent < 0 ? "e-" : "e+").utf8)
            appendDecimal(Int64(exponent.magnitude))
        }
    }
}
