import FormulaLanguage
import Glibc
import Testing

@Suite struct FunctionFuzzTests {
    /// Cells that make trouble: all kinds, at their limits.
    private static let cells = [
        #""""#, #""abc""#, #""12.5""#, #""-""#, #"" \t\n""#, #""茶葉蛋""#, #""a😀b""#, #""😀""#, #""e\u0301\u200d""#,
        #""(""#,
        #""(a+)+$""#, #""\\C""#, #""$1$&$$""#, #""days""#, #""M""#, #""2024-02-30""#, #""YYYY-MM-DD""#,
        #""Europe/Paris""#,
        #""fr""#, #""\u0000""#, "null", "true", "false", "0", "1", "-1", "2.5", "3", "1e308", "-1e308", "5e-324",
        "9007199254740993", "1e18", "-1e18", #"{"specialValue":"NaN"}"#, #"{"specialValue":"Infinity"}"#,
        #"{"specialValue":"-Infinity"}"#, #"{"date":"2024-02-29T23:59:59.999Z"}"#, #"{"date":"0001-01-01"}"#,
        #"{"date":"9999-12-31T23:59:59.999Z"}"#, #"{"empty":"date"}"#, #"{"empty":"number"}"#, "[]", #"["a","b"]"#,
        #"[1,2,[3,["x"]]]"#, #"[null,""]"#, #"[{"date":"2024-05-01"},5]"#, #"["2024-05-01"]"#, #"{"error":true}"#,
        #"[1,{"error":true}]"#,
    ]

    /// Runs for `ROWHOUSE_FUZZ_SECONDS` seconds (two by default), with `ROWHOUSE_FUZZ_SEED` or a new seed.
    @Test func `no cells make a function trap or its value too long, and errors make errors`() throws {
        let seconds = environment("ROWHOUSE_FUZZ_SECONDS").flatMap(Double.init) ?? 2
        let seed = environment("ROWHOUSE_FUZZ_SEED").flatMap(UInt64.init) ?? UInt64.random(in: 1...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let functions = FormulaFunctions.all.values.sorted { $0.name < $1.name }
        var (calls, values) = (0, 0)
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            for function in functions {
                calls += 1
                if try check(function, seed, &generator) { values += 1 }
            }
        }
        print("function fuzz: seed \(seed), \(calls) calls, \(values) values")
        #expect(values > calls / 4)
    }

    /// Whether the call gave a value that is no error.
    private func check(_ function: FormulaFunction, _ seed: UInt64, _ generator: inout SeededGenerator) throws -> Bool {
        let most = min(function.arity.upperBound, function.arity.lowerBound + 2)
        let count = Int.random(in: function.arity.lowerBound...most, using: &generator)
        let cells = (0..<count).map { _ in Self.cells.randomElement(using: &generator) ?? "null" }
        let formula = "\(function.name)(\((0..<count).map { "{c\($0)}" }.joined(separator: ",")))"
        let json = "{\(cells.enumerated().map { "\"c\($0.offset)\":\($0.element)" }.joined(separator: ","))}"
        let outcome = FormulaTable.outcome(of: formula, try FormulaCells(json: json), steps: 100_000)
        guard case .value(let value) = outcome else {
            if case .refused(let message) = outcome { Issue.record("seed \(seed): \(formula) \(json): \(message)") }
            return false
        }
        #expect(value.asText.utf8.count <= 1_100_000, "seed \(seed): \(formula) \(json)")
        let asksForFields = function.name == "LAST_MODIFIED_TIME"
        let isSelective = ["IF", "SWITCH", "ISERROR", "ERROR"].contains(function.name)
        if cells.contains(where: { $0.contains("error") }), !asksForFields, !isSelective {
            #expect(value.holdsError, "seed \(seed): \(formula) \(json) gave \(value)")
        }
        return !value.holdsError
    }

    private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
