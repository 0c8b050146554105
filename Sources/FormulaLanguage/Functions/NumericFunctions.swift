/// The family of numeric functions.
enum NumericFunctions {
    static let all: [FormulaFunction] = []
}
