import Testing

@Suite("Tables of formulas")
struct TableTests {
    @Test(
        "The core of the language gives what the tables say",
        arguments: [("lexical.tsv", 160), ("operators.tsv", 140), ("coercions.tsv", 250), ("logic.tsv", 150)])
    func table(name: String, atLeast: Int) throws {
        try FormulaTable.check(name, atLeast: atLeast)
    }
}
