/// The family of date functions.
enum DateFunctions {
    static let all: [FormulaFunction] = []
}
