import CivilTime

// How a value of one type stands in for another: Airtable's coercions, one definition for all operators and functions.
//
// Functions are not handed errors unless they ask for them (`FormulaFunction.takesErrors`), so all of these are total:
// an error that comes here all the same is no number, the text `#ERROR!` and false.

extension FormulaValue {
    /// Whether it is an error or a list that holds one.
    package var holdsError: Bool {
        switch self {
        case .error: true
        case .array(let items): items.contains { $0.holdsError }
        default: false
        }
    }

    /// What stands for a list where one value is wanted: its only item, blank for none, else its text.
    ///
    /// The text of a list can be long: what runs in an evaluation uses `Evaluation.scalar`, which is bounded.
    package var scalar: FormulaValue {
        guard case .array(let items) = self else { return self }
        guard let first = items.first else { return .blank }
        return items.count == 1 ? first.scalar : .text(asText)
    }

    /// Blank and empty text are 0, answers 1 or 0, dates their milliseconds since 1970; a text that is not written as
    /// a number is NaN, and so is a list of several values.
    package var asNumber: Double {
        switch self {
        case .number(let number): number
        case .blank: 0
        case .boolean(let answer): answer ? 1 : 0
        case .text(let text): text.isEmpty ? 0 : NumberText.number(in: text) ?? .nan
        case .date(let date): Double(date.instant.milliseconds)
        case .array(let items):
            switch items.count {
            case 0: 0
            case 1: items[0].asNumber
            default: .nan
            }
        case .error: .nan
        }
    }

    /// Blank is empty; numbers as `NumberText`; answers `1` or `0`; dates in UTC as `2024-05-01T10:00:00.000Z`; lists
    /// joined by a comma and a space.
    ///
    /// The text of a list can be long: what runs in an evaluation uses `Evaluation.asText`, which is bounded.
    package var asText: String {
        switch self {
        case .text(let text): text
        case .blank: ""
        case .number(let number): NumberText.text(of: number)
        case .boolean(let answer): answer ? "1" : "0"
        case .date(let date): date.instant.iso8601
        case .array(let items): items.lazy.map(\.asText).joined(separator: ", ")
        case .error: "#ERROR!"
        }
    }

    /// False for blank, empty text, 0, NaN, a list without items and errors; true for all else, also for the text `0`.
    package var isTrue: Bool {
        switch self {
        case .boolean(let answer): answer
        case .number(let number): number != 0 && !number.isNaN
        case .text(let text): !text.isEmpty
        case .blank, .error: false
        case .date: true
        case .array(let items): !items.isEmpty
        }
    }

    /// A date as it is, a text that is written as one; nil for blank and all else.
    package var asDate: FormulaDate? {
        switch self {
        case .date(let date): date
        case .text(let text): FormulaDate(text)
        case .array(let items): items.count == 1 ? items[0].asDate : nil
        default: nil
        }
    }

    /// Appends the value, or the items of a list and of the lists within it.
    package func appendFlattened(to values: inout [FormulaValue]) {
        guard case .array(let items) = self else { return values.append(self) }
        for item in items { item.appendFlattened(to: &values) }
    }

    /// The values with the items of lists in place of the lists.
    package static func flattened(_ values: [FormulaValue]) -> [FormulaValue] {
        let isFlat = values.allSatisfy { if case .array = $0 { false } else { true } }
        if isFlat { return values }
        var flat: [FormulaValue] = []
        for value in values { value.appendFlattened(to: &flat) }
        return flat
    }
}

extension FormulaDate {
    /// Reads a date that stands in a text: ISO 8601 or a common American form, in UTC where it names no zone.
    package init?(_ text: String) {
        guard let instant = Instant(loose: text) else { return nil }
        self.init(instant)
    }
}

extension Evaluation {
    /// Whether a value is an error or a list that holds one.
    mutating func isError(_ value: FormulaValue) throws(FormulaLimit) -> Bool {
        switch value {
        case .error: return true
        case .array(let items):
            try spend(items.count >> 6)
            return value.holdsError
        default: return false
        }
    }

    /// The text of a value (see `FormulaValue.asText`), unless it is longer than a text may be.
    mutating func asText(_ value: FormulaValue) throws(FormulaLimit) -> String {
        switch value {
        case .text(let text):
            try spend(text.utf8.count >> 4)
            return text
        case .array:
            var text = ""
            var isFirst = true
            try append(value, to: &text, isFirst: &isFirst)
            return text
        default: return value.asText
        }
    }

    private mutating func append(
        _ value: FormulaValue, to text: inout String, isFirst: inout Bool
    ) throws(FormulaLimit) {
        if case .array(let items) = value {
            try spend(items.count >> 6)
            for item in items { try append(item, to: &text, isFirst: &isFirst) }
        } else {
            if !isFirst { text += ", " }
            isFirst = false
            let piece = value.asText
            guard text.utf8.count + piece.utf8.count <= budget.longestText else { throw .size }
            try spend(1 + piece.utf8.count >> 4)
            text += piece
        }
    }

    /// What stands for a list where one value is wanted (see `FormulaValue.scalar`).
    mutating func scalar(_ value: FormulaValue) throws(FormulaLimit) -> FormulaValue {
        guard case .array(let items) = value else { return value }
        guard let first = items.first else { return .blank }
        return items.count == 1 ? try scalar(first) : .text(try asText(value))
    }
}
