/// The family of array functions.
enum ArrayFunctions {
    static let all: [FormulaFunction] = []
}
