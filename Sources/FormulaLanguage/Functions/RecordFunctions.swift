/// The family of record functions.
enum RecordFunctions {
    static let all: [FormulaFunction] = []
}
