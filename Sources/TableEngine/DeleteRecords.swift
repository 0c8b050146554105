package import RowhouseModel
import RowhouseWire
import Storage

extension Engine {
    package func deleteRecords(
        _ request: DeleteRecordsRequest, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<[RecordID]> {
        let ids = request.records
        guard (1...10).contains(ids.count) else { throw .invalidRecordsForDelete }
        guard Set(ids).count == ids.count else { throw .invalidRequest("A record is named twice.") }
        let encoder = encoder
        return try write(as: caller, idempotency: idempotency) { (ids) throws(APIError) in
            encoder.deleted(ids, single: request.isSingle)
        } _: { (session) throws(APIError) in
            let table = try session.table(request.table, in: request.base, scope: .recordsWrite)
            let writable = table.fields.indices.filter { table.fields[$0].type.kept != .nothing }
            var changes: [RecordChange] = []
            for id in ids {
                guard let before = try session.writer.record(id, in: table, fields: writable) else {
                    throw request.isSingle ? .recordNotFound : .recordDoesNotExist(id.description)
                }
                changes.append(Self.deletion(of: id, before, in: table, fields: writable))
            }
            let names = try session.names(of: ids, in: table)
            try session.writer.delete(Array(zip(ids, names)), in: table, by: session.caller.user.id)
            try session.log(.deleteRecords, table: table, records: changes)
            return ids
        }
    }

    private static func deletion(
        of id: RecordID, _ before: RecordBatch, in table: TableSchema, fields: [Int]
    ) -> RecordChange {
        var cells: [(field: FieldID, before: StoredCell, after: StoredCell)] = []
        for (index, field) in fields.enumerated() {
            let value = before.cell(record: 0, field: index)
            if value != .empty { cells.append((table.fields[field].id, value, .empty)) }
        }
        return RecordChange(record: id, cells: cells)
    }
}
