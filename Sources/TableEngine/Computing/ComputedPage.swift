import CivilTime
import FormulaLanguage
import RowhouseModel
import Storage

/// The records of one page on their way from stored cells to computed ones, with what their links lead to.
///
/// A class, so that cells are filled in where they stand; used by one thread at a time.
final class ComputedPage {
    let plan: ComputedPlan
    var batch: RecordBatch
    /// What each step yielded, by record; empty where nobody needs it.
    var values: [[FormulaValue]]
    private(set) var hops: [Hop] = []
    /// The numbers of links, by step and record, where they were asked for.
    private(set) var counts: [[Int]]
    /// When each record was last changed, where a formula asks.
    private(set) var modifiedTimes: [Instant?] = []
    let users: UserDirectory
    /// Where records that others link to are kept with their values, the values of all that are linked, in their order
    /// and as far as they are known: the batch holds those that are not.
    private var kept: (values: LinkedValues, all: [[FormulaValue]?])?

    /// What the records of a page link to through one field.
    struct Hop {
        let page: ComputedPage
        let linked: LinkedRecords
    }

    /// - Parameter batch: the records with the cells of `plan.read`.
    init(_ plan: ComputedPlan, _ batch: RecordBatch, users: UserDirectory) {
        self.plan = plan
        self.batch = batch
        self.users = users
        values = Array(repeating: [], count: plan.steps.count)
        counts = Array(repeating: [], count: plan.steps.count)
    }

    /// Reads all that computing needs beside the records themselves: one query for each link field followed.
    ///
    /// - Parameter kept: values of linked records found before, and for those found now; only for plans that fill in no
    ///   cells.
    /// - Throws: `tooMuchToCompute` when more links would be followed than `links` allows.
    func fetch(
        from reader: any StorageReader, links: inout Int, kept: LinkedValues? = nil
    ) throws(APIError) {
        guard batch.count > 0 else { return }
        if plan.needsModifiedTimes { modifiedTimes = try reader.modifiedTimes(of: batch.ids, in: plan.table) }
        for hop in plan.hops {
            let found = try reader.linked(
                from: batch, through: hop.link, in: plan.table, fields: hop.plan.read, of: hop.plan.table, limit: links)
            guard var linked = found else { throw .tooMuchToCompute }
            links -= linked.places.count
            let page = ComputedPage(hop.plan, linked.batch, users: users)
            // The page alone holds the records now and can change them in place.
            linked.batch = RecordBatch(fields: [])
            if let kept, !hop.plan.staysInRecord { page.leaveOut(kept) }
            try page.fetch(from: reader, links: &links, kept: kept)
            hops.append(Hop(page: page, linked: linked))
        }
        for (place, step) in plan.steps.enumerated() {
            guard case .count(let link, nil) = step.kind else { continue }
            counts[place] = try reader.linkCounts(of: batch.ids, in: link, of: plan.table)
        }
    }

    /// A value of one record.
    func value(_ source: ComputedPlan.Source, record: Int) -> FormulaValue {
        switch source {
        case .cell(let column, let form):
            form.value(batch.slots[record * batch.fields.count + column], batch.text, users)
        case .step(let step): values[step].indices.contains(record) ? values[step][record] : .blank
        case .error: .error
        }
    }

    /// The values of one field asked for, of all records.
    func values(ofAsked place: Int) -> [FormulaValue] {
        guard plan.sources.indices.contains(place) else { return [] }
        if let kept { return kept.all.map { $0?[place] ?? .error } }
        return (0..<batch.count).map { value(plan.sources[place], record: $0) }
    }

    /// Takes the records whose values are known out of the batch.
    private func leaveOut(_ values: LinkedValues) {
        let all = batch.ids.map { values.find($0, plan) }
        kept = (values, all)
        let left = all.indices.filter { all[$0] == nil }
        if left.count < all.count { batch = batch.only(left) }
    }

    /// Keeps the values of the records that are computed now.
    func keepValues() {
        guard let values = kept?.values, var all = kept?.all else { return }
        var record = 0
        for place in all.indices where all[place] == nil {
            let found = plan.sources.map { value($0, record: record) }
            values.keep(found, of: batch.ids[record], plan)
            all[place] = found
            record += 1
        }
        kept = (values, all)
    }

    /// The batch with the cells asked for only.
    func finished() -> RecordBatch {
        let (width, asked) = (batch.fields.count, plan.asked.count)
        if width == asked, plan.linkCells.isEmpty { return batch }
        var slots = batch.slots
        if asked < width {
            slots = []
            slots.reserveCapacity(batch.count * asked)
            for record in 0..<batch.count {
                slots.append(contentsOf: batch.slots[record * width..<record * width + asked])
            }
        }
        return RecordBatch(
            fields: plan.asked.map { plan.table.fields[$0] }, ids: batch.ids, createdTimes: batch.createdTimes,
            slots: slots, text: batch.text)
    }
}

extension RecordBatch {
    /// Some of the records, by their places.
    fileprivate func only(_ places: [Int]) -> RecordBatch {
        var batch = RecordBatch(
            fields: fields, ids: places.map { ids[$0] }, createdTimes: places.map { createdTimes[$0] }, text: text)
        for place in places { batch.slots.append(contentsOf: slots[place * fields.count..<(place + 1) * fields.count]) }
        if numbers.count == count { batch.numbers = places.map { numbers[$0] } }
        return batch
    }
}

/// One record of a page as the formula of one field sees it: moved on from record to record.
final class PageRecord: FormulaRecord {
    private let page: ComputedPage
    private let sources: [ComputedPlan.Source]
    var index = 0

    init(_ page: ComputedPage, _ sources: [ComputedPlan.Source]) {
        self.page = page
        self.sources = sources
    }

    func value(_ slot: Int) -> FormulaValue {
        sources.indices.contains(slot) ? page.value(sources[slot], record: index) : .blank
    }
    var id: RecordID { page.batch.ids[index] }
    var createdTime: Instant { page.batch.createdTimes[index].wholeSecond }
    /// The making of a record counts as the first change of all its fields together. Of single fields the store keeps no
    /// times: the time of the record's last change stands for theirs.
    func lastModifiedTime(_ slots: [Int]) -> Instant? {
        guard page.modifiedTimes.indices.contains(index) else { return nil }
        return page.modifiedTimes[index] ?? (slots.isEmpty ? createdTime : nil)
    }
}

/// One record as the formula of a rollup sees it: nothing but the values of the linked records.
final class RollupRecord: FormulaRecord {
    private let page: ComputedPage
    var index = 0
    var values: FormulaValue = .blank

    init(_ page: ComputedPage) { self.page = page }

    func value(_ slot: Int) -> FormulaValue { values }
    var id: RecordID { page.batch.ids[index] }
    var createdTime: Instant { page.batch.createdTimes[index].wholeSecond }
    func lastModifiedTime(_ slots: [Int]) -> Instant? { nil }
}
