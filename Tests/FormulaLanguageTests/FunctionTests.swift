import FormulaLanguage
import Testing

@Suite("Functions of texts, numbers, lists, records and patterns")
struct FunctionTests {
    @Test(
        "They give what was worked out by hand",
        arguments: [
            ("text-functions.tsv", 275), ("search-functions.tsv", 115), ("numeric-functions.tsv", 345),
            ("array-functions.tsv", 100), ("regex-functions.tsv", 100),
        ])
    func byHand(file: String, atLeast: Int) throws { try FormulaTable.check(file, atLeast: atLeast) }

    @Test(
        "They give what Python and RE2 give",
        arguments: [("oracle-texts.tsv", 1200), ("oracle-numbers.tsv", 1100), ("oracle-patterns.tsv", 1700)])
    func byOracle(file: String, atLeast: Int) throws { try FormulaTable.check(file, atLeast: atLeast) }

    @Test("Hostile patterns and texts end at the budget or in good time")
    func hostile() throws {
        let formulas = [
            #"REGEX_REPLACE(REPT("a", 100000), "a(.*b)?", "x")"#,
            #"REGEX_REPLACE(REPT("a", 1000000), "a(.*b)?", "x")"#,
            #"REGEX_MATCH(REPT("ab", 50000), "(a|b)*a(a|b){100}c")"#,
            #"REGEX_MATCH(REPT("ab", 50000), "(a|b)*a(a|b){900}c")"#,
            #"REGEX_EXTRACT(REPT("a", 100000), "((a{0,100}){0,10})*c")"#,
            #"REGEX_EXTRACT(REPT("a", 100000), "(a+)+(b)?$")"#,
            #"REGEX_MATCH("a", REPT("(", 10000))"#,
            #"REGEX_MATCH("a", REPT("(a?){9}", 1400))"#,
            #"REGEX_MATCH("a", "\\pL{1,1000}")"#,
            #"FIND(REPT("a", 50000) & "b", REPT("a", 100000))"#,
            #"SEARCH(REPT("A", 50000) & "b", REPT("a", 100000))"#,
            #"SUBSTITUTE(REPT("a", 1000000), REPT("a", 500) & "b", "")"#,
            #"LEN(LOWER(REPT("Σ", 300000)))"#,
        ]
        let clock = ContinuousClock()
        for formula in formulas {
            let start = clock.now
            let outcome = FormulaTable.outcome(of: formula, try FormulaCells(json: ""))
            let time = clock.now - start
            if case .refused(let message) = outcome { Issue.record("\(formula): \(message)") }
            // In a debug build on a busy machine; without bounds some of these would run for minutes.
            #expect(time < .seconds(20), "\(formula) took \(time)")
        }
    }
}
