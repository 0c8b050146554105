import CivilTime
import FormulaLanguage
import Testing

@Suite("Operators and numbers, at random")
struct OperatorTests {
    /// One random formula: without brackets that its operators do not need, with all brackets, and its value where it
    /// is arithmetic alone.
    private struct Sample {
        var bare: String
        var bracketed: String
        /// How closely the outermost operator binds; 5 for what needs no brackets.
        var level: Int
        var value: Double?

        init(number: Int) {
            bare = "\(number)"
            bracketed = bare
            level = 5
            value = Double(number)
        }

        init(negative operand: Sample) {
            // A sign may stand before a sign.
            bare = operand.level < 5 ? "-(\(operand.bare))" : "-\(operand.bare)"
            bracketed = "(-\(operand.bracketed))"
            level = 5
            value = operand.value.map { -$0 }
        }

        init(_ sign: String, level: Int, _ left: Sample, _ right: Sample) {
            let leftText = left.level < level ? "(\(left.bare))" : left.bare
            let rightText = right.level <= level ? "(\(right.bare))" : right.bare
            bare = "\(leftText) \(sign) \(rightText)"
            bracketed = "(\(left.bracketed)\(sign)\(right.bracketed))"
            self.level = level
            guard let left = left.value, let right = right.value else { return }
            switch sign {
            case "+": value = left + right
            case "-": value = left - right
            case "*": value = left * right
            case "/": value = left / right
            default: break
            }
        }
    }

    private static let signs = [
        ("+", 3), ("-", 3), ("*", 4), ("/", 4), ("+", 3), ("-", 3), ("*", 4), ("/", 4), ("&", 2), ("=", 1), ("!=", 1),
        ("<", 1), ("<=", 1), (">", 1), (">=", 1),
    ]

    private func sample(_ depth: Int, _ generator: inout SeededGenerator) -> Sample {
        if depth == 0 || Int.random(in: 0..<6, using: &generator) == 0 {
            return Sample(number: Int.random(in: 0...9, using: &generator))
        }
        if Int.random(in: 0..<8, using: &generator) == 0 { return Sample(negative: sample(depth - 1, &generator)) }
        let (sign, level) = Self.signs.randomElement(using: &generator) ?? ("+", 3)
        return Sample(sign, level: level, sample(depth - 1, &generator), sample(depth - 1, &generator))
    }

    @Test("A formula means the same with all its brackets written out, and arithmetic is that of doubles")
    func precedence() throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let none = try FormulaCells(json: "")
        var arithmetic = 0
        for _ in 0..<2000 {
            let sample = sample(5, &generator)
            let bare = FormulaTable.outcome(of: sample.bare, none)
            let bracketed = FormulaTable.outcome(of: sample.bracketed, none)
            #expect("\(bare)" == "\(bracketed)", "seed \(seed): \(sample.bare) is not \(sample.bracketed)")
            guard let expected = sample.value else { continue }
            arithmetic += 1
            guard case .value(.number(let number)) = bare, number == expected || number.isNaN && expected.isNaN else {
                Issue.record("seed \(seed): \(sample.bare) gave \(bare), not \(expected)")
                continue
            }
        }
        #expect(arithmetic > 200)
    }

    @Test("Each number's text has no exponent, reads back as the number and equals it in a formula")
    func numberTexts() throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            let number = Double(bitPattern: generator.next())
            guard number.isFinite else { continue }
            let text = NumberText.text(of: number)
            #expect(NumberText.number(in: text) == number, "seed \(seed): \(number) as \(text)")
            #expect(text.utf8.allSatisfy { 48...57 ~= $0 || $0 == 45 || $0 == 46 }, "seed \(seed): \(text)")
            #expect(!text.hasSuffix(".") && !text.hasPrefix(".") && !text.hasPrefix("00"), "seed \(seed): \(text)")
            #expect(FormulaValue.text(text).equals(.number(number)), "seed \(seed): \(text)")
        }
    }

    @Test("Of two values that have an order exactly one of before, same and after holds, from both sides")
    func order() throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let texts = ["", "a", "A", "a2", "a11", "é", "e\u{301}", "價", "😀", "5", "05", "2024-05-01"]
        func value() -> FormulaValue {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: .blank
            case 1: .boolean(Bool.random(using: &generator))
            case 2: .number([-1, 0, 0.5, 5, .nan, .infinity].randomElement(using: &generator) ?? 0)
            case 3: .date(FormulaDate(.init(milliseconds: Int64.random(in: -2...2, using: &generator))))
            default: .text(texts.randomElement(using: &generator) ?? "")
            }
        }
        for _ in 0..<5000 {
            let (left, right) = (value(), value())
            switch (left.compare(right), right.compare(left)) {
            case (.before, .after), (.after, .before), (.same, .same), (nil, nil): break
            case (let one, let other):
                Issue.record("seed \(seed): \(left) \(right) \(String(describing: (one, other)))")
            }
            #expect(left.equals(right) == right.equals(left), "seed \(seed): \(left) \(right)")
        }
    }
}
