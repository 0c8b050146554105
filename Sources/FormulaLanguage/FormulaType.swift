/// What a part of a formula yields, as far as can be told without a record.
package indirect enum FormulaType: Sendable, Equatable {
    case blank
    case text
    case number(NumberKind)
    case boolean
    /// A date; with a time of day or without.
    case date(hasTime: Bool)
    /// A list of values of one type.
    case array(FormulaType)
    /// Anything, as branches of different types give.
    case any

    /// How a number wants to be shown.
    package enum NumberKind: Sendable, Equatable {
        /// Always whole: lengths, positions, counts, parts of dates, 1 and 0.
        case integer
        case decimal
    }
}
