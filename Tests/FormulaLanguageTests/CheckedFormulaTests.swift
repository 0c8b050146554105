import CivilTime
import FormulaLanguage
import RowhouseModel
import Testing

@Suite("What is known of a formula before it runs")
struct CheckedFormulaTests {
    private static let types: [(String, FormulaType)] = [
        ("t", .text), ("i", .number(.integer)), ("n", .number(.decimal)), ("c", .boolean), ("d", .date(hasTime: false)),
        ("dt", .date(hasTime: true)), ("lt", .array(.text)), ("ln", .array(.number(.integer))), ("x", .any),
    ]
    private let scope = FormulaScope(
        types.enumerated().map { .init(id: FormulaCells.id($0.offset), name: $0.element.0, type: $0.element.1) })

    @Test(
        "The type follows from the parts",
        arguments: [
            ("1", .number(.integer)), ("1.5", .number(.decimal)), ("'a'", .text), ("BLANK()", .blank),
            ("TRUE", .boolean),
            ("t", .text), ("d", .date(hasTime: false)), ("ln", .array(.number(.integer))), ("x", .any),
            ("i+1", .number(.integer)), ("i+n", .number(.decimal)), ("i*i-1", .number(.integer)),
            ("i/2", .number(.decimal)), ("i+t", .number(.decimal)), ("c+c", .number(.integer)),
            ("d-d", .number(.decimal)),
            ("-i", .number(.integer)), ("-n", .number(.decimal)), ("-t", .number(.decimal)), ("+c", .number(.integer)),
            ("i&i", .text), ("1=1", .boolean), ("t<t", .boolean), ("i+1=2", .boolean), ("NOT(t)", .boolean),
            ("IF(c,1,2)", .number(.integer)), ("IF(c,1,2.5)", .number(.decimal)), ("IF(c,1,'a')", .text),
            ("IF(c,1)", .number(.integer)), ("IF(c,d)", .date(hasTime: false)), ("IF(c,d,dt)", .date(hasTime: true)),
            ("IF(c,d,1)", .text), ("IF(c,1,1=1)", .number(.integer)), ("IF(c,BLANK(),t)", .text),
            ("IF(c,lt,lt)", .array(.text)), ("IF(c,lt,ln)", .array(.text)), ("IF(c,lt,t)", .text), ("IF(c,x,1)", .any),
            ("IF(c,ERROR(),n)", .number(.decimal)), ("SWITCH(t,'a',1,'b',2)", .number(.integer)),
            ("SWITCH(t,'a',1,'b',2,'c')", .text), ("SWITCH(t,'a',d,dt)", .date(hasTime: true)),
        ] as [(String, FormulaType)])
    func type(text: String, expected: FormulaType) throws {
        #expect(try CheckedFormula(text, scope).type == expected, "\(text)")
    }

    @Test("Fields are listed once, in the order of their first appearance")
    func fields() throws {
        let formula = try CheckedFormula("IF({n}, t & {N}, {\(FormulaCells.id(4))}) & T", scope)
        #expect(formula.fields == [FormulaCells.id(2), FormulaCells.id(0), FormulaCells.id(4)])
    }

    @Test("What needs no record is worked out once")
    func folded() throws {
        let cells = try FormulaCells(json: "")
        let constant = try CheckedFormula(
            "IF(1,2,3)&('a'&'b'&'c')&NOT(0)&(1+2*3=7)&-(2)&SWITCH(1,1,'x','y')", cells.scope)
        #expect(steps(constant, cells) == 1)
        #expect(steps(try CheckedFormula("ERROR() & 'a'", cells.scope), cells) > 1)
    }

    @Test("A long constant is not kept ready, however short its formula")
    func foldedLong() throws {
        let cells = try FormulaCells(json: "")
        let long = "'" + String(repeating: "x", count: 900) + "'"
        #expect(steps(try CheckedFormula("\(long) & \(long)", cells.scope), cells) > 1)
    }

    private func steps(_ formula: CheckedFormula, _ cells: FormulaCells) -> Int {
        var evaluation = Evaluation(
            record: cells.record(for: formula), now: FormulaTable.now, zones: FormulaTable.zones,
            budget: FormulaBudget(steps: 1000))
        _ = try? formula.evaluate(&evaluation)
        return 1000 - evaluation.budget.steps
    }
}
