package import RowhouseModel
import Storage

extension Engine {
    /// The record, found by its id anywhere in the base: the table of the path need only exist. The rights that count
    /// are those of the record's own table.
    package func getRecord(_ request: GetRecordRequest, as caller: Caller) throws(APIError) -> RecordPage {
        let (schema, tables) = try tables(of: request, as: caller)
        for table in tables {
            if let page = try page(request, in: table, schema) { return try counted(page, request.presentation) }
        }
        throw .recordNotFound
    }

    package func getRecordNow(_ request: GetRecordRequest, as caller: Caller) throws(APIError) -> RecordPage? {
        let (schema, tables) = try tables(of: request, as: caller)
        // A record, in whatever table it is, may have any number of links.
        if schema.base(request.base)?.hasLinks == true { return nil }
        let page = try storage.readNow { (reader) throws(APIError) -> RecordPage? in
            for table in tables {
                let shape = RecordShape(table: table, positions: Array(table.fields.indices))
                guard formulas.isPlanned(table, shape.positions, as: request.presentation, in: schema) else {
                    return nil
                }
                let plan = formulas.plan(table, shape.positions, as: request.presentation, in: schema)
                let fields = plan?.read ?? shape.positions
                guard var batch = try reader.record(request.record, in: table, fields: fields) else { continue }
                if let plan {
                    guard plan.isImmediate(records: 1),
                        let computed = try computedNow(plan, &batch, request.presentation)
                    else { return nil }
                    batch = computed
                }
                return RecordPage(batch: batch, users: storage.users, shape: shape)
            }
            throw APIError.recordNotFound
        }
        guard let found = page ?? nil else { return nil }
        return try countedNow(found, request.presentation)
    }

    /// The tables where the record may be, the one of the path first.
    private func tables(
        of request: GetRecordRequest, as caller: Caller
    ) throws(APIError) -> (schema: Schema, tables: [TableSchema]) {
        let schema = storage.schema
        let named = try Self.table(request.table, in: request.base, of: schema, scope: .recordsRead, as: caller)
        return (schema, [named] + (schema.base(request.base)?.tables ?? []).filter { $0.id != named.id })
    }

    private func page(
        _ request: GetRecordRequest, in table: TableSchema, _ schema: Schema
    ) throws(APIError) -> RecordPage? {
        let shape = RecordShape(table: table, positions: Array(table.fields.indices))
        let plan = formulas.plan(table, shape.positions, as: request.presentation, in: schema)
        let fields = plan?.read ?? shape.positions
        var batch: RecordBatch?
        if let plan {
            batch = try computed(plan, limit: 1, request.presentation) { (reader, _) throws(APIError) in
                let batch = try reader.record(request.record, in: table, fields: fields)
                return StoredPage(batch: batch ?? RecordBatch(fields: []), last: nil, hasMore: false)
            }.batch
        } else {
            batch = try storage.readEach { (reader) throws(APIError) in
                try reader.record(request.record, in: table, fields: fields)
            }
        }
        guard let batch, batch.count > 0 else { return nil }
        return RecordPage(batch: batch, users: storage.users, shape: shape)
    }
}

extension Engine: RecordOperations, ImmediateReads {}
