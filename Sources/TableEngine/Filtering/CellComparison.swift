import CivilTime
import FormulaLanguage
import RowhouseModel
import Storage

/// How the cells of one field, as long as they are not empty, compare with constants: the rules of the evaluator
/// (`FormulaValue.equals` and `compare`), told by the form in which the cells are kept.
struct CellComparison {
    private let field: Field
    private let position: Int

    init(_ field: Field, at position: Int) {
        self.field = field
        self.position = position
    }

    /// When a filled cell stands so to the constant; false for empty cells. Nil when that is not known.
    func condition(_ comparison: StoredCondition.Comparison, _ value: FormulaValue) -> StoredCondition? {
        switch field.type {
        case let type where type.isText: text(comparison, value)
        case .number, .percent, .currency, .duration, .rating:
            number(comparison, value).map { .real(field: position, comparison, $0) } ?? nothing(value)
        case .autoNumber: number(comparison, value).map { whole(comparison, $0) } ?? nothing(value)
        case .date, .dateTime, .lastModifiedTime:
            date(comparison, value).map { whole(comparison, $0) } ?? nothing(value)
        case .createdTime: date(comparison, value).map { second(comparison, $0) } ?? nothing(value)
        case .multipleSelects where comparison == .equal && field.hasNamedChoices: list(value)
        default: nil
        }
    }

    /// No number stands so to a constant that is none.
    private func nothing(_ value: FormulaValue) -> StoredCondition? {
        if case .array = value { nil } else { .never }
    }

    private func text(_ comparison: StoredCondition.Comparison, _ value: FormulaValue) -> StoredCondition? {
        guard comparison == .equal else { return nil }
        switch value {
        case .blank: return .never
        case .array, .error: return nil
        default:
            let text = value.asText
            return text.isEmpty ? .never : .texts(field: position, [text])
        }
    }

    private func list(_ value: FormulaValue) -> StoredCondition? {
        switch value {
        case .blank: .never
        case .text(let text) where text.isEmpty: .never
        default: nil
        }
    }

    // MARK: numbers

    /// The number that stands for a constant beside numbers; nil when none does.
    private func number(_ comparison: StoredCondition.Comparison, _ value: FormulaValue) -> Double? {
        let number: Double
        switch value {
        case .array, .error: return nil
        case .text(let text) where comparison == .equal:
            // A text equals a number when it is the number's text.
            guard let read = NumberText.number(in: text), NumberText.text(of: read).utf8.elementsEqual(text.utf8) else {
                return nil
            }
            number = read
        default: number = value.asNumber
        }
        return number.isNaN ? nil : number
    }

    /// The same comparison of whole numbers.
    private func whole(_ comparison: StoredCondition.Comparison, _ number: Double) -> StoredCondition? {
        switch comparison {
        case .equal: return Int64(exactly: number).map { .integer(field: position, .equal, $0) } ?? .never
        case .less, .greaterOrEqual:
            guard let bound = Self.bound(number.rounded(.up)) else { return nil }
            return .integer(field: position, comparison, bound)
        case .lessOrEqual, .greater:
            guard let bound = Self.bound(number.rounded(.down)) else { return nil }
            return .integer(field: position, comparison, bound)
        }
    }

    /// A whole number up to which all of them are doubles.
    private static func bound(_ number: Double) -> Int64? {
        number.magnitude < 0x1p53 ? Int64(exactly: number) : nil
    }

    // MARK: dates

    /// The milliseconds that stand for a constant beside dates.
    private func date(_ comparison: StoredCondition.Comparison, _ value: FormulaValue) -> Double? {
        switch value {
        case .blank where comparison == .equal: return nil
        case .text(let text):
            guard let date = value.asDate else { return nil }
            // A text equals a date when it is the date's text.
            if comparison == .equal, !date.instant.iso8601.utf8.elementsEqual(text.utf8) { return nil }
            return Double(date.instant.milliseconds)
        case .array, .error: return nil
        default:
            let number = value.asNumber
            return number.isNaN ? nil : number
        }
    }

    /// The same comparison of times of creation, which count as the whole second they are in.
    private func second(_ comparison: StoredCondition.Comparison, _ milliseconds: Double) -> StoredCondition? {
        guard milliseconds.magnitude < 0x1p52 else { return nil }
        let down = (milliseconds / 1000).rounded(.down) * 1000
        let up = (milliseconds / 1000).rounded(.up) * 1000
        guard let down = Self.bound(down), let up = Self.bound(up) else { return nil }
        switch comparison {
        case .equal:
            guard down == up else { return .never }
            return .all([.integer(field: position, .greaterOrEqual, up), .integer(field: position, .less, up + 1000)])
        case .less, .greaterOrEqual: return .integer(field: position, comparison, up)
        case .lessOrEqual: return .integer(field: position, .less, down + 1000)
        case .greater: return .integer(field: position, .greaterOrEqual, down + 1000)
        }
    }
}
