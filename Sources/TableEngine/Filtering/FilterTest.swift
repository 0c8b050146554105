import CivilTime
import FormulaLanguage
import RowhouseModel
import Storage

/// What a search may use up.
struct FilterBudget {
    /// Steps of formulas: of all records together, of the computed cells of one chunk, and of one record.
    var steps = 50_000_000
    var stepsOfChunk = 2_000_000
    var stepsOfRecord = 1_000_000
    /// Links followed: for all records together, and for one chunk.
    var links = 20_000_000
    var linksOfChunk = 300_000
    /// Nanoseconds of a processor's time, whatever the steps say.
    var nanoseconds: UInt64 = 10_000_000_000
}

/// Formulas that must all be true of a record, with what reading it for them takes.
struct FilterTest {
    /// The cells and links that formulas and the order need; the fields of the order come first.
    let plan: ComputedPlan
    let now: Instant
    let zones: TimeZoneDatabase
    private let formulas: [(formula: CheckedFormula, sources: [ComputedPlan.Source])]
    private let keys: SortKeyEncoder

    /// Whether every record passes.
    var isEmpty: Bool { formulas.isEmpty }

    init(
        _ formulas: [CheckedFormula], table: TableSchema, keys: SortKeyEncoder, base: BaseFormulas, now: Instant,
        zones: TimeZoneDatabase
    ) {
        let used = formulas.map { formula in
            formula.usedSlots.reduce(into: [Int: Int]()) { $0[$1] = table.index(of: formula.fields[$1]) }
        }
        var fields = keys.fields
        for position in Set(used.flatMap(\.values)).subtracting(fields).sorted() { fields.append(position) }
        let valued = Set(used.flatMap(\.values))
        var wanted = ComputedWants(fields: fields, filled: [], valued: valued)
        wanted.modified = formulas.contains(where: \.needsModifiedTime)
        let plan = base.plan(table, wanted)
        let places = Dictionary(fields.enumerated().map { ($1, $0) }) { first, _ in first }
        self.formulas = zip(formulas, used).map { formula, used in
            let sources = formula.fields.indices.map { slot in
                used[slot].flatMap { places[$0] }.map { plan.sources[$0] } ?? .error
            }
            return (formula, sources)
        }
        self.plan = plan
        self.keys = keys
        self.now = now
        self.zones = zones
    }

    /// The test of the records of one computed page.
    func of(_ page: ComputedPage) -> PageTest {
        PageTest(
            page,
            formulas.map { formula, sources in
                let record = PageRecord(page, sources)
                let budget = FormulaBudget(steps: 0)
                return (formula, record, Evaluation(record: record, now: now, zones: zones, budget: budget))
            })
    }

    /// Where a record of a page stands in the order.
    func position(_ record: Int, of page: ComputedPage) -> PagePosition {
        let key =
            keys.fields.isEmpty
            ? [] : keys.key(ofRecord: record, in: page.batch, columns: Array(keys.fields.indices))
        return PagePosition(record: page.batch.ids[record], key: key)
    }
}

/// The formulas of a test, running over the records of one page.
struct PageTest {
    private var parts: [(formula: CheckedFormula, record: PageRecord, evaluation: Evaluation)]
    let page: ComputedPage

    init(_ page: ComputedPage, _ parts: [(CheckedFormula, PageRecord, Evaluation)]) {
        self.page = page
        self.parts = parts
    }

    /// Whether all formulas are true of a record.
    ///
    /// - Throws: `INVALID_FILTER_BY_FORMULA` when that takes more than the budget allows.
    mutating func isKept(_ record: Int, _ budget: inout FilterBudget) throws(APIError) -> Bool {
        for index in parts.indices {
            let granted = min(budget.steps, budget.stepsOfRecord)
            parts[index].record.index = record
            parts[index].evaluation.budget.steps = granted
            let isTrue: Bool
            do throws(FormulaLimit) {
                isTrue = try parts[index].formula.isTrue(&parts[index].evaluation)
            } catch {
                throw .tooMuch(error)
            }
            budget.steps -= granted - max(0, parts[index].evaluation.budget.steps)
            if !isTrue { return false }
        }
        return true
    }
}

extension APIError {
    static func tooMuch(_ limit: FormulaLimit) -> APIError {
        switch limit {
        case .steps: .invalidFilterByFormula("It takes too much work. Make it simpler, or ask for fewer records.")
        case .size: .invalidFilterByFormula("A text or a list that it makes is too long.")
        case .depth: .invalidFilterByFormula("Its parts stand too deep in one another.")
        }
    }
}
