package import CivilTime
package import RowhouseModel

/// Why an evaluation was given up: it would have cost more than any formula may.
package enum FormulaLimit: Error, Sendable, Equatable {
    case steps, size, depth
}

/// What a formula may use up before it is given up; shared by all records of one request.
package struct FormulaBudget: Sendable {
    /// One for each node evaluated and for each 16 bytes of text or 64 items looked at.
    package var steps: Int
    /// Bytes of the longest text and items of the longest list that may be made.
    package var longestText = 1_000_000
    package var longestList = 200_000
    package init(steps: Int) { self.steps = steps }
}

/// The record that a formula looks at.
package protocol FormulaRecord {
    /// The value of a field of the formula's scope, by its slot (see `CheckedFormula.fields`).
    func value(_ slot: Int) -> FormulaValue
    var id: RecordID { get }
    var createdTime: Instant { get }
    /// When one of the fields in these slots was last changed, of all writable fields when there are none; nil if
    /// never.
    func lastModifiedTime(_ slots: [Int]) -> Instant?
}

/// One evaluation in progress: the record, the time, what may still be used up.
package struct Evaluation {
    package var record: any FormulaRecord
    package let now: Instant
    package let zones: TimeZoneDatabase
    package var budget: FormulaBudget

    package init(record: any FormulaRecord, now: Instant, zones: TimeZoneDatabase, budget: FormulaBudget) {
        self.record = record
        self.now = now
        self.zones = zones
        self.budget = budget
    }

    /// Takes steps from the budget; functions that look at long texts or lists pay for what they look at.
    mutating func spend(_ steps: Int = 1) throws(FormulaLimit) {
        budget.steps -= steps
        if budget.steps < 0 { throw .steps }
    }

    /// A text as a value, unless it is longer than a text may be.
    mutating func text(_ text: String) throws(FormulaLimit) -> FormulaValue {
        let count = text.utf8.count
        guard count <= budget.longestText else { throw .size }
        try spend(count >> 4)
        return .text(text)
    }
}
