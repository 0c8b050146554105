/// One word of a formula and the bytes it stands on.
struct FormulaToken {
    enum Kind {
        case number(Double)
        case text(String)
        /// `{Any Name}`, without braces and escapes.
        case reference(String)
        /// A field's name without braces or a function's.
        case word(String)
        case sign(BinaryOperator)
        case open, close, comma
        /// What follows the last word.
        case end
    }
    let kind: Kind
    let range: Range<Int>
}
