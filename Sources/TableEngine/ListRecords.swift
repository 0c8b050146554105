package import RowhouseModel
import Storage

extension Engine {
    package func listRecords(_ request: ListRecordsRequest, as caller: Caller) throws(APIError) -> RecordPage {
        let list = try recordList(request, as: caller)
        let page: StoredPage
        if let computed = list.computed {
            let read = try pageReading(list)
            page = try self.computed(computed, limit: list.plan.limit, request.presentation) {
                (reader, limit) throws(APIError) in try read(reader, list.plan.reading(computed.read, limit: limit))
            }
        } else {
            let read = try pageReading(list)
            page = try storage.readEach { (reader) throws(APIError) in try read(reader, list.plan) }
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
        try RecordList(request, storage: storage, formulas: formulas, as: caller)
    }

    package func listRecordsNow(
        _ request: ListRecordsRequest, as caller: Caller
    ) throws(APIError) -> RecordPage? {
        let list = try recordList(request, as: caller)
        guard list.order == nil, list.computed?.isImmediate(records: list.plan.limit) ?? true else { return nil }
        let page: StoredPage? = try storage.readEach { (reader) throws(APIError) in
            reader.isImmediate(list.plan) ? try reader.page(list.reading) : nil
        }
        guard var page else { return nil }
        if let computed = list.computed {
            guard let batch = try computedNow(computed, &page.batch, request.presentation) else { return nil }
            page.batch = batch
        }
        return list.answer(page, users: storage.users)
    }
}

/// A list request with its names resolved: what to ask of the store, and how the answer goes on.
private struct RecordList {
    let plan: PagePlan
    /// What the cells asked for take beyond reading them; nil when that is all.
    let computed: ComputedPlan?
    /// The order, where the store cannot make it.
    let order: ComputedOrder?
    private let walk: OffsetToken.Walk
    /// Records that may still be answered, this page's included.
    private let remaining: Int?

    init(
        _ request: ListRecordsRequest, storage: any Storage, formulas: FormulaCache, as caller: Caller
    ) throws(APIError) {
        let schema = storage.schema
        let table = try Engine.table(request.table, in: request.base, of: schema, scope: .recordsRead, as: caller)
        let fields = try Self.fields(request.fields, of: table)
        let order = try Self.order(request.sort, of: table)
        let view = try Self.view(request.view, of: table, in: schema.base(request.base))
        if request.filterByFormula != nil {
            throw .invalidFilterByFormula("Formulas are not supported by this version yet.")
        }
        walk = OffsetToken.Walk(
            secret: storage.secret, table: table.id, order: order.map { (table.fields[$0.field].id, $0.direction) },
            view: view?.id, filter: request.filterByFormula)
        var token: OffsetToken?
        if let offset = request.offset { token = try OffsetToken(offset, walk: walk) }
        remaining = token.map(\.remaining) ?? request.maxRecords
        self.order = ComputedOrder(
            order, of: table, in: schema.base(table.base), formulas: formulas, users: storage.users)
        computed = formulas.plan(table, fields, as: request.presentation, in: schema)
        plan = PagePlan(
            table: table, fields: fields, order: order, after: token?.position,
            limit: min(request.pageSize, remaining ?? .max))
    }

    /// What to ask of the store.
    var reading: PagePlan { computed.map { plan.reading($0.read, limit: plan.limit) } ?? plan }

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

    private static func view(
        _ reference: String?, of table: TableSchema, in base: BaseSchema?
    ) throws(APIError) -> View? {
        guard let reference else { return nil }
        if let view = table.view(named: reference) { return view }
        let isElsewhere = base?.tables.contains { $0.views.contains { $0.id.description == reference } } ?? false
        throw isElsewhere ? .failedStateCheck : .viewNotFound(reference)
    }
}
