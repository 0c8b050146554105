import CivilTime
import FormulaLanguage
import Platform
import RowhouseJSON
import RowhouseModel
import Testing

/// A table of formulas in Data/: one case a line, columns between tabs, `#` begins a remark.
///
/// | column | holds |
/// | --- | --- |
/// | 1 | the formula; `⏎` stands for a new line and `⇥` for a tab |
/// | 2 | the cells by field name as a JSON object, or nothing |
/// | 3 | the expected value as JSON |
///
/// Cells: a string, a number, `true` or `false` (checkbox), `null` (an empty cell), `[…]` (a list), `{"date":
/// "2024-05-01"}`, `{"date": "2024-05-01T10:00:00.000Z"}`, `{"error": true}`; `{"empty": "number"}` is an empty cell
/// of a field of type `text`, `number`, `integer`, `date`, `dateTime`, `boolean` or `array`.
///
/// Expected: the same, and `{"specialValue": "NaN"}` (or `Infinity`, `-Infinity`), `{"refused": "words"}` for a text
/// that is no formula with these words in the message, `{"limit": "size"}` (or `steps`). Answers and the numbers 1 and
/// 0 are the same.
///
/// The record is `rec00000000000001`, created at 2024-01-02T03:04:05.000Z, last changed at 2024-03-04T05:06:07.000Z;
/// the time is 2024-05-15T12:34:56.789Z.
enum FormulaTable {
    struct Case: CustomTestStringConvertible, Sendable {
        let place: String
        let formula: String
        let cells: String
        let expected: String
        var testDescription: String { "\(place): \(formula)" }
    }

    /// The cases of a file, checked all at once: what went wrong is recorded with its line.
    static func check(_ name: String, atLeast: Int) throws {
        let cases = try read(name)
        for item in cases { check(item) }
        #expect(cases.count >= atLeast, "\(name) lost cases")
    }

    static func read(_ name: String) throws -> [Case] {
        let folder = #filePath.dropLast("FormulaTable.swift".count)
        let text = String(decoding: try ReadFile.bytes(of: "\(folder)Data/\(name)", limit: 1 << 24), as: UTF8.self)
        var cases: [Case] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count >= 3 else {
                Issue.record("\(name):\(index + 1) has \(columns.count) columns")
                continue
            }
            let formula = String(columns[0].map { $0 == "⏎" ? "\n" : $0 == "⇥" ? "\t" : $0 })
            cases.append(
                Case(place: "\(name):\(index + 1)", formula: formula, cells: columns[1], expected: columns[2]))
        }
        return cases
    }

    static func check(_ item: Case) {
        do {
            let cells = try FormulaCells(json: item.cells)
            let expected = try JSONParser.parse(Array(item.expected.utf8))
            let actual = outcome(of: item.formula, cells)
            #expect(actual.matches(expected), "\(item.place): \(item.formula) gave \(actual), not \(item.expected)")
        } catch {
            Issue.record("\(item.place): the case cannot be read: \(error)")
        }
    }

    static func outcome(of formula: String, _ cells: FormulaCells, steps: Int = 1_000_000) -> Outcome {
        do {
            let checked = try CheckedFormula(formula, cells.scope)
            var evaluation = Evaluation(
                record: cells.record(for: checked), now: now, zones: zones, budget: FormulaBudget(steps: steps))
            do {
                return .value(try checked.evaluate(&evaluation))
            } catch {
                return .limit(error)
            }
        } catch {
            return .refused(error.message)
        }
    }

    static let now = Instant(milliseconds: 1_715_776_496_789)
    /// The zones of this machine.
    static let zones = TimeZoneDatabase { name in try? ReadFile.bytes(of: "/usr/share/zoneinfo/\(name)", limit: 1 << 20)
    }

    enum Outcome {
        case value(FormulaValue)
        case refused(String)
        case limit(FormulaLimit)

        func matches(_ expected: JSONValue) -> Bool {
            switch self {
            case .refused(let message):
                expected.objectValue?["refused"]?.stringValue.map { message.contains($0) } ?? false
            case .limit(let limit): expected.objectValue?["limit"]?.stringValue == "\(limit)"
            case .value(let value): Self.matches(value, expected)
            }
        }

        private static func matches(_ value: FormulaValue, _ expected: JSONValue) -> Bool {
            switch (value, expected) {
            case (.blank, .null): return true
            case (.text(let left), .string(let right)): return Array(left.utf8) == Array(right.utf8)
            case (.number(let left), .number(let right)): return left == right
            case (.number(let left), .bool(let right)): return left == (right ? 1 : 0)
            case (.boolean(let left), .number(let right)): return right == (left ? 1 : 0)
            case (.boolean(let left), .bool(let right)): return left == right
            case (.number(let left), .object(let right)):
                return !left.isFinite && FormulaValue.number(left).asText == right["specialValue"]?.stringValue
            case (.date(let left), .object(let right)):
                guard let text = right["date"]?.stringValue else { return false }
                return left.instant == Instant(iso8601: text)
            case (.error, .object(let right)): return right["error"] != nil
            case (.array(let left), .array(let right)):
                return left.count == right.count && zip(left, right).allSatisfy { matches($0, $1) }
            default: return false
            }
        }
    }
}
