import FormulaLanguage
package import RowhouseModel
import Storage

extension Engine {
    /// The page; a filter that has to look at many records goes on in turn with others, and holds no thread between.
    package func listRecords(_ request: ListRecordsRequest, as caller: Caller) async throws(APIError) -> RecordPage {
        let list = try recordList(request, as: caller)
        guard var walk = filterWalk(list) else {
            return try counted(page(list, request.presentation), request.presentation)
        }
        var isFound = false
        while !isFound {
            try await lane.enter()
            defer { lane.leave() }
            isFound = try walk.step()
        }
        return try counted(page(list, walk.found, request.presentation), request.presentation)
    }

    /// The same on the calling thread, without waiting for a turn.
    package func listRecordsHere(_ request: ListRecordsRequest, as caller: Caller) throws(APIError) -> RecordPage {
        let list = try recordList(request, as: caller)
        guard var walk = filterWalk(list) else {
            return try counted(page(list, request.presentation), request.presentation)
        }
        while try !walk.step() {}
        return try counted(page(list, walk.found, request.presentation), request.presentation)
    }

    private func filterWalk(_ list: RecordList) -> FilterWalk? {
        guard let filters = list.filters else { return nil }
        let plan = list.computed == nil ? list.plan : list.plan.reading([], limit: list.plan.limit)
        return FilterWalk(
            self, plan, readsCells: list.computed == nil, order: list.order, filters: filters.all, in: filters.base)
    }

    private func page(_ list: RecordList, _ presentation: RecordPresentation) throws(APIError) -> RecordPage {
        let page: StoredPage
        if let computed = list.computed {
            let read = try pageReading(list)
            page = try self.computed(computed, limit: list.plan.limit, presentation) {
                (reader, limit) throws(APIError) in try read(reader, list.plan.reading(computed.read, limit: limit))
            }
        } else {
            let read = try pageReading(list)
            page = try storage.readEach { (reader) throws(APIError) in try read(reader, list.plan) }
        }
        return list.answer(page, users: storage.users)
    }

    /// The page of the records that a filter keeps; those that went meanwhile are missing.
    private func page(
        _ list: RecordList, _ found: FoundRecords, _ presentation: RecordPresentation
    ) throws(APIError) -> RecordPage {
        if let batch = found.batch {
            let page = StoredPage(batch: batch, last: found.positions.last, hasMore: found.hasMore)
            return list.answer(page, users: storage.users)
        }
        let table = list.plan.table
        let read = { (reader: any StorageReader, limit: Int, fields: [Int]) throws(APIError) -> StoredPage in
            let ids = found.positions.prefix(limit).map(\.record)
            let (batch, taken) = try reader.firstRecords(of: ids, in: table, fields: fields)
            return StoredPage(
                batch: batch, last: found.positions.prefix(taken).last,
                hasMore: found.hasMore || taken < found.positions.count)
        }
        let page: StoredPage
        if let computed = list.computed {
            page = try self.computed(computed, limit: max(1, found.positions.count), presentation) {
                (reader, limit) throws(APIError) in try read(reader, limit, computed.read)
            }
        } else {
            page = try storage.readEach { (reader) throws(APIError) in try read(reader, .max, list.plan.fields) }
        }
        return list.answer(page, users: storage.users)
    }

    /// How pages of the list are read: in an order of the store, or in a computed one.
    private func pageReading(
        _ list: RecordList
    ) throws(APIError) -> (any StorageReader, PagePlan) throws(APIError) -> StoredPage {
        guard let order = list.order else {
            return { (reader, plan) throws(APIError) in try reader.page(plan) }
        }
        let records = try orderedRecords(order, isContinued: list.plan.after != nil)
        let start = list.plan.after.map { records.place(after: $0.key) } ?? 0
        return { [self] (reader, plan) throws(APIError) in try page(plan, of: records, from: start, reader) }
    }

    private func recordList(_ request: ListRecordsRequest, as caller: Caller) throws(APIError) -> RecordList {
        try RecordList(request, self, as: caller, pace: .later)
    }

    package func listRecordsNow(
        _ request: ListRecordsRequest, as caller: Caller
    ) throws(APIError) -> RecordPage? {
        // Reading a long formula may take long.
        if request.filterByFormula?.utf8.count ?? 0 > Self.longestFilterNow || hasLongFilter(request) { return nil }
        let list = try RecordList(request, self, as: caller, pace: .now)
        guard !list.isPutOff, list.computed?.isImmediate(records: list.plan.limit) ?? true,
            let reading = list.reading
        else { return nil }
        let read: StoredPage?? = try storage.readNow { (reader) throws(APIError) in
            reader.isImmediate(reading) ? try reader.page(reading) : nil
        }
        guard case .some(.some(var page)) = read, page.unfinished == nil, page.batch.isShort else { return nil }
        if let computed = list.computed {
            guard let batch = try computedNow(computed, &page.batch, request.presentation), batch.isShort else {
                return nil
            }
            page.batch = batch
        }
        return try countedNow(list.answer(page, users: storage.users), request.presentation)
    }
}

extension Engine {
    /// The longest filter, in bytes, that is read while an event thread waits.
    private static let longestFilterNow = 1_000

    /// Whether the filter of the view that the request names is long.
    private func hasLongFilter(_ request: ListRecordsRequest) -> Bool {
        guard let view = request.view, let base = storage.schema.base(request.base) else { return false }
        let table = base.table(named: request.table.exact) ?? base.table(named: request.table.plusAsSpace)
        return table?.view(named: view)?.filter?.utf8.count ?? 0 > Self.longestFilterNow
    }
}

/// A list request with its names resolved: what to ask of the store, and how the answer goes on.
private struct RecordList {
    let plan: PagePlan
    /// What the cells asked for take beyond reading them; nil when that is all.
    let computed: ComputedPlan?
    /// The order, where the store cannot make it.
    let order: ComputedOrder?
    /// Set when formulas would have to be read first, or an order be computed, and an event thread waits: then neither
    /// was done.
    let isPutOff: Bool
    /// What records must pass, and the base of the table; nil for all records.
    let filters: (all: [RecordFilter], base: BaseSchema)?
    private let walk: OffsetToken.Walk
    /// Records that may still be answered, this page's included.
    private let remaining: Int?

    /// Whether an event thread waits.
    enum Pace { case now, later }

    init(
        _ request: ListRecordsRequest, _ engine: Engine, as caller: Caller, pace: Pace
    ) throws(APIError) {
        let (storage, formulas) = (engine.storage, engine.formulas)
        let schema = storage.schema
        let table = try Engine.table(request.table, in: request.base, of: schema, scope: .recordsRead, as: caller)
        let fields = try Self.fields(request.fields, of: table)
        let view = try Self.view(request.view, of: table, in: schema.base(request.base))
        let order = request.sort.isEmpty ? Self.order(of: view, in: table) : try Self.order(request.sort, of: table)
        let isByHand = request.sort.isEmpty && order.isEmpty && view?.isManuallyOrdered == true
        filters = try Self.filters(request, view, of: table, engine, pace)
        let isReady =
            !ComputedOrder.isNeeded(for: order, of: table)
            && formulas.isPlanned(table, fields, as: request.presentation, in: schema)
        isPutOff = pace == .now && !isReady
        self.order =
            isPutOff
            ? nil
            : ComputedOrder(order, of: table, in: schema.base(table.base), formulas: formulas, users: storage.users)
        computed = isPutOff ? nil : formulas.plan(table, fields, as: request.presentation, in: schema)
        var walk = OffsetToken.Walk(
            secret: storage.secret, table: table.id, order: OrderMeaning(order, of: table, computed: self.order),
            isByHand: isByHand, view: view?.id, filters: [view?.filter, request.filterByFormula].compactMap(\.self))
        var token: OffsetToken?
        if let offset = request.offset, !isPutOff { token = try OffsetToken(offset, walk: &walk) }
        self.walk = walk
        remaining = token.map(\.remaining) ?? request.maxRecords
        plan = PagePlan(
            table: table, fields: fields, order: order, manualOrder: isByHand ? view?.id : nil,
            after: token?.position, limit: min(request.pageSize, remaining ?? .max))
    }

    /// What to ask of the store while an event thread waits, which ends where the page is no longer short; nil when the
    /// store cannot answer the filter.
    var reading: PagePlan? {
        var filter: StoredCondition?
        if let filters {
            let parts = filters.all.map { $0.timeless }
            guard parts.allSatisfy({ $0 != nil && $0?.rest == nil }) else { return nil }
            filter = .joined(all: parts.compactMap { $0?.stored })
        }
        let fields = computed?.read ?? plan.fields
        return PagePlan(
            table: plan.table, fields: fields, order: plan.order, manualOrder: plan.manualOrder, after: plan.after,
            limit: plan.limit, filter: filter,
            textLimit: RecordBatch.shortText(of: fields.map { plan.table.fields[$0] }))
    }

    func answer(_ page: StoredPage, users: UserDirectory) -> RecordPage {
        let left = remaining.map { $0 - page.batch.count }
        var offset: String?
        if page.hasMore, left ?? 1 > 0, let last = page.last {
            offset = OffsetToken(remaining: left, position: last).text(walk)
        }
        return RecordPage(
            batch: page.batch, users: users, offset: offset,
            shape: RecordShape(table: plan.table, positions: plan.fields))
    }

    private static func fields(_ names: [String]?, of table: TableSchema) throws(APIError) -> [Int] {
        guard let names else { return Array(table.fields.indices) }
        var positions: [Int] = []
        for name in names {
            let position = try Engine.field(name, of: table)
            if !positions.contains(position) { positions.append(position) }
        }
        return positions
    }

    private static func order(_ sort: [SortRequest], of table: TableSchema) throws(APIError) -> [SortKey] {
        var keys: [SortKey] = []
        for request in sort {
            let field = try Engine.field(request.field, of: table)
            // A field that comes again cannot change the order.
            if !keys.contains(where: { $0.field == field }) {
                keys.append(SortKey(field: field, direction: request.direction))
            }
        }
        return keys
    }

    /// What records must pass: the filter of the view and that of the request.
    private static func filters(
        _ request: ListRecordsRequest, _ view: View?, of table: TableSchema, _ engine: Engine, _ pace: Pace
    ) throws(APIError) -> (all: [RecordFilter], base: BaseSchema)? {
        guard let base = engine.storage.schema.base(table.base) else { return nil }
        var filters: [RecordFilter] = []
        if let view, let text = view.filter {
            do throws(APIError) {
                filters.append(try engine.filter(text, of: table, in: base))
            } catch { throw (engine.deletedFields(in: text, of: table, base, pace) ?? error).inFilter(of: view) }
        }
        if let text = request.filterByFormula { filters.append(try engine.filter(text, of: table, in: base)) }
        return filters.isEmpty ? nil : (filters, base)
    }

    /// The view's own order, of the fields that there still are.
    private static func order(of view: View?, in table: TableSchema) -> [SortKey] {
        (view?.sort ?? []).compactMap { key in
            table.index(of: key.field).map { SortKey(field: $0, direction: key.direction) }
        }
    }

    private static func view(
        _ reference: String?, of table: TableSchema, in base: BaseSchema?
    ) throws(APIError) -> View? {
        guard let reference else { return nil }
        if let view = table.view(named: reference) { return view }
        let isElsewhere = base?.tables.contains { $0.views.contains { $0.id.description == reference } } ?? false
        throw isElsewhere ? .failedStateCheck : .viewNotFound(reference)
    }
}

extension Engine {
    /// The error that tells by their names which fields of a view's filter are deleted; nil when it is not that.
    fileprivate func deletedFields(
        in filter: String, of table: TableSchema, _ base: BaseSchema, _ pace: RecordList.Pace
    ) -> APIError? {
        var unknown: [String] = []
        do throws(FormulaError) {
            _ = try CheckedFormula(filter, formulas.formulas(of: base).scope(of: table))
        } catch { unknown = error.unknownNames }
        let ids = unknown.prefix(20).compactMap { FieldID($0) }
        guard !ids.isEmpty, ids.count == min(unknown.count, 20) else { return nil }
        let read = { (reader: any StorageReader) throws(APIError) -> [String] in
            var names: [String] = []
            for id in ids {
                let name = try reader.name(ofField: id, of: table.id)
                names.append(name.map { "\"\($0.prefix(100))\" (\(id))" } ?? id.description)
            }
            return names
        }
        let names = pace == .now ? try? storage.readNow(read) : try? storage.readEach(read)
        let told = (names ?? ids.map(\.description)).joined(separator: ", ")
        return .invalidFilterByFormula("It names fields that are deleted: \(told)")
    }
}

extension APIError {
    /// Says that it is the view's filter that is wrong, as after a field of it was deleted.
    fileprivate func inFilter(of view: View) -> APIError {
        APIError(status: status, type: type, message: "View \"\(view.name.prefix(200))\": \(message ?? type)")
    }
}
