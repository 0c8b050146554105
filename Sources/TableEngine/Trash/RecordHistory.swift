package import RowhouseModel
import RowhouseWire
import Storage

extension Engine: HistoryOperations {
    /// So many entries of the trash are looked at for one of a table: records of others may have the same id.
    static let mostNamesakes = 100

    package func recordHistory(
        _ request: RecordHistoryRequest, as caller: Caller
    ) throws(APIError) -> RecordHistoryPage {
        let table = try Self.table(
            request.table, in: request.base, of: storage.schema, scope: .recordsRead, as: caller)
        let before = try request.offset.map { (text) throws(APIError) in
            guard let id = ChangeID(text) else { throw .invalidOffset(text) }
            return id
        }
        let oldest = Self.oldest(clock(), storage.trashDays)
        let (entries, hasMore) = try storage.read { (reader) throws(APIError) in
            // What is gone for good has no history either, though the log still tells of it.
            if try reader.record(request.record, in: table, fields: []) == nil {
                let query = TrashQuery.newest(.record, request.record.text)
                let entries = try reader.trash(query, since: oldest, limit: Self.mostNamesakes)
                guard entries.first(where: { $0.table == table.id })?.isRestored == false else {
                    throw APIError.recordNotFound
                }
            }
            return try reader.history(of: request.record, in: table, before: before, limit: request.pageSize)
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
        if let earlier = try value.ofToday(from: cell.field, to: field) { return earlier }
        guard let linked = field.linkedTableID.flatMap({ writer.schema.base(table.base)?.table($0) }) else {
            return value
        }
        return .links(try writer.records(value.linkedRecords ?? [], in: linked, fields: []).ids)
    }
}

extension StoredCell {
    /// A cell in terms of the options that its field has now, where it depends on them; nil where it does not. Choices
    /// are known again by id or by name, and left out when they are gone; a rating is no higher than it can be.
    fileprivate func ofToday(from then: Field, to now: Field) throws(APIError) -> StoredCell? {
        switch (self, now.options) {
        case (.real(let stars), .rating(_, let most, _)): return .real(min(stars, Double(most)))
        case (.integer(let number), .choices):
            guard let choice = now.choice(like: Int(number), of: then) else { throw .choicesGone(from: now) }
            return .integer(Int64(choice.number))
        case (.text(let list), .choices):
            var numbers: [Int] = []
            for number in StoredCell.choiceNumbers(Array(list.utf8)[...]) {
                guard let choice = now.choice(like: Int(number), of: then), !numbers.contains(choice.number) else {
                    continue
                }
                numbers.append(choice.number)
            }
            guard !numbers.isEmpty else { throw .choicesGone(from: now) }
            return .text("[\(numbers.map(String.init).joined(separator: ","))]")
        default: return nil
        }
    }
}

extension Field {
    /// The choice that one of an earlier form of the field is now.
    fileprivate func choice(like number: Int, of then: Field) -> SelectChoice? {
        guard let old = then.choices.first(where: { $0.number == number }) else { return nil }
        return choices.first { $0.id == old.id } ?? choices.first { $0.isNamed(old.name) }
    }
}

extension APIError {
    fileprivate static func choicesGone(from field: Field) -> APIError {
        .invalidRequest("The field \"\(field.name)\" no longer has what the cell held: add the choice first.")
    }
}
