import FormulaLanguage
import RowhouseModel
import Testing

@Suite("Names and ids in a formula's text")
struct FormulaTextTests {
    private let price = FormulaCells.id(1).description
    private let odd = FormulaCells.id(2).description
    private let truth = FormulaCells.id(3).description

    private func names(price: String = "Price", odd: String = "a}b\\c") -> [FormulaScope.Name] {
        [
            .init(id: FormulaCells.id(1), name: price, type: .number(.decimal)),
            .init(id: FormulaCells.id(2), name: odd, type: .text),
            .init(id: FormulaCells.id(3), name: "價格", type: .text),
        ]
    }

    @Test("Names become ids in braces, all else stays byte for byte")
    func withIDs() {
        let scope = FormulaScope(names())
        for (text, expected) in [
            ("Price", "{\(price)}"), ("{Price}", "{\(price)}"), ("{price}", "{\(price)}"),
            ("  Price ", "  {\(price)} "),
            ("IF( PRICE>1,\n\t'Price', \"{Price}\" )", "IF( {\(price)}>1,\n\t'Price', \"{Price}\" )"),
            ("{a\\}b\\\\c}&{a\\}b\\c}", "{\(odd)}&{\(odd)}"), ("價格&Price", "{\(truth)}&{\(price)}"),
            ("Price(1)", "Price(1)"), ("Price (Price)", "Price ({\(price)})"), ("{Nope} & Nope", "{Nope} & Nope"),
            ("TRUE & true()", "TRUE & true()"), ("{\(price)} + \(price)", "{\(price)} + {\(price)}"),
            ("'\\'Price\\'' & Price", "'\\'Price\\'' & {\(price)}"), ("Price & 'open", "{\(price)} & 'open"),
            ("Price & # & Price", "{\(price)} & # & Price"), ("", ""), ("Price+", "{\(price)}+"),
            ("\u{FEFF}Price", "\u{FEFF}Price"),
        ] { #expect(FormulaText.withIDs(text, scope) == expected) }
    }

    @Test("Ids become names in braces with the escapes they need")
    func withNames() {
        let scope = FormulaScope(names())
        for (text, expected) in [
            ("{\(price)} + 1", "{Price} + 1"), ("{\(odd)}", "{a\\}b\\\\c}"), ("{\(truth)}", "{價格}"),
            ("'{\(price)}'", "'{\(price)}'"), ("Price + \(price)", "Price + \(price)"),
            ("{fldzzzzzzzzzzzzzz}", "{fldzzzzzzzzzzzzzz}"), ("{\(price)} & 'open", "{Price} & 'open"),
        ] { #expect(FormulaText.withNames(text, scope) == expected) }
    }

    @Test("Ids are exchanged where they are references, and nowhere else")
    func exchanging() {
        let new = FormulaCells.id(9).description
        for (text, expected) in [
            ("{\(price)}*2", "{\(new)}*2"), ("'{\(price)}' & \"{\(price)}\"", "'{\(price)}' & \"{\(price)}\""),
            ("{\(price)}&'\\'{\(price)}'&{\(price)}", "{\(new)}&'\\'{\(price)}'&{\(new)}"),
            ("\(price)", "\(price)"), ("{\(odd)}+{ \(price)}", "{\(odd)}+{ \(price)}"), ("", ""),
        ] { #expect(FormulaText.exchanging([price: new], in: text) == expected) }
    }

    @Test("What is shown with names says the same when it is read again")
    func roundTrip() {
        for name in [
            "a", "}", "\\", "\\}", "}\\", "\\\\", "a\\b", "a{b", "{a}", "\"", "TRUE", "fldzzzzzzzzzzzzzz", " a ",
            "a\nb",
            "é", "e\u{301}", "😀", "AND", "1", "(", "a\\\\}b",
        ] {
            let scope = FormulaScope(names(price: name))
            let kept = "1 + {\(price)}"
            let shown = FormulaText.withNames(kept, scope)
            #expect(shown != kept || name.isEmpty)
            #expect(FormulaText.withIDs(shown, scope) == kept, "\(name)")
        }
    }

    @Test("An id stays where the name alone would mean another field")
    func ambiguous() {
        let same = FormulaScope(names(odd: "Price"))
        #expect(FormulaText.withNames("{\(odd)}", same) == "{\(odd)}")
        let misleading = FormulaScope(names(odd: price))
        #expect(FormulaText.withNames("{\(odd)}", misleading) == "{\(odd)}")
    }

    @Test("A renamed field breaks no formula, not even one renamed to a word of the language")
    func renamed() throws {
        let kept = FormulaText.withIDs("IF(TRUE, Price, FALSE)", FormulaScope(names()))
        for name in ["Cost", "TRUE", "false", "IF", "", "}"] {
            let formula = try CheckedFormula(kept, .ofIDs(names(price: name)))
            #expect(formula.fields == [FormulaCells.id(1)])
        }
    }

    @Test("Names mean nothing where ids alone are looked for")
    func idsOnly() {
        #expect(throws: FormulaError.self) { try CheckedFormula("Price", .ofIDs(names())) }
        #expect(throws: Never.self) { try CheckedFormula("{\(price)}", .ofIDs(names())) }
    }
}
