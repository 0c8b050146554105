package import RowhouseModel
import Storage

extension Engine {
    /// The record, found by its id anywhere in the base: the table of the path need only exist. The rights that count
    /// are those of the record's own table.
    package func getRecord(_ request: GetRecordRequest, as caller: Caller) throws(APIError) -> RecordPage {
        let (schema, named) = try table(of: request, as: caller)
        return try storage.readEach { (reader) throws(APIError) in try find(request, named, schema, reader) }
    }

    package func getRecordNow(_ request: GetRecordRequest, as caller: Caller) throws(APIError) -> RecordPage? {
        let (schema, named) = try table(of: request, as: caller)
        return try storage.readNow { (reader) throws(APIError) in try find(request, named, schema, reader) }
    }

    private func table(
        of request: GetRecordRequest, as caller: Caller
    ) throws(APIError) -> (schema: Schema, table: TableSchema) {
        let schema = storage.schema
        return (
            schema, try Self.table(request.table, in: request.base, of: schema, scope: .recordsRead, as: caller)
        )
    }

    private func find(
        _ request: GetRecordRequest, _ named: TableSchema, _ schema: Schema, _ reader: any StorageReader
    ) throws(APIError) -> RecordPage {
        if let page = try page(request.record, in: named, reader) { return page }
        for table in schema.base(request.base)?.tables ?? [] where table.id != named.id {
            if let page = try page(request.record, in: table, reader) { return page }
        }
        throw APIError.recordNotFound
    }

    private func page(
        _ record: RecordID, in table: TableSchema, _ reader: any StorageReader
    ) throws(APIError) -> RecordPage? {
        let shape = RecordShape(table: table, positions: Array(table.fields.indices))
        guard let batch = try reader.record(record, in: table, fields: shape.positions) else { return nil }
        return RecordPage(batch: batch, users: storage.users, shape: shape)
    }
}

extension Engine: RecordOperations, ImmediateReads {}
