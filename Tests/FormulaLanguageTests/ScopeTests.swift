import FormulaLanguage
import RowhouseModel
import Testing

@Suite("Names in formulas")
struct ScopeTests {
    @Test("An exact name is found before one in another case")
    func exactFirst() {
        let first = FieldID(text: IdentifierText(time: 1, counter: 1))
        let second = FieldID(text: IdentifierText(time: 2, counter: 2))
        let scope = FormulaScope([
            .init(id: first, name: "total", type: .text), .init(id: second, name: "Total", type: .text),
        ])
        #expect(scope.find("Total") == 1)
        #expect(scope.find("TOTAL") == 0)
        #expect(scope.find(second.description) == 1)
        #expect(scope.find("tot") == nil)
    }
}
