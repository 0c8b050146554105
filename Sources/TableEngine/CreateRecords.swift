package import RowhouseModel
import RowhouseWire
import Storage

extension Engine {
    package func createRecords(
        _ request: CreateRecordsRequest, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<WrittenRecords> {
        guard (1...10).contains(request.records.count) else { throw .invalidRecordsForCreate }
        let encoder = encoder
        let written = try write(as: caller, idempotency: idempotency) { (written) throws(APIError) in
            try encoder.written(written, single: request.isSingle, request.presentation)
        } _: { (session) throws(APIError) in
            let named = try session.table(request.table, in: request.base, scope: .recordsWrite)
            let (table, cells) = try session.cells(of: request.records, in: named, typecast: request.typecast)
            let changes = try session.insert(cells, in: table)
            try session.log(.createRecords, of: changes, in: table)
            return try session.written(changes.map(\.record), in: table, request.presentation)
        }
        return try completed(written, request.presentation, idempotency)
    }
}
