import CivilTime
package import RowhouseModel
import RowhouseWire
import Storage

extension Engine {
    package func restore(
        _ reference: TrashReference, in base: BaseID?, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<Restoration> {
        let days = storage.trashDays
        return try write(as: caller, idempotency: idempotency) { (restoration) throws(APIError) in
            TrashEncoder.restoration(restoration)
        } _: { (session) throws(APIError) in
            let restoring = Restoring(session: session, since: Self.oldest(session.writer.now, days))
            let entries =
                if let base {
                    try restoring.restore(reference, in: base)
                } else {
                    try restoring.restoreBase(reference)
                }
            return Restoration(reference: reference, entries: entries)
        }
    }
}

/// One restore in progress.
private struct Restoring {
    let session: WriteSession
    let since: Instant

    /// How many entries one deletion has at most.
    private static let mostEntries = 1_000
    /// How many attachments one restore lets come.
    private static let mostWoken = 2_000

    func restore(_ reference: TrashReference, in base: BaseID) throws(APIError) -> [TrashEntry] {
        let query: TrashQuery =
            switch reference {
            case .record(let id): .newest(.record, id.text)
            case .field(let id): .newest(.field, id.text)
            case .table(let id): .newest(.table, id.text)
            case .base(let id): .newest(.base, id.text)
            case .deletion(let id): .deletion(id)
            }
        var found: [TrashEntry] = []
        for entry in try session.writer.trash(query, since: since, limit: Self.mostEntries) where entry.base == base {
            if try !isPast(entry) { found.append(entry) }
        }
        guard let first = found.first, first.kind != .base else { throw .notInTrash }
        let scope = first.kind == .record ? Scope.recordsWrite : .schemaWrite
        let schema = try Engine.base(base, of: session.writer.schema, scope: scope, as: session.caller)
        let entries = if case .deletion = reference { found } else { [first] }
        let waiting = entries.filter { !$0.isRestored }
        guard let next = waiting.first else { return entries }
        switch next.kind {
        case .record: try restore(waiting, in: schema)
        case .field: return [try restoreField(next, in: schema)]
        case .table: return [try restoreTable(next, in: schema)]
        case .base: throw .notInTrash
        }
        return entries
    }

    /// Whether an entry was restored and what it was of deleted again, so that it says nothing any more.
    private func isPast(_ entry: TrashEntry) throws(APIError) -> Bool {
        guard entry.isRestored else { return false }
        let always = Instant(milliseconds: 0)
        let query = TrashQuery.newest(entry.kind, entry.id)
        let entries = try session.writer.trash(query, since: always, limit: Engine.mostNamesakes)
        return entries.first { $0.table == entry.table }?.isRestored == false
    }

    /// Lets files that were still elsewhere come; the rest of too many comes with the next sweep.
    private func wakeAttachments(
        in base: BaseID, _ table: TableID? = nil, _ field: FieldID? = nil
    ) throws(APIError) {
        session.attachments.noteWoken(
            try session.writer.wakeAttachments(in: base, table: table, field: field, limit: Self.mostWoken))
    }

    // MARK: records

    /// Records of one deletion, which are of one table.
    private func restore(_ entries: [TrashEntry], in base: BaseSchema) throws(APIError) {
        let table = try parent(of: entries[0], in: base)
        try session.writer.restore(entries, in: table)
        let kept = table.fields.indices.filter { table.fields[$0].type.kept != .nothing }
        let ids = entries.map { RecordID(text: $0.id) }
        let batch = try session.writer.records(ids, in: table, fields: kept)
        let changes = batch.ids.enumerated().map { index, id in
            RecordChange(
                record: id,
                cells: kept.enumerated().compactMap { place, field in
                    let cell = batch.cell(record: index, field: place)
                    return cell == .empty ? nil : (table.fields[field].id, .empty, cell)
                })
        }
        try session.log(.restoreRecords, table: table, records: changes)
        for id in batch.ids where kept.contains(where: { table.fields[$0].type == .multipleAttachments }) {
            session.attachments.noteWoken(try session.writer.wakeAttachments(of: id, in: base.id))
        }
    }

    private func parent(of entry: TrashEntry, in base: BaseSchema) throws(APIError) -> TableSchema {
        if let table = entry.table.flatMap({ base.table($0) }) { return table }
        throw .invalidRequest("The table of the \(entry.kind.rawValue) is in the trash: restore the table first.")
    }

    // MARK: fields

    private func restoreField(_ entry: TrashEntry, in base: BaseSchema) throws(APIError) -> TrashEntry {
        let table = try parent(of: entry, in: base)
        let id = FieldID(text: entry.id)
        let hidden = try session.writer.hiddenFields(of: entry)
        guard hidden.contains(where: { $0.field.id == id && $0.table == table.id }) else { throw .notInTrash }
        for field in hidden where base.table(field.table) == nil {
            throw .invalidRequest("The table that the field links to is in the trash: restore the table first.")
        }
        let restored = try session.put(adding(hidden, to: base))
        try wakeAttachments(in: base.id, table.id, id)
        let name = restored.table(table.id)?.field(id)?.name ?? entry.name
        try session.writer.noteRestored(entry, named: name)
        return entry.restored(as: name)
    }

    /// The base with hidden fields back where they stood, under names of their own.
    private func adding(_ hidden: [HiddenField], to base: BaseSchema) throws(APIError) -> BaseSchema {
        var base = base
        for one in hidden {
            guard let table = base.table(one.table), table.index(of: one.field.id) == nil else {
                throw .internalError
            }
            guard table.fields.count < Engine.mostFields else {
                throw .invalidRequest("The table \"\(table.name)\" is full of fields: delete one first.")
            }
            try session.checkRoom(for: one.field, beside: table.fields, in: table)
            var field = one.field
            field.name = BaseSchema.freeName(field.name, beside: table.fields.map(\.name))
            var fields = table.fields
            fields.insert(field, at: min(one.position, fields.count))
            base = base.replacing(table.changed(fields: fields))
        }
        return base
    }

    // MARK: tables

    private func restoreTable(_ entry: TrashEntry, in base: BaseSchema) throws(APIError) -> TrashEntry {
        guard base.tables.count < Engine.mostTables else {
            throw .invalidRequest("The base is full of tables: delete one first.")
        }
        let id = TableID(text: entry.id)
        let name = BaseSchema.freeName(entry.name, beside: base.tables.map(\.name))
        let hidden = try session.writer.hiddenFields(of: entry)
        let table = try session.writer.restoreTable(id, in: base.id, named: name)
        guard let whole = session.writer.schema.base(base.id) else { throw .internalError }
        // Links to a table that went meanwhile wait for that one, both sides.
        let waiting = table.fields.filter { Self.missing($0, of: id, in: whole) != nil }
        let lost = Set(waiting.map(\.id))
        var changed = whole.replacing(table.changed(fields: table.fields.filter { !lost.contains($0.id) }))
        changed = try adding(hidden.filter { Self.missing($0.field, of: $0.table, in: whole) == nil }, to: changed)
        try session.put(Settling.settled(changed))
        let apart = waiting.map { (FieldPlace(table: id, field: $0.id), $0) } + hidden.map { ($0.place, $0.field) }
        let left = Dictionary(grouping: apart) { Self.missing($0.1, of: $0.0.table, in: whole) }
        for case (let other?, let fields) in left {
            try leave(fields.map(\.0), with: other)
        }
        let restored = session.writer.schema.base(base.id)?.table(id) ?? table
        try session.log(
            .restoreTable, table: restored, schema: SchemaChange(before: nil, after: SchemaEncoder.table(restored)))
        try wakeAttachments(in: base.id, id)
        try session.writer.noteRestored(entry, named: name)
        return entry.restored(as: name)
    }

    /// The table of the field, or the one that it links to, where the base has it no more.
    private static func missing(_ field: Field, of table: TableID, in base: BaseSchema) -> TableID? {
        [table, field.linkedTableID].compactMap { $0 }.first { base.table($0) == nil }
    }

    /// Hands fields on to a table that is still in the trash.
    private func leave(_ fields: [FieldPlace], with table: TableID) throws(APIError) {
        let always = Instant(milliseconds: 0)
        let found = try session.writer.trash(.newest(.table, table.text), since: always, limit: 1).first
        // One on its way out takes its links with it.
        guard let entry = found, !entry.isRestored else { return }
        try session.writer.leave(fields, with: entry)
    }

    // MARK: bases

    func restoreBase(_ reference: TrashReference) throws(APIError) -> [TrashEntry] {
        guard case .base(let id) = reference, session.caller.reaches(id) else {
            throw .invalidPermissionsOrModelNotFound
        }
        guard session.caller.holds(.schemaWrite) else { throw .invalidPermissions }
        guard let entry = try session.writer.trash(.newest(.base, id.text), since: since, limit: 1).first else {
            throw .notInTrash
        }
        if entry.isRestored { return [entry] }
        let base = try session.writer.restoreBase(id)
        try session.writer.append(
            Change(
                kind: .restoreBase, base: id, table: nil, user: session.caller.user.id, token: session.caller.token,
                schema: SchemaChange(before: nil, after: SchemaEncoder.createdBase(base))))
        try wakeAttachments(in: id)
        try session.writer.noteRestored(entry, named: entry.name)
        return [entry.restored(as: entry.name)]
    }
}

extension HiddenField {
    fileprivate var place: FieldPlace { FieldPlace(table: table, field: field.id) }
}

extension TrashEntry {
    fileprivate func restored(as name: String) -> TrashEntry {
        TrashEntry(
            number: number, kind: kind, id: id, base: base, table: table, name: name, deletion: deletion,
            deletedTime: deletedTime, deletedBy: deletedBy, isRestored: true)
    }
}
