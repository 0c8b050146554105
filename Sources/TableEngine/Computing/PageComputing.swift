import CivilTime
import FormulaLanguage
import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Storage

/// What computing the cells of one request may use up.
struct ComputedBudget: Sendable {
    /// Links followed.
    var links: Int
    /// Steps of formulas.
    var steps: Int

    /// What one cell may use up; beyond, the cell is an error and the page goes on.
    static let stepsOfCell = 500_000
    /// Bytes of text that the cells of one page come to at most.
    static let longestText = 32 << 20

    /// For reads, which are tried again with fewer records.
    static let page = ComputedBudget(links: 300_000, steps: 3_000_000)
    /// For a read that holds up an event thread.
    static let immediate = ComputedBudget(links: 0, steps: 20_000)
    /// For one record, beyond which there is nothing to be tried.
    static let record = ComputedBudget(links: 1_000_000, steps: 20_000_000)
    /// For the answer to a write, while other writes wait; what takes more is computed after it.
    static let written = ComputedBudget(links: 10_000, steps: 300_000)
    /// For an answer that is kept with the write under an idempotency key, and so must be made with it.
    static let kept = ComputedBudget(links: 200_000, steps: 3_000_000)
}

/// Computes the fields of fetched pages: pure work, without a store.
struct PageComputing {
    let now: Instant
    let zones: TimeZoneDatabase
    let links: AttachmentLinks
    /// Set when cells are answered as texts for a person.
    let shown: CellText?
    var steps: Int

    /// Fills in the computed cells of a page, after those of the pages it links to.
    ///
    /// - Throws: `tooMuchToCompute` when the steps are used up or the cells grow beyond all bounds.
    mutating func compute(_ page: ComputedPage) throws(APIError) {
        // Of a page without records no links were read.
        guard page.batch.count > 0 else { return }
        for hop in page.hops { try compute(hop.page) }
        for (place, step) in page.plan.steps.enumerated() { try perform(step, at: place, page) }
        for (column, hop) in page.plan.linkCells { try fillLinks(page, hop, into: column) }
        page.keepValues()
    }

    private mutating func perform(_ step: ComputedPlan.Step, at place: Int, _ page: ComputedPage) throws(APIError) {
        switch step.kind {
        case .lookup(let hop, let target):
            if step.needsValues { page.values[place] = try lists(page, hop, target, keepsBlanks: false) }
            if let column = step.column { try fillLookup(page, hop, target, into: column) }
            return
        case .button(let label, let formula, let sources):
            var urls: [FormulaValue] = []
            if let formula { urls = try evaluate(formula, sources, page) }
            if step.needsValues { page.values[place] = Array(repeating: .text(label), count: page.batch.count) }
            if let column = step.column { try fillButton(label, urls, page, into: column) }
            return
        default: break
        }
        let values = try values(of: step, at: place, page)
        if let column = step.column {
            let filler = CellFiller(ComputedResult(showing: step.field), isShown: shown != nil)
            for (record, value) in values.enumerated() { try filler.fill(value, record, column, page) }
        }
        if step.needsValues { page.values[place] = values }
    }

    private mutating func values(
        of step: ComputedPlan.Step, at place: Int, _ page: ComputedPage
    ) throws(APIError) -> [FormulaValue] {
        switch step.kind {
        case .formula(let formula, let sources): try evaluate(formula, sources, page)
        case .rollup(let formula, let hop, let target): try rollUp(formula, page, hop, target)
        case .names(let hop, let target): try names(page, hop, target)
        case .count(_, let hop): counts(page, place, hop)
        default: Array(repeating: .error, count: page.batch.count)
        }
    }

    // MARK: formulas

    private mutating func evaluate(
        _ formula: CheckedFormula, _ sources: [ComputedPlan.Source], _ page: ComputedPage
    ) throws(APIError) -> [FormulaValue] {
        let record = PageRecord(page, sources)
        var evaluation = Evaluation(record: record, now: now, zones: zones, budget: FormulaBudget(steps: 0))
        var values: [FormulaValue] = []
        values.reserveCapacity(page.batch.count)
        for index in 0..<page.batch.count {
            record.index = index
            values.append(try evaluate(formula, &evaluation))
        }
        return values
    }

    /// One value; a formula that would cost too much is an error in its cell.
    private mutating func evaluate(
        _ formula: CheckedFormula, _ evaluation: inout Evaluation
    ) throws(APIError) -> FormulaValue {
        let granted = min(steps, ComputedBudget.stepsOfCell)
        evaluation.budget.steps = granted
        let value = (try? formula.evaluate(&evaluation)) ?? .error
        try spend(granted - max(0, evaluation.budget.steps))
        return value
    }

    private mutating func spend(_ used: Int) throws(APIError) {
        steps -= used
        if steps <= 0 { throw .tooMuchToCompute }
    }

    private mutating func rollUp(
        _ formula: CheckedFormula, _ page: ComputedPage, _ hop: Int, _ target: Int
    ) throws(APIError) -> [FormulaValue] {
        let lists = try lists(page, hop, target, keepsBlanks: true)
        let record = RollupRecord(page)
        var evaluation = Evaluation(record: record, now: now, zones: zones, budget: FormulaBudget(steps: 0))
        var values: [FormulaValue] = []
        values.reserveCapacity(lists.count)
        for (index, list) in lists.enumerated() {
            record.index = index
            record.values = list
            values.append(try evaluate(formula, &evaluation))
        }
        return values
    }

    // MARK: links

    /// For each record the values of a field of its linked records; lists among them are laid out flat.
    private mutating func lists(
        _ page: ComputedPage, _ hop: Int, _ target: Int, keepsBlanks: Bool
    ) throws(APIError) -> [FormulaValue] {
        let hop = page.hops[hop]
        let values = hop.page.values(ofAsked: target)
        var lists: [FormulaValue] = []
        lists.reserveCapacity(page.batch.count)
        for record in 0..<page.batch.count {
            let places = hop.linked.places(of: record)
            var list: [FormulaValue] = []
            list.reserveCapacity(places.count)
            for place in places {
                let value = values[Int(place)]
                if case .blank = value, !keepsBlanks { continue }
                value.appendFlattened(to: &list)
            }
            try spend(1 + list.count >> 4)
            lists.append(.array(list))
        }
        return lists
    }

    /// Links by the names of the linked records.
    private mutating func names(_ page: ComputedPage, _ hop: Int, _ target: Int) throws(APIError) -> [FormulaValue] {
        let linked = page.hops[hop].linked
        let names = page.hops[hop].page.values(ofAsked: target).map { FormulaValue.text(Self.quoted($0.asText)) }
        var values: [FormulaValue] = []
        for record in 0..<page.batch.count {
            let places = linked.places(of: record)
            try spend(1 + places.count >> 4)
            values.append(.array(places.map { names[Int($0)] }))
        }
        return values
    }

    /// A name that holds a comma, or begins as one in quotes, stands in quotes among others.
    private static func quoted(_ name: String) -> String {
        let quote = UInt8(ascii: "\"")
        guard name.utf8.contains(UInt8(ascii: ",")) || name.utf8.first == quote else { return name }
        return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    private func counts(_ page: ComputedPage, _ place: Int, _ hop: Int?) -> [FormulaValue] {
        guard let hop else { return page.counts[place].map { .number(Double($0)) } }
        let linked = page.hops[hop].linked
        return (0..<page.batch.count).map { .number(Double(linked.places(of: $0).count)) }
    }

    private mutating func fillLookup(
        _ page: ComputedPage, _ hop: Int, _ target: Int, into column: Int
    ) throws(APIError) {
        let hop = page.hops[hop]
        let cells = shown.map { ShownCells(hop.page.batch, column: target, $0) }
        let elements =
            cells == nil ? CellElements(hop.page.batch, column: target, users: page.users, links: self.links) : nil
        for record in 0..<page.batch.count {
            let places = hop.linked.places(of: record)
            try spend(1 + places.count >> 4)
            if let elements {
                try page.fill(record, column, joining: places, of: elements.bytes, elements.parts, isJSON: true)
            } else if let cells {
                try page.fill(record, column, joining: places, of: cells.bytes, cells.parts, isJSON: false)
            }
        }
    }

    /// Puts the ids of linked records in the cells of a link field, as JSON.
    private mutating func fillLinks(_ page: ComputedPage, _ hop: Int, into column: Int) throws(APIError) {
        let hop = page.hops[hop]
        var ids: [UInt8] = []
        var parts: [Range<Int>] = []
        ids.reserveCapacity(hop.page.batch.count * (RecordID.length + 2))
        parts.reserveCapacity(hop.page.batch.count)
        for id in hop.page.batch.ids {
            let start = ids.count
            ids.append(UInt8(ascii: "\""))
            id.append(to: &ids)
            ids.append(UInt8(ascii: "\""))
            parts.append(start..<ids.count)
        }
        for record in 0..<page.batch.count {
            let places = hop.linked.places(of: record)
            try spend(1 + places.count >> 4)
            try page.fill(record, column, joining: places, of: ids, parts, isJSON: true)
        }
    }

    private mutating func fillButton(
        _ label: String, _ urls: [FormulaValue], _ page: ComputedPage, into column: Int
    ) throws(APIError) {
        for record in 0..<page.batch.count {
            guard shown == nil else {
                try page.fill(record, column, label.utf8, isJSON: false)
                continue
            }
            let url = urls.indices.contains(record) ? urls[record] : .blank
            var json = JSONObject([("label", .string(label)), ("url", .null)])
            if case .text(let text) = url, !text.isEmpty { json["url"] = .string(text) }
            try page.fill(record, column, JSONValue.object(json).bytes, isJSON: true)
        }
    }
}

/// The cells of one field as texts for a person, one after the other.
private struct ShownCells {
    var bytes: [UInt8] = []
    var parts: [Range<Int>] = []

    init(_ batch: RecordBatch, column: Int, _ shown: CellText) {
        for record in 0..<batch.count {
            let start = bytes.count
            let slot = batch.slots[record * batch.fields.count + column]
            if let text = shown.text(slot, batch.text, of: batch.fields[column]) { bytes.append(contentsOf: text.utf8) }
            parts.append(start..<bytes.count)
        }
    }
}
