package import RowhouseModel
import Storage

extension Engine {
    /// The record, found by its id anywhere in the base: the table of the path need only exist. The rights that count
    /// are those of the record's own table.
    package func getRecord(_ request: GetRecordRequest, as caller: Caller) throws(APIError) -> RecordPage {
        let schema = storage.schema
        let named = try Self.table(request.table, in: request.base, of: schema, scope: .recordsRead, as: caller)
        if let page = try page(request, in: named, schema) { return page }
        for table in schema.base(request.base)?.tables ?? [] where table.id != named.id {
            if let page = try page(request, in: table, schema) { return page }
        }
        throw .recordNotFound
    }

    private func page(
        _ request: GetRecordRequest, in table: TableSchema, _ schema: Schema
    ) throws(APIError) -> RecordPage? {
        let shape = RecordShape(table: table, positions: Array(table.fields.indices))
        let read = { (reader: any StorageReader, fields: [Int]) throws(APIError) in
            try reader.record(request.record, in: table, fields: fields)
        }
        let batch: RecordBatch?
        if let plan = formulas.plan(table, shape.positions, as: request.presentation, in: schema) {
            batch = try computed(plan, 1, request.presentation, .record) { (reader, _) throws(APIError) in
                let batch = try read(reader, plan.read)
                return StoredPage(batch: batch ?? RecordBatch(fields: []), last: nil, hasMore: false)
            }.batch
        } else {
            batch = try storage.readEach { (reader) throws(APIError) in try read(reader, shape.positions) }
        }
        guard let batch, batch.count > 0 else { return nil }
        return RecordPage(batch: batch, users: storage.users, shape: shape)
    }

    package func getRecordNow(_ request: GetRecordRequest, as caller: Caller) throws(APIError) -> RecordPage? {
        let schema = storage.schema
        let named = try Self.table(request.table, in: request.base, of: schema, scope: .recordsRead, as: caller)
        let plan = formulas.plan(
            named, Array(named.fields.indices), as: request.presentation, in: schema)
        guard plan?.isImmediate(records: 1) ?? true else { return nil }
        return try getRecord(request, as: caller)
    }
}

extension Engine: RecordOperations, ImmediateReads {}
