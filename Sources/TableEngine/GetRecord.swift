package import RowhouseModel
import Storage

extension Engine {
    /// The record, found by its id anywhere in the base: the table of the path need only exist. The rights that count
    /// are those of the record's own table.
    package func getRecord(_ request: GetRecordRequest, as caller: Caller) throws(APIError) -> RecordPage {
        let schema = storage.schema
        let named = try Self.table(request.table, in: request.base, of: schema, scope: .recordsRead, as: caller)
        let batch = try storage.read { (reader) throws(APIError) in
            if let batch = try reader.record(request.record, in: named, fields: Array(named.fields.indices)) {
                return batch
            }
            for table in schema.base(request.base)?.tables ?? [] where table.id != named.id {
                if let batch = try reader.record(request.record, in: table, fields: Array(table.fields.indices)) {
                    return batch
                }
            }
            throw APIError.recordNotFound
        }
        return RecordPage(batch: batch, users: storage.users)
    }

    package func getRecordNow(_ request: GetRecordRequest, as caller: Caller) throws(APIError) -> RecordPage? {
        try getRecord(request, as: caller)
    }
}

extension Engine: RecordOperations, ImmediateReads {}
