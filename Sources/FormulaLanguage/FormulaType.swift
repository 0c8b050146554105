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

extension FormulaType {
    /// The type of a value that is one of these: what `IF` yields for its branches.
    ///
    /// Blank takes the type of the other; numbers of both kinds are decimals; answers beside numbers are numbers; all
    /// other mixtures are text (Airtable: a formula that mixes text and number is text).
    package static func joined(_ types: some Sequence<FormulaType>) -> FormulaType {
        types.reduce(.blank) { $0.joined(with: $1) }
    }

    private func joined(with other: FormulaType) -> FormulaType {
        switch (self, other) {
        case (.blank, let type), (let type, .blank): type
        case _ where self == other: self
        case (.any, _), (_, .any): .any
        case (.number, .number): .number(.decimal)
        case (.number(let kind), .boolean), (.boolean, .number(let kind)): .number(kind)
        case (.date, .date): .date(hasTime: true)
        case (.array(let left), .array(let right)): .array(left.joined(with: right))
        default: .text
        }
    }
}
