/// How a number lies between two multiples of another, worked out on decimal texts: 1.1 is a multiple of 0.1.
struct Multiples {
    private let isNegative: Bool
    private let isUnitNegative: Bool
    /// Both in units of `10^exponent`.
    private let value: UInt128
    private let unit: UInt128
    private let exponent: Int

    /// Nil for numbers that are not finite or are too far apart, and for multiples of 0.
    init?(_ value: Double, of unit: Double) {
        guard value.isFinite, unit.isFinite, unit != 0 else { return nil }
        let (left, right) = (ShortestDecimal(value), ShortestDecimal(unit))
        let exponent = min(left.exponent, right.exponent)
        guard let first = Self.scaled(left, to: exponent), let second = Self.scaled(right, to: exponent) else {
            return nil
        }
        isNegative = left.isNegative
        isUnitNegative = right.isNegative
        self.exponent = exponent
        self.value = first
        self.unit = second
    }

    /// The greatest multiple that is not greater.
    var below: Double { multiple(isAway: isNegative) }

    /// The least multiple that is not less.
    var above: Double { multiple(isAway: !isNegative) }

    /// What is left of the number by the greatest multiple of the unit's magnitude below; with the sign of the unit.
    var rest: Double {
        let rest = value % unit
        let isOtherWay = rest > 0 && isNegative != isUnitNegative
        return ShortestDecimal.double(isUnitNegative, isOtherWay ? unit - rest : rest, exponent)
    }

    private func multiple(isAway: Bool) -> Double {
        let rest = value % unit
        return ShortestDecimal.double(isNegative, value - rest + (isAway && rest > 0 ? unit : 0), exponent)
    }

    /// 17 digits and 21 zeros: with room for one unit more below 2^128.
    private static let furthest = 21

    private static func scaled(_ number: ShortestDecimal, to exponent: Int) -> UInt128? {
        guard number.exponent - exponent <= furthest else { return number.digits == 0 ? 0 : nil }
        return (exponent..<number.exponent).reduce(UInt128(number.digits)) { value, _ in value * 10 }
    }
}
