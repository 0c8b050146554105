import Glibc

/// Functions of real numbers that the C library has.
package enum Mathematics {
    /// The base to the power, NaN where JavaScript has it: for an exponent that is NaN, and for 1 or -1 to an infinite
    /// power.
    package static func power(_ base: Double, _ exponent: Double) -> Double {
        if exponent.isNaN || (base.magnitude == 1 && exponent.isInfinite) { return .nan }
        return pow(base, exponent)
    }

    /// e to the power.
    package static func exponential(_ power: Double) -> Double { exp(power) }

    /// The power that makes the number of the base; exact for powers of whole bases.
    package static func logarithm(_ number: Double, base: Double) -> Double {
        if base == 10 { return log10(number) }
        if base == 2 { return log2(number) }
        let quotient = log(number) / log(base)
        let whole = quotient.rounded()
        return base > 0 && pow(base, whole) == number ? whole : quotient
    }
}
