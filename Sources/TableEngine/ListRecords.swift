package import RowhouseModel
import Storage

extension Engine {
    package func listRecords(_ request: ListRecordsRequest, as caller: Caller) throws(APIError) -> RecordPage {
        let list = try RecordList(request, schema: storage.schema, secret: storage.secret, as: caller)
        let page = try storage.readEach { (reader) throws(APIError) in try reader.page(list.plan) }
        return list.answer(page, users: storage.users)
    }

    package func listRecordsNow(
        _ request: ListRecordsRequest, as caller: Caller
    ) throws(APIError) -> RecordPage? {
        let list = try RecordList(request, schema: storage.schema, secret: storage.secret, as: caller)
        let page = try storage.readNow { (reader) throws(APIError) in
            reader.isImmediate(list.plan) ? try reader.page(list.plan) : nil
        }
        guard case .some(.some(let page)) = page else { return nil }
        return list.answer(page, users: storage.users)
    }
}

/// A list request with its names resolved: what to ask of the store, and how the answer goes on.
private struct RecordList {
    let plan: PagePlan
    private let walk: OffsetToken.Walk
    /// Records that may still be answered, this page's included.
    private let remaining: Int?

    init(_ request: ListRecordsRequest, schema: Schema, secret: [UInt8], as caller: Caller) throws(APIError) {
        let table = try Engine.table(request.table, in: request.base, of: schema, scope: .recordsRead, as: caller)
        let fields = try Self.fields(request.fields, of: table)
        let view = try Self.view(request.view, of: table, in: schema.base(request.base))
        let order = request.sort.isEmpty ? Self.order(of: view, in: table) : try Self.order(request.sort, of: table)
        // Both must hold: that of the view and that of the request.
        let filters = [view?.filter, request.filterByFormula].compactMap(\.self)
        if !filters.isEmpty { throw .invalidFilterByFormula("Formulas are not supported by this version yet.") }
        let isByHand = request.sort.isEmpty && order.isEmpty && view?.isManuallyOrdered == true
        walk = OffsetToken.Walk(
            secret: secret, table: table.id, order: order.map { (table.fields[$0.field].id, $0.direction) },
            isByHand: isByHand, view: view?.id, filters: filters)
        var token: OffsetToken?
        if let offset = request.offset { token = try OffsetToken(offset, walk: walk) }
        remaining = token.map(\.remaining) ?? request.maxRecords
        plan = PagePlan(
            table: table, fields: fields, order: order, manualOrder: isByHand ? view?.id : nil,
            after: token?.position, limit: min(request.pageSize, remaining ?? .max))
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
