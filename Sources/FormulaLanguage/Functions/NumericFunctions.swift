import Platform

/// The family of numeric functions.
enum NumericFunctions {
    static let all: [FormulaFunction] =
        AggregateFunctions.all + [
            round, roundUp, roundDown, ceiling, floor, int, even, odd, abs, sqrt, exp, log, power, mod,
        ]

    /// ROUND(number, [places]) gives the number rounded to so many decimal places, none if not given; halves go up.
    /// Negative places round before the point.
    ///
    /// Example: ROUND(1.005, 2) → 1.01
    /// Example: ROUND(-2.5) → -2
    /// Example: ROUND(1250, -2) → 1300
    private static let round = rounding("ROUND", .halfUp)

    /// ROUNDUP(number, [places]) gives the number rounded away from 0 to so many decimal places, none if not given.
    ///
    /// Example: ROUNDUP(1.1) → 2
    /// Example: ROUNDUP(-1.11, 1) → -1.2
    private static let roundUp = rounding("ROUNDUP", .awayFromZero)

    /// ROUNDDOWN(number, [places]) gives the number rounded toward 0 to so many decimal places, none if not given.
    ///
    /// Example: ROUNDDOWN(1.9) → 1
    /// Example: ROUNDDOWN(-1.19, 1) → -1.1
    private static let roundDown = rounding("ROUNDDOWN", .towardZero)

    /// CEILING(number, [significance]) gives the least multiple of a number, 1 if not given, that is not less.
    ///
    /// Example: CEILING(2.1) → 3
    /// Example: CEILING(-2.1) → -2
    /// Example: CEILING(101, 25) → 125
    private static let ceiling = multiple("CEILING", .up) { $0.above }

    /// FLOOR(number, [significance]) gives the greatest multiple of a number, 1 if not given, that is not greater.
    ///
    /// Example: FLOOR(2.9) → 2
    /// Example: FLOOR(-2.1) → -3
    /// Example: FLOOR(124, 25) → 100
    private static let floor = multiple("FLOOR", .down) { $0.below }

    /// INT(number) gives the greatest whole number that is not greater.
    ///
    /// Example: INT(1.9) → 1
    /// Example: INT(-1.9) → -2
    private static let int = real("INT", .integer) { $0.rounded(.down) }

    /// EVEN(number) gives the nearest even whole number away from 0.
    ///
    /// Example: EVEN(0.1) → 2
    /// Example: EVEN(-0.1) → -2
    private static let even = real("EVEN", .integer) { number in
        let even = (number.magnitude / 2).rounded(.up) * 2
        return number < 0 ? -even : even
    }

    /// ODD(number) gives the nearest odd whole number away from 0.
    ///
    /// Example: ODD(1.1) → 3
    /// Example: ODD(-0.1) → -1
    private static let odd = real("ODD", .integer) { number in
        let odd = (max(0, number.magnitude - 1) / 2).rounded(.up) * 2 + 1
        return number.isNaN ? number : number < 0 ? -odd : odd
    }

    /// ABS(number) gives the number without its sign.
    ///
    /// Example: ABS(-5) → 5
    private static let abs = FormulaFunction("ABS", 1...1, result: AggregateFunctions.number) {
        _, arguments throws(FormulaLimit) in .number(arguments[0].asNumber.magnitude)
    }

    /// SQRT(number) gives the square root; NaN for numbers below 0.
    ///
    /// Example: SQRT(16) → 4
    private static let sqrt = real("SQRT", .decimal) { $0.squareRoot() }

    /// EXP(power) gives e (2.718…) to a power.
    ///
    /// Example: EXP(0) → 1
    private static let exp = real("EXP", .decimal) { Mathematics.exponential($0) }

    /// LOG(number, [base]) gives the logarithm to a base, 10 if not given.
    ///
    /// Example: LOG(1000) → 3
    /// Example: LOG(1024, 2) → 10
    private static let log = FormulaFunction("LOG", 1...2, result: decimal) {
        _, arguments throws(FormulaLimit) in
        let base = arguments.count > 1 && !arguments[1].isBlank ? arguments[1].asNumber : 10
        return .number(Mathematics.logarithm(arguments[0].asNumber, base: base))
    }

    /// POWER(base, power) gives a number to a power.
    ///
    /// Example: POWER(2, 10) → 1024
    private static let power = FormulaFunction("POWER", 2...2, result: decimal) {
        _, arguments throws(FormulaLimit) in
        .number(Mathematics.power(arguments[0].asNumber, arguments[1].asNumber))
    }

    /// MOD(number, divisor) gives what is left when a number is divided by another, with the sign of the other; NaN
    /// when that is 0.
    ///
    /// Example: MOD(10, 3) → 1
    /// Example: MOD(-1, 3) → 2
    private static let mod = FormulaFunction("MOD", 2...2, result: AggregateFunctions.number) {
        _, arguments throws(FormulaLimit) in
        let (number, divisor) = (arguments[0].asNumber, arguments[1].asNumber)
        let areWhole = number.rounded() == number && divisor.rounded() == divisor
        if !areWhole, let multiples = Multiples(number, of: divisor) { return .number(multiples.rest) }
        // Exact for whole numbers of any size.
        let rest = number.truncatingRemainder(dividingBy: divisor)
        let isOtherWay = rest != 0 && (rest < 0) != (divisor < 0)
        return .number((isOtherWay ? rest + divisor : rest) + 0)
    }

    private static let decimal: @Sendable ([FormulaType]) -> FormulaType = { _ in .number(.decimal) }

    /// Whole where the second argument is left out.
    private static let wholeUnlessGiven: @Sendable ([FormulaType]) -> FormulaType = {
        .number($0.count > 1 ? .decimal : .integer)
    }

    /// A function of one number. Adding 0 makes 0 of minus 0.
    private static func real(
        _ name: String, _ kind: FormulaType.NumberKind, _ body: @escaping @Sendable (Double) -> Double
    ) -> FormulaFunction {
        FormulaFunction(name, 1...1, result: { _ in .number(kind) }) {
            _, arguments throws(FormulaLimit) in .number(body(arguments[0].asNumber) + 0)
        }
    }

    private static func rounding(_ name: String, _ rounding: ShortestDecimal.Rounding) -> FormulaFunction {
        FormulaFunction(name, 1...2, result: wholeUnlessGiven) {
            _, arguments throws(FormulaLimit) in
            let number = arguments[0].asNumber
            let places = arguments.count > 1 ? arguments[1].asNumber : 0
            guard number.isFinite, !places.isNaN else { return .number(places.isNaN ? .nan : number) }
            if places >= 0, number.rounded() == number { return .number(number + 0) }
            // No double has a digit beyond these places.
            let whole = Int(max(-400, min(400, places)))
            return .number(ShortestDecimal(number).rounded(places: whole, rounding))
        }
    }

    private static func multiple(
        _ name: String, _ rule: FloatingPointRoundingRule, _ choose: @escaping @Sendable (Multiples) -> Double
    ) -> FormulaFunction {
        FormulaFunction(name, 1...2, result: wholeUnlessGiven) {
            _, arguments throws(FormulaLimit) in
            let number = arguments[0].asNumber
            let unit = arguments.count > 1 && !arguments[1].isBlank ? arguments[1].asNumber.magnitude : 1
            if unit == 1 { return .number(number.rounded(rule) + 0) }
            if let multiples = Multiples(number, of: unit) { return .number(choose(multiples)) }
            // A quotient of a number that is too small would be 0.
            let isSmall = number != 0 && number.magnitude < unit
            let quotient = isSmall ? (number < 0 ? -0.5 : 0.5) : number / unit
            return .number(quotient.rounded(rule) * unit + 0)
        }
    }
}
