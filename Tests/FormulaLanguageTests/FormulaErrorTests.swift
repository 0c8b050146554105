import FormulaLanguage
import RowhouseModel
import Testing

@Suite("Places of errors")
struct FormulaErrorTests {
    private let scope = FormulaScope([.init(id: FormulaCells.id(0), name: "Price", type: .number(.decimal))])

    private func error(_ text: String) -> FormulaError? {
        do throws(FormulaError) {
            _ = try CheckedFormula(text, scope)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "Line and column count from one, columns in characters",
        arguments: [
            ("1 + )", 1, 5), ("", 1, 1), ("1 +", 1, 4), ("Price\n+ Nope", 2, 3), ("\"價格\" & {無}", 1, 8),
            ("\"👨‍👩‍👧é\" & Nope", 1, 8), ("IF(\r\n  1,\r\n  NOPE(1))", 3, 3), ("\"a\nb", 1, 1), ("1\n\n\n  }", 4, 3),
            ("NOT(1, 2)", 1, 1), ("1 + NOT(1, 2)", 1, 5), ("{Price} {Price}", 1, 9), ("\t§", 1, 2),
        ])
    func place(text: String, line: Int, column: Int) {
        let error = error(text)
        #expect(error?.line == line, "\(text)")
        #expect(error?.column == column, "\(text)")
    }

    @Test("An unknown name is told apart from all else")
    func unknownField() {
        #expect(error("Nope + 1")?.reason == .unknownField("Nope"))
        #expect(error("{No such} + 1")?.reason == .unknownField("No such"))
        #expect(error("NOPE(1)")?.reason == .syntax)
        #expect(error("1 +")?.reason == .syntax)
    }

    @Test("The message is shown with the line and a caret below the place")
    func rendered() {
        let text = "IF(Price,\n\t1 + ),\n2)"
        #expect(
            error(text)?.rendered(in: text) == """
                Line 2, column 6: Here must stand a value, not )
                \t1 + ),
                \t    ^
                """)
        #expect(
            error("\"價格\" + )")?.rendered(in: "\"價格\" + )") == """
                Line 1, column 8: Here must stand a value, not )
                "價格" + )
                 \u{3000}\u{3000}    ^
                """)
        #expect(error("1 +")?.rendered(in: "1 +").hasSuffix("\n1 +\n   ^") == true)
    }

    @Test("Of a long line a piece around the place is shown")
    func renderedLong() throws {
        let text = String(repeating: "1+", count: 500) + ")" + String(repeating: "+1", count: 500)
        let lines = try #require(error(text)?.rendered(in: text)).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].count == 122)
        #expect(lines[1].hasPrefix("…") && lines[1].hasSuffix("…"))
        let caret = try #require(Array(lines[2]).firstIndex(of: "^"))
        #expect(Array(lines[1])[caret] == ")")
    }
}
