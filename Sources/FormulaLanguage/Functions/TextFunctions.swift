/// The family of text functions.
enum TextFunctions {
    static let all: [FormulaFunction] = []
}
