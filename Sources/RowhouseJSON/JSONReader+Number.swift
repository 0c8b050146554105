extension JSONReader {
    /// More than the longest exact decimal form of a double's midpoint needs in significant digits.
    private static let longestNumber = 1024

    /// Reads the number whose first byte is under the cursor, rounded to the nearest double.
    mutating func number() throws(JSONError) -> Double {
        let start = position
        var decimal = Decimal()
        if current == UInt8(ascii: "-") {
            decimal.isNegative = true
            position &+= 1
        }
        try integerPart(&decimal)
        try fraction(&decimal)
        try exponent(&decimal)
        guard position &- start <= Self.longestNumber else { throw JSONError("The number is too long", at: start) }
        if let exact = decimal.exactValue { return exact }
        guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)), value.isFinite else {
            throw JSONError("The number is out of range", at: start)
        }
        return value
    }

    private mutating func integerPart(_ decimal: inout Decimal) throws(JSONError) {
        let startsWithZero = current == UInt8(ascii: "0")
        let start = position
        let count = try digits(&decimal)
        if startsWithZero && count > 1 { throw JSONError("A number must not start with zero", at: start &+ 1) }
    }

    private mutating func fraction(_ decimal: inout Decimal) throws(JSONError) {
        guard current == UInt8(ascii: ".") else { return }
        position &+= 1
        decimal.exponent = try -digits(&decimal)
    }

    private mutating func exponent(_ decimal: inout Decimal) throws(JSONError) {
        guard let mark = current, mark | 0x20 == UInt8(ascii: "e") else { return }
        position &+= 1
        let isNegative = current == UInt8(ascii: "-")
        if isNegative || current == UInt8(ascii: "+") { position &+= 1 }
        var power = Decimal()
        _ = try digits(&power)
        let value = power.isTruncated ? 1_000_000 : Int(min(power.significand, 1_000_000))
        decimal.exponent += isNegative ? -value : value
    }

    /// Reads one digit or more into the significand; returns how many.
    private mutating func digits(_ decimal: inout Decimal) throws(JSONError) -> Int {
        let start = position
        while let byte = current, case UInt8(ascii: "0")...UInt8(ascii: "9") = byte {
            decimal.append(byte &- UInt8(ascii: "0"))
            position &+= 1
        }
        guard position > start else { throw failure("Expected a digit") }
        return position &- start
    }
}

/// A decimal number as far as it can be turned into a double exactly with one multiplication or division.
private struct Decimal {
    var isNegative = false
    var significand: UInt64 = 0
    var exponent = 0
    var isTruncated = false

    mutating func append(_ digit: UInt8) {
        guard significand < 100_000_000_000_000_000 else {
            isTruncated = true
            return
        }
        significand = significand &* 10 &+ UInt64(digit)
    }

    /// Both operands are exact doubles here, so the one operation rounds once, as the text would (Clinger, 1990).
    var exactValue: Double? {
        guard !isTruncated, significand <= 1 << 53, -22...22 ~= exponent else { return nil }
        let magnitude = Double(significand)
        let value = exponent < 0 ? magnitude / Self.powers[-exponent] : magnitude * Self.powers[exponent]
        return isNegative ? -value : value
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
