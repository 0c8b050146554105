import CivilTime
import RowhouseModel
import RowhouseWire
import Storage

extension FieldType {
    /// Whether cells of this type are computed from other cells.
    var isComputedFromCells: Bool {
        switch self {
        case .formula, .rollup, .multipleLookupValues, .count, .button: true
        default: false
        }
    }
}

extension FormulaCache {
    /// What computing takes for the cells of these fields; nil when the store has all of them as they are answered.
    func plan(
        _ table: TableSchema, _ fields: [Int], as presentation: RecordPresentation, in schema: Schema
    ) -> ComputedPlan? {
        guard let wanted = Self.wanted(table, fields, presentation), let base = schema.base(table.base) else {
            return nil
        }
        return formulas(of: base).plan(table, wanted)
    }

    /// Whether `plan` takes no time to speak of.
    func isPlanned(
        _ table: TableSchema, _ fields: [Int], as presentation: RecordPresentation, in schema: Schema
    ) -> Bool {
        guard let wanted = Self.wanted(table, fields, presentation), let base = schema.base(table.base) else {
            return true
        }
        return formulas(of: base).isPlanned(table, wanted)
    }

    private static func wanted(
        _ table: TableSchema, _ fields: [Int], _ presentation: RecordPresentation
    ) -> ComputedWants? {
        let isShown = presentation.cellFormat != .json
        let isComputed = fields.contains { position in
            let type = table.fields[position].type
            return type.isComputedFromCells || (isShown && type == .multipleRecordLinks)
        }
        return isComputed ? ComputedWants(fields: fields, filled: Set(fields), shown: isShown) : nil
    }
}

extension ComputedPlan {
    /// Whether so many records can be computed while an event thread waits.
    func isImmediate(records: Int) -> Bool {
        staysInRecord && formulaBytes * min(records, 100) <= 40_000
    }
}

extension Engine {
    func computing(
        as presentation: RecordPresentation, users: UserDirectory, steps: Int
    ) throws(APIError) -> PageComputing {
        try PageComputing(now: clock(), zones: zones, links: links, presentation, users: users, steps: steps)
    }

    /// A page with its computed cells; with fewer records than asked for, and more to follow, when computing all of
    /// them would take too much.
    ///
    /// - Parameter read: reads up to so many records with the cells of the plan.
    func computed(
        _ plan: ComputedPlan, limit: Int, _ presentation: RecordPresentation,
        _ read: (any StorageReader, _ limit: Int) throws(APIError) -> StoredPage
    ) throws(APIError) -> StoredPage {
        var limit = limit
        while limit > 1 {
            do throws(APIError) {
                return try computed(plan, limit, presentation, .page, read)
            } catch {
                guard error == .tooMuchToCompute else { throw error }
                limit /= 4
            }
        }
        return try computed(plan, 1, presentation, .record, read)
    }

    /// The batch with its computed cells, or nil when that would hold up the event thread for too long; the batch is
    /// taken.
    func computedNow(
        _ plan: ComputedPlan, _ batch: inout RecordBatch, _ presentation: RecordPresentation
    ) throws(APIError) -> RecordBatch? {
        var computing = try computing(
            as: presentation, users: storage.users, steps: ComputedBudget.immediate.steps)
        let page = ComputedPage(plan, batch, users: storage.users)
        batch = RecordBatch(fields: [])
        do throws(APIError) {
            try computing.compute(page)
        } catch {
            guard error == .tooMuchToCompute else { throw error }
            return nil
        }
        return page.finished()
    }

    /// The store is let go before formulas run.
    func computed(
        _ plan: ComputedPlan, _ limit: Int, _ presentation: RecordPresentation, _ budget: ComputedBudget,
        _ read: (any StorageReader, _ limit: Int) throws(APIError) -> StoredPage
    ) throws(APIError) -> StoredPage {
        let users = storage.users
        var computing = try computing(as: presentation, users: users, steps: budget.steps)
        let fetch = { (reader: any StorageReader) throws(APIError) -> (ComputedPage, StoredPage) in
            var stored = try read(reader, limit)
            let page = ComputedPage(plan, stored.batch, users: users)
            stored.batch = RecordBatch(fields: [])
            var links = budget.links
            try page.fetch(from: reader, links: &links)
            return (page, stored)
        }
        let (page, stored) = plan.staysInRecord ? try storage.readEach(fetch) : try storage.read(fetch)
        try computing.compute(page)
        return StoredPage(batch: page.finished(), last: stored.last, hasMore: stored.hasMore)
    }
}

extension PageComputing {
    /// - Throws: `INVALID_REQUEST_UNKNOWN` for an unknown time zone.
    init(
        now: Instant, zones: TimeZoneDatabase, links: AttachmentLinks, _ presentation: RecordPresentation,
        users: UserDirectory, steps: Int
    ) throws(APIError) {
        self.init(
            now: now, zones: zones, links: links,
            shown: try CellText(presentation, users: users, zones: zones, links: links), steps: steps)
    }
}

extension PagePlan {
    /// The same place of the same order, with other cells and as many records.
    func reading(_ fields: [Int], limit: Int) -> PagePlan {
        PagePlan(
            table: table, fields: fields, order: order, manualOrder: manualOrder, after: after, limit: limit,
            filter: filter, textLimit: textLimit)
    }
}
