/// The family of regex functions.
enum RegexFunctions {
    static let all: [FormulaFunction] = []
}
