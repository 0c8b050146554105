/// A finite number as its shortest decimal text has it: a sign and `digits × 10^exponent`.
///
/// People round what they read: 1.005 is a little less than its text says, and still rounds to 1.01.
struct ShortestDecimal {
    let isNegative: Bool
    /// At most 17 digits, the last of them not 0 unless it is the only one.
    let digits: UInt64
    let exponent: Int

    /// The number must be finite.
    init(_ number: Double) {
        var (digits, exponent): (UInt64, Int) = (0, 0)
        var isAfterPoint = false
        var isAfterMark = false
        var (power, isPowerNegative) = (0, false)
        for byte in number.magnitude.description.utf8 {
            switch byte {
            case UInt8(ascii: "."): isAfterPoint = true
            case UInt8(ascii: "e"): isAfterMark = true
            case UInt8(ascii: "-"): isPowerNegative = true
            case 48...57 where isAfterMark: power = power &* 10 &+ Int(byte &- 48)
            case 48...57:
                digits = digits &* 10 &+ UInt64(byte &- 48)
                if isAfterPoint { exponent &-= 1 }
            default: break
            }
        }
        exponent &+= isPowerNegative ? -power : power
        while digits > 9, digits % 10 == 0 { (digits, exponent) = (digits / 10, exponent &+ 1) }
        isNegative = number < 0
        self.digits = digits
        self.exponent = digits == 0 ? 0 : exponent
    }

    /// What becomes of what stands behind the last decimal place that is kept.
    enum Rounding { case halfUp, awayFromZero, towardZero }

    /// The number with so many decimal places, of negative ones with so many zeros before the point.
    func rounded(places: Int, _ rounding: Rounding) -> Double {
        let dropped = -places &- exponent
        guard dropped > 0 else { return Self.double(isNegative, UInt128(digits), exponent) }
        var (kept, isUp): (UInt64, Bool) = (0, rounding == .awayFromZero && digits > 0)
        if dropped < Self.powers.count {
            let unit = Self.powers[dropped]
            kept = digits / unit
            let rest = digits % unit
            switch rounding {
            case .halfUp: isUp = rest > unit &- rest || (rest == unit &- rest && !isNegative)
            case .awayFromZero: isUp = rest > 0
            case .towardZero: isUp = false
            }
        }
        return Self.double(isNegative, UInt128(kept) + (isUp ? 1 : 0), -places)
    }

    /// The number nearest to `digits × 10^exponent`; never minus zero.
    static func double(_ isNegative: Bool, _ digits: UInt128, _ exponent: Int) -> Double {
        guard digits > 0 else { return 0 }
        let magnitude = Double("\(digits)e\(exponent)") ?? .infinity
        return isNegative ? -magnitude : magnitude
    }

    /// The powers of ten that fit 64 bits.
    private static let powers: [UInt64] = (0..<20).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
}
