import FormulaLanguage
import Platform
import RowhouseJSON
import RowhouseModel
import Synchronization
import Testing

/// What would cost too much is refused with a clear error, in time that hardly grows with the text.
@Suite("Hostile formulas")
struct HostileFormulaTests {
    private func outcome(_ formula: String, steps: Int = 1_000_000) throws -> FormulaTable.Outcome {
        try FormulaTable.outcome(of: formula, FormulaCells(json: #"{"a":1,"t":"x"}"#), steps: steps)
    }

    private func number(_ formula: String) throws -> Double? {
        if case .value(let value) = try outcome(formula) { value.asNumber } else { nil }
    }

    private func refusal(_ formula: String) throws -> String {
        if case .refused(let message) = try outcome(formula) { message } else { "" }
    }

    @Test("Brackets and calls in one another are taken up to 400 and refused from 401 on, also of 10,000")
    func nesting() throws {
        func nested(_ open: String, _ close: String, _ count: Int) -> String {
            String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
        }
        #expect(try number(nested("(", ")", 400)) == 1)
        #expect(try number(nested("IF(a,", ")", 400)) == 1)
        #expect(try number(nested("NOT(a+-1*(", "))", 200)) == 1)
        #expect(try number(nested("SWITCH(a,1,", ")", 400)) == 1)
        for count in [401, 10_000, 24_000] {
            #expect(try refusal(nested("(", ")", count)).contains("400 brackets"))
            #expect(try refusal(nested("IF(", ")", count)).contains("400 brackets"))
            #expect(try refusal(nested("1+(1&(", "))", count / 2 + 1)).contains("400 brackets"))
        }
        #expect(try refusal(String(repeating: "(", count: 100_000)).contains("400 brackets"))
    }

    @Test("The deepest formula runs on a thread with the stack of a worker")
    func workerStack() throws {
        let depth = 400
        let formula = String(repeating: "IF(a=1,1+-", count: depth) + "a" + String(repeating: ")", count: depth)
        let cells = try FormulaCells(json: #"{"a":1}"#)
        let result = Mutex<Double?>(nil)
        let thread = OwnThread(name: "deep") {
            if case .value(let value) = FormulaTable.outcome(of: formula, cells) {
                result.withLock { $0 = value.asNumber }
            }
        }
        thread?.join()
        #expect(result.withLock { $0 } == 1)
    }

    @Test("Chains of 50,000 operands are not deep")
    func chains() throws {
        #expect(try number("a" + String(repeating: "+a", count: 49_999)) == 50_000)
        #expect(try number("a" + String(repeating: "-a", count: 49_999)) == -49_998)
        #expect(try number("a" + String(repeating: "*a", count: 49_999)) == 1)
        #expect(try number("a" + String(repeating: "=a", count: 49_999)) == 1)
        #expect(try number(String(repeating: "-", count: 99_998) + "a") == 1)
        #expect(try number(String(repeating: "-", count: 99_997) + "a") == -1)
        let mixed = "a" + String(repeating: "+a*a&a", count: 12_000) + "=a"
        #expect(try number(mixed) == 0)
        if case .value(let value) = try outcome("t" + String(repeating: "&t", count: 49_999)) {
            #expect(value.asText.utf8.count == 50_000)
        } else {
            Issue.record("50,000 joined texts gave no value")
        }
    }

    @Test("A call may have thousands of arguments")
    func arguments() throws {
        let terms = String(repeating: "a=2,", count: 499) + "a=1"
        #expect(try number("OR(\(terms))") == 1)
        #expect(try number("OR(" + String(repeating: "a=2,", count: 20_000) + "a)") == 1)
    }

    @Test("100,000 characters are taken, one more is refused")
    func length() throws {
        #expect(try number("1" + String(repeating: " ", count: 99_999)) == 1)
        #expect(try refusal("1" + String(repeating: " ", count: 100_000)).contains("100000 characters"))
        let wide = "\"" + String(repeating: "價", count: 99_998) + "\""
        if case .value(.text(let text)) = try outcome(wide) { #expect(text.unicodeScalars.count == 99_998) }
        #expect(try refusal(wide + " ").contains("100000 characters"))
        #expect(try number(String(repeating: "9", count: 100_000)) == .infinity)
    }

    @Test("What costs too many steps is given up")
    func steps() throws {
        let formula = "a" + String(repeating: "+a", count: 2000)
        guard case .limit(.steps) = try outcome(formula, steps: 1000) else {
            Issue.record("2,000 additions took less than 1,000 steps")
            return
        }
    }

    @Test("A text that grows too long is given up, also when it is made of short pieces")
    func size() throws {
        let cells = try FormulaCells([("t", .string(String(repeating: "x", count: 90_000)))])
        let joined = "t" + String(repeating: "&t", count: 11)
        guard case .limit(.size) = FormulaTable.outcome(of: joined, cells) else {
            Issue.record("a text of a million bytes was made")
            return
        }
        let list = try FormulaCells([
            ("l", .array(Array(repeating: .string(String(repeating: "x", count: 9000)), count: 120)))
        ])
        for formula in ["l&''", "l=1", "l<l", "SWITCH(l,1,2)", "IF(1,l,'a')"] {
            guard case .limit(.size) = FormulaTable.outcome(of: formula, list) else {
                Issue.record("\(formula) made a text of a million bytes")
                continue
            }
        }
    }

    @Test("Reading a hostile text of 100,000 characters takes well under a second")
    func speed() throws {
        for unit in [
            "a+", "(", "-", "a=a&", "IF(1,", "'", "{a}", "{", "a,", "OR(a,a),", "\\", "é", "價格+", "1.", "\n", "“", "!=",
            "a&'x'+",
        ] {
            let text = String(repeating: unit, count: 100_000 / unit.count)
            let start = ContinuousClock.now
            _ = try outcome(text)
            let error = #expect(throws: FormulaError.self) { try CheckedFormula(text + ")", FormulaScope([])) }
            _ = error?.rendered(in: text)
            #expect(ContinuousClock.now - start < .seconds(5), "\(unit)")
        }
    }
}
