package import RowhouseModel
import RowhouseWire
import Storage

extension Engine: HistoryOperations {
    package func recordHistory(
        _ request: RecordHistoryRequest, as caller: Caller
    ) throws(APIError) -> RecordHistoryPage {
        let table = try Self.table(
            request.table, in: request.base, of: storage.schema, scope: .recordsRead, as: caller)
        let before = try request.offset.map { (text) throws(APIError) in
            guard let id = ChangeID(text) else { throw .invalidOffset(text) }
            return id
        }
        let (entries, hasMore) = try storage.read { (reader) throws(APIError) in
            let found = try reader.history(of: request.record, in: table, before: before, limit: request.pageSize)
            // One that was made by a file, or long ago, exists without a history.
            if found.entries.isEmpty, before == nil, try reader.record(request.record, in: table, fields: []) == nil {
                throw APIError.recordNotFound
            }
            return found
        }
        return RecordHistoryPage(
            entries: entries, offset: hasMore ? entries.last?.id.description : nil, users: storage.users)
    }

    package func restoreCell(
        _ request: RestoreCellRequest, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<WrittenRecords> {
        let encoder = encoder
        let presentation = RecordPresentation()
        let written = try write(as: caller, idempotency: idempotency) { (written) throws(APIError) in
            try encoder.written(written, single: true, presentation)
        } _: { (session) throws(APIError) in
            let table = try session.table(request.table, in: request.base, scope: .recordsWrite)
            let position = try Self.field(request.field, of: table)
            let cell = try session.earlierCell(request, position, of: table)
            let changes = try session.update([(request.record, [(position, cell)])], in: table) { _ in .recordNotFound }
            try session.log(.updateRecords, of: changes, in: table)
            return try session.written([request.record], in: table, presentation)
        }
        return try completed(written, presentation, idempotency)
    }
}

extension WriteSession {
    /// The cell that an entry of the history has, as far as it can still be: links to records that are there.
    fileprivate func earlierCell(
        _ request: RestoreCellRequest, _ position: Int, of table: TableSchema
    ) throws(APIError) -> StoredCell {
        guard try writer.record(request.record, in: table, fields: []) != nil else { throw .recordNotFound }
        let next = ChangeID(text: IdentifierText(number: request.entry.text.number &+ 1))
        let found = try writer.history(of: request.record, in: table, before: next, limit: 1).entries.first
        guard let entry = found, entry.id == request.entry else { throw .modelNotFound("History entry") }
        let field = table.fields[position]
        guard let cell = entry.cells.first(where: { $0.field.id == field.id }) else {
            throw .invalidRequest("The history entry says nothing of the field \"\(field.name)\".")
        }
        guard field.type.isWritable else { throw .computed(field.name) }
        guard cell.field.type == field.type else {
            throw .invalidRequest("The field \"\(field.name)\" had another type then.")
        }
        let value = request.value == .before ? cell.before : cell.after
        guard let linked = field.linkedTableID.flatMap({ writer.schema.base(table.base)?.table($0) }) else {
            return value
        }
        return .links(try writer.records(value.linkedRecords ?? [], in: linked, fields: []).ids)
    }
}
