import CivilTime
import FormulaLanguage
import RowhouseJSON
import Testing

@Suite struct DateFunctionTests {
    @Test func `date functions give what the table says`() throws {
        try FormulaTable.check("dates.tsv", atLeast: 500)
    }

    @Test func `a hundred thousand characters of holidays cost little and count each once`() throws {
        // 2024-05-06 is a Monday; eight thousand and more days from there, most of them given twice.
        let first = try #require(CivilDate(year: 2024, month: 5, day: 6))
        let days = (0..<4000).map { CivilDate(daysSinceEpoch: first.daysSinceEpoch + $0).iso8601 }
        let text = (days + days).joined(separator: ", ")
        try #require(text.utf8.count > 90_000)
        let cells = try FormulaCells([("h", .string(text))])
        // The four thousand days end on a Wednesday, so the next working day is a Thursday.
        let outcome = FormulaTable.outcome(of: "WORKDAY('2024-05-03', 1, {h})", cells, steps: 20_000)
        #expect(outcome.matches(try json(#"{"date": "2035-04-19"}"#)), "\(outcome)")
        let none = FormulaTable.outcome(of: "WORKDAY_DIFF('2024-05-06', '2035-04-18', {h})", cells, steps: 20_000)
        #expect(none.matches(try json("0")), "\(none)")
    }

    @Test func `long patterns and texts are given up, not worked through`() throws {
        let long = String(repeating: "YYYY", count: 25_000)
        let cells = try FormulaCells([
            ("p", .string(long)), ("q", .string(String(long.prefix(40_000)))),
            ("t", .string(String(repeating: "x", count: 100_000))),
        ])
        let written = FormulaTable.outcome(of: "DATETIME_FORMAT('2024-05-01', {p})", cells)
        #expect(written.matches(try json(#"{"limit": "size"}"#)), "\(written)")
        let read = FormulaTable.outcome(of: "DATETIME_PARSE({t}, {q})", cells)
        #expect(read.matches(try json(#"{"limit": "steps"}"#)), "\(read)")
        let loose = FormulaTable.outcome(of: "YEAR({t})", cells)
        #expect(loose.matches(try json(#"{"error": true}"#)), "\(loose)")
    }

    private func json(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }
}
