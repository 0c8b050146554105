import FormulaLanguage
import Glibc
import RowhouseModel
import Testing

@Suite struct FormulaFuzzTests {
    private static let pieces = [
        "IF(", "SWITCH(", "AND(", "OR(", "NOT(", "XOR(", "ERROR(", "ISERROR(", "BLANK()", "TRUE", "FALSE()", "NOPE(",
        "(",
        ")", ")", ")", ",", ",", "+", "-", "*", "/", "&", "=", "!=", "<", "<=", ">", ">=", "1", "0", "2.5", ".5",
        "1e308",
        "99999999999999999999", "\"x\"", "'é'", "\"😀\"", "\"3\"", "\"\\", "'", "\"", "{Text}", "Number", "{Date}",
        "{List}",
        "{Empty}", "Flag", "{Error}", "{No such}", "{", "}", "\\", "價", "“", "。", " ", "\n", "\t", "\0", "#", "!",
    ]
    private static let json = """
        {"Text":"abc","Number":-2.5,"Date":{"date":"2024-02-29T23:59:59.999Z"},"List":["a",1,[],{"error":true}],
        "Empty":null,"Flag":true,"Error":{"error":true}}
        """

    /// Runs for `ROWHOUSE_FUZZ_SECONDS` seconds (two by default), with `ROWHOUSE_FUZZ_SEED` or a new seed.
    @Test func `noise never traps, and what is a formula says the same after its names became ids and names again`()
        throws
    {
        let seconds = environment("ROWHOUSE_FUZZ_SECONDS").flatMap(Double.init) ?? 2
        let seed = environment("ROWHOUSE_FUZZ_SEED").flatMap(UInt64.init) ?? UInt64.random(in: 1...UInt64.max)
        let cells = try FormulaCells(json: Self.json)
        var generator = SeededGenerator(seed: seed)
        var (count, read) = (0, 0)
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            for _ in 0..<64 {
                count += 1
                if check(text(&generator), cells, seed) { read += 1 }
            }
        }
        print("formula fuzz: seed \(seed), \(count) texts, \(read) formulas")
        #expect(read > 0 && read < count)
    }

    /// Whether the text is a formula.
    private func check(_ text: String, _ cells: FormulaCells, _ seed: UInt64) -> Bool {
        let kept = FormulaText.withIDs(text, cells.scope)
        let shown = FormulaText.withNames(kept, cells.scope)
        #expect(FormulaText.withIDs(shown, cells.scope) == kept, "seed \(seed): \(text)")
        let outcome = FormulaTable.outcome(of: text, cells, steps: 10_000)
        for spelling in [kept, shown] {
            let other = FormulaTable.outcome(of: spelling, cells, steps: 10_000)
            switch (outcome, other) {
            case (.refused, .refused): break
            default: #expect("\(outcome)" == "\(other)", "seed \(seed): \(text)")
            }
        }
        do throws(FormulaError) {
            _ = try CheckedFormula(text, cells.scope)
            return true
        } catch {
            #expect(error.rendered(in: text).hasSuffix("^"), "seed \(seed): \(text)")
            return false
        }
    }

    private func text(_ generator: inout SeededGenerator) -> String {
        if Int.random(in: 0..<16, using: &generator) == 0 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        if Int.random(in: 0..<2, using: &generator) == 0 { return expression(4, &generator) }
        return (0..<Int.random(in: 0...20, using: &generator))
            .map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
    }

    /// A text that mostly is a formula.
    private func expression(_ depth: Int, _ generator: inout SeededGenerator) -> String {
        let leaves = [
            "1", "0", "2.5", "\"x\"", "'3'", "''", "{Text}", "Number", "{Date}", "{List}", "{Empty}", "Flag", "TRUE",
            "BLANK()", "{Error}", "\"2024-01-01\"", "{No such}",
        ]
        if depth == 0 { return leaves.randomElement(using: &generator) ?? "1" }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return leaves.randomElement(using: &generator) ?? "1"
        case 1: return "(\(expression(depth - 1, &generator)))"
        case 2: return "-\(expression(depth - 1, &generator))"
        case 3:
            let name = ["IF", "SWITCH", "AND", "OR", "XOR", "NOT", "ISERROR"].randomElement(using: &generator) ?? "IF"
            let count = Int.random(in: 1...4, using: &generator)
            return "\(name)(\((0..<count).map { _ in expression(depth - 1, &generator) }.joined(separator: ", ")))"
        default:
            let sign =
                ["+", "-", "*", "/", "&", "=", "!=", "<", "<=", ">", ">="].randomElement(using: &generator) ?? "+"
            return "\(expression(depth - 1, &generator)) \(sign) \(expression(depth - 1, &generator))"
        }
    }

    private func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
