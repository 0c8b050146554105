package import RowhouseModel
import RowhouseWire
import Storage

extension Engine {
    package func updateRecords(
        _ request: UpdateRecordsRequest, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<WrittenRecords> {
        guard (1...10).contains(request.records.count) else { throw .invalidRecordsForUpdate }
        let encoder = encoder
        let written = try write(as: caller, idempotency: idempotency) { (written) throws(APIError) in
            try encoder.written(written, single: request.isSingle, request.presentation)
        } _: { (session) throws(APIError) in
            let named = try session.table(request.table, in: request.base, scope: .recordsWrite)
            let (table, cells) = try session.cells(of: request.records, in: named, typecast: request.typecast)
            if let merge = request.fieldsToMergeOn {
                return try Upsert(session, request, table, on: merge).perform(cells)
            }
            let ids = try Self.recordIDs(of: request)
            let updates = zip(ids, cells).map { ($0, request.complete($1, of: table)) }
            let changes = try session.update(updates, in: table) { id in
                request.isSingle ? .recordNotFound : .recordDoesNotExist(id.description)
            }
            try session.log(.updateRecords, of: changes, in: table)
            return try session.written(ids, in: table, request.presentation)
        }
        return try completed(written, request.presentation, idempotency)
    }

    private static func recordIDs(of request: UpdateRecordsRequest) throws(APIError) -> [RecordID] {
        var ids: [RecordID] = []
        for record in request.records {
            guard let text = record.id else { throw .invalidRecordsForUpdate }
            guard let id = RecordID(text) else { throw .recordDoesNotExist(text) }
            guard !ids.contains(id) else { throw .invalidRequest("A record is named twice.") }
            ids.append(id)
        }
        return ids
    }
}

extension UpdateRecordsRequest {
    /// The cells to write: those sent, and for PUT every other writable one as empty.
    fileprivate func complete(
        _ cells: [(field: Int, value: StoredCell)], of table: TableSchema
    ) -> [(field: Int, value: StoredCell)] {
        guard unnamed == .cleared else { return cells }
        let named = Set(cells.map(\.field))
        let others = table.fields.indices.filter { !named.contains($0) && table.fields[$0].type.isWritable }
        return cells + others.map { ($0, .empty) }
    }
}

/// An upsert: each record without an id is matched on the merge fields and updated, or created.
private struct Upsert {
    private let session: WriteSession
    private let request: UpdateRecordsRequest
    private let table: TableSchema
    private let merge: [Int]

    init(
        _ session: WriteSession, _ request: UpdateRecordsRequest, _ table: TableSchema, on names: [String]
    ) throws(APIError) {
        self.session = session
        self.request = request
        self.table = table
        var merge: [Int] = []
        for name in names {
            let field = try Engine.field(name, of: table)
            guard table.fields[field].type.canMerge else {
                throw .invalidRequest("Records cannot be merged on field \"\(table.fields[field].name)\".")
            }
            merge.append(field)
        }
        self.merge = merge
    }

    func perform(_ cells: [[(field: Int, value: StoredCell)]]) throws(APIError) -> WrittenRecords {
        var ids: [RecordID] = []
        var created: [RecordID] = []
        var updated: [RecordID] = []
        var changes: [RecordChange] = []
        for (record, cells) in zip(request.records, cells) {
            let id: RecordID
            if let match = try match(record, cells) {
                id = match
                changes += try session.update([(id, request.complete(cells, of: table))], in: table) { id in
                    .recordDoesNotExist(id.description)
                }
                if !created.contains(id), !updated.contains(id) { updated.append(id) }
            } else {
                let made = try session.insert([cells], in: table)
                id = made[0].record
                changes += made
                created.append(id)
            }
            ids.append(id)
        }
        try session.log(.upsertRecords, of: changes, in: table)
        return try session.written(ids, in: table, request.presentation, upsert: (created, updated))
    }

    /// The record that is meant, or nil when a new one is to be made.
    private func match(
        _ record: RecordInput, _ cells: [(field: Int, value: StoredCell)]
    ) throws(APIError) -> RecordID? {
        if let text = record.id {
            guard let id = RecordID(text) else { throw .recordDoesNotExist(text) }
            return id
        }
        var keys: [(field: Int, value: StoredCell)] = []
        for field in merge {
            guard let key = cells.first(where: { $0.field == field }) else {
                throw .invalidRequest("A record lacks the merge field \"\(table.fields[field].name)\".")
            }
            keys.append(key)
        }
        // An empty cell equals nothing, not even another empty cell.
        guard keys.allSatisfy({ $0.value != .empty }) else { return nil }
        let found = try session.writer.find(keys, in: table, limit: 2)
        guard found.count < 2 else {
            throw .invalidRequest("Several records have the same values in the merge fields.")
        }
        return found.first
    }
}
