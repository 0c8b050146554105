package import RowhouseModel
import Storage

extension Engine {
    /// The record, found by its id anywhere in the base: the table of the path need only exist. The rights that count
    /// are those of the record's own table.
    package func getRecord(_ request: GetRecordRequest, as caller: Caller) throws(APIError) -> RecordPage {
        let schema = storage.schema
        let named = try Self.table(request.table, in: request.base, of: schema, scope: .recordsRead, as: caller)
        if let page = try page(request, in: named, schema) { return try counted(page, request.presentation) }
        for table in schema.base(request.base)?.tables ?? [] where table.id != named.id {
            if let page = try page(request, in: table, schema) { return try counted(page, request.presentation) }
        }
        throw .recordNotFound
    }

    package func getRecordNow(_ request: GetRecordRequest, as caller: Caller) throws(APIError) -> RecordPage? {
        let schema = storage.schema
        let named = try Self.table(request.table, in: request.base, of: schema, scope: .recordsRead, as: caller)
        let base = schema.base(request.base)
        // A record, in whatever table it is, may have any number of links.
        if base?.hasLinks == true { return nil }
        let found = try storage.readNow { (reader) throws(APIError) -> FoundNow in
            var found = try self.found(request, in: named, schema, reader)
            // The table of the path is almost always the one.
            for table in base?.tables ?? [] {
                guard case .missing = found else { break }
                if table.id != named.id { found = try self.found(request, in: table, schema, reader) }
            }
            return found
        }
        switch found {
        case .page(let page): return try countedNow(page, request.presentation)
        case .missing: throw .recordNotFound
        case .later, nil: return nil
        }
    }

    /// What looking for a record in one table came to.
    private enum FoundNow {
        case page(RecordPage)
        case missing
        /// It may take long.
        case later
    }

    private func found(
        _ request: GetRecordRequest, in table: TableSchema, _ schema: Schema, _ reader: any StorageReader
    ) throws(APIError) -> FoundNow {
        let shape = RecordShape(table: table, positions: table.positions)
        guard formulas.isPlanned(table, shape.positions, as: request.presentation, in: schema) else { return .later }
        let plan = formulas.plan(table, shape.positions, as: request.presentation, in: schema)
        guard var batch = try reader.record(request.record, in: table, fields: plan?.read ?? shape.positions) else {
            return .missing
        }
        guard batch.isShort else { return .later }
        if let plan {
            guard plan.isImmediate(records: 1), let computed = try computedNow(plan, &batch, request.presentation)
            else { return .later }
            guard computed.isShort else { return .later }
            batch = computed
        }
        return .page(RecordPage(batch: batch, users: storage.users, shape: shape))
    }

    private func page(
        _ request: GetRecordRequest, in table: TableSchema, _ schema: Schema
    ) throws(APIError) -> RecordPage? {
        let shape = RecordShape(table: table, positions: table.positions)
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
