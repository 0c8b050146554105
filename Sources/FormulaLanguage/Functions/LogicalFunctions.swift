/// The family of logical functions.
enum LogicalFunctions {
    static let all: [FormulaFunction] = []
}
