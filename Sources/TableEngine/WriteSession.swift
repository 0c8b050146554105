import CivilTime
import Cryptography
import RowhouseJSON
package import RowhouseModel
import RowhouseWire
import Storage

/// One write in progress: the writer's transaction, who writes, and the rules that all record writes share.
struct WriteSession {
    let writer: any StorageWriter
    let caller: Caller
    let zones: TimeZoneDatabase
    let formulas: FormulaCache
    /// What the computed cells of the answer may use up.
    var budget = ComputedBudget.written
    let links = LinkAllowance()
    let attachments: AttachmentWrites

    /// The table as the transaction knows it now.
    func table(_ reference: TableReference, in base: BaseID, scope: Scope) throws(APIError) -> TableSchema {
        try Engine.table(reference, in: base, of: writer.schema, scope: scope, as: caller)
    }

    /// Reads the cells that requests sent; choices that typecast has to make are added to the table first, records
    /// that it has to make are added to the tables that links lead to.
    ///
    /// - Returns: the table (with its new choices) and, a record, the field positions and values sent.
    func cells(
        of records: [RecordInput], in table: TableSchema, typecast: Bool
    ) throws(APIError) -> (table: TableSchema, cells: [[(field: Int, value: StoredCell)]]) {
        let positions = try positions(of: records, in: table)
        var context = CellContext(
            typecast: typecast, users: writer.users, zones: zones, makeChoiceID: { Engine.randomID() })
        var linked = LinkedNames(self, base: table.base)
        var cells: [[(field: Int, value: StoredCell)]] = []
        for (record, positions) in zip(records, positions) {
            var values: [(field: Int, value: StoredCell)] = []
            for ((_, value), position) in zip(record.fields, positions) {
                let field = table.fields[position]
                let cell =
                    switch field.type {
                    case .multipleRecordLinks where typecast: try linked.cell(value, for: field)
                    case .multipleAttachments: try attachments.cell(value, for: field, typecast: typecast, writer)
                    default: try CellDecoder.decode(value, for: field, in: &context)
                    }
                values.append((position, cell))
            }
            cells.append(values)
        }
        try linked.log()
        return (try adding(context.addedChoices, to: table), cells)
    }

    /// Names are resolved for all records before any value is read: an unknown name is the first thing to be told.
    private func positions(of records: [RecordInput], in table: TableSchema) throws(APIError) -> [[Int]] {
        var all: [[Int]] = []
        for record in records {
            var positions: [Int] = []
            for (name, _) in record.fields { positions.append(try Engine.field(name, of: table)) }
            guard Set(positions).count == positions.count else {
                throw .invalidRequest("A field is named twice.")
            }
            all.append(positions)
        }
        return all
    }

    private func adding(
        _ choices: [FieldID: [SelectChoice]], to table: TableSchema
    ) throws(APIError) -> TableSchema {
        guard !choices.isEmpty else { return table }
        var fields = table.fields
        for (id, added) in choices {
            guard let index = table.index(of: id) else { continue }
            let given = fields[index].greatestChoiceNumber
            fields[index].options = .choices(fields[index].choices + added, given: given)
        }
        return try replace(table, by: table.changed(fields: fields))
    }

    /// Adds records.
    func insert(
        _ cells: [[(field: Int, value: StoredCell)]], in table: TableSchema
    ) throws(APIError) -> [RecordChange] {
        for cell in cells.joined() { try checkLinks(cell.value, for: table.fields[cell.field], in: table.base) }
        var records: [NewRecord] = []
        for cells in cells {
            let id = writer.newRecordID()
            let adopted = try adopted(cells, of: id, in: table)
            records.append(NewRecord(id: id, cells: adopted.filter { $0.value != .empty }))
        }
        try writer.insert(records, in: table, by: caller.user.id)
        return records.map { record in
            RecordChange(
                record: record.id, cells: record.cells.map { (table.fields[$0.field].id, .empty, $0.value) },
                isCreation: true)
        }
    }

    /// Changes the cells that differ, and tells what changed; nothing for a record that stays as it is.
    ///
    /// - Throws: `missing` when a record does not exist.
    func update(
        _ updates: [(id: RecordID, cells: [(field: Int, value: StoredCell)])], in table: TableSchema,
        missing: (RecordID) -> APIError
    ) throws(APIError) -> [RecordChange] {
        var changes: [RecordChange] = []
        for (id, cells) in updates {
            let fields = cells.map(\.field)
            guard let before = try writer.record(id, in: table, fields: fields) else { throw missing(id) }
            let cells = try adopted(cells, of: id, in: table, before)
            let changed = cells.enumerated().filter { before.cell(record: 0, field: $0.offset) != $0.element.value }
            guard !changed.isEmpty else { continue }
            for (index, cell) in changed {
                let old = before.cell(record: 0, field: index)
                try checkLinks(cell.value, before: old, for: table.fields[cell.field], in: table.base)
            }
            try writer.update(id, in: table, cells: changed.map(\.element), by: caller.user.id)
            changes.append(
                RecordChange(
                    record: id,
                    cells: changed.map { index, cell in
                        (table.fields[cell.field].id, before.cell(record: 0, field: index), cell.value)
                    }))
        }
        return changes
    }

    /// Logs what one request did to records, as one entry; nothing when it changed nothing.
    func log(_ kind: Change.Kind, of changes: [RecordChange], in table: TableSchema) throws(APIError) {
        if !changes.isEmpty { try log(kind, table: table, records: changes) }
    }

    func log(
        _ kind: Change.Kind, table: TableSchema, records: [RecordChange] = [], schema: SchemaChange? = nil
    ) throws(APIError) {
        try writer.append(
            Change(
                kind: kind, base: table.base, table: table.id, user: caller.user.id, token: caller.token,
                records: records, schema: schema))
    }

    /// What was answered before under the same key.
    func earlierAnswer(_ idempotency: Idempotency?) throws(APIError) -> [UInt8]? {
        guard let idempotency,
            let earlier = try writer.answer(idempotencyKey: idempotency.key, token: caller.token)
        else { return nil }
        guard earlier.fingerprint == idempotency.fingerprint else { throw .idempotencyConflict() }
        return earlier.body
    }

    /// Keeps an answer with the write that it tells of.
    func keep(_ answer: [UInt8], _ idempotency: Idempotency?) throws(APIError) {
        guard let idempotency else { return }
        try writer.save(
            StoredAnswer(fingerprint: idempotency.fingerprint, body: answer), idempotencyKey: idempotency.key,
            token: caller.token)
    }

    /// The records as they are now, in this order, with some of their fields or all.
    func written(
        _ ids: [RecordID], in table: TableSchema, _ presentation: RecordPresentation,
        fields: [Int]? = nil, upsert: (created: [RecordID], updated: [RecordID])? = nil
    ) throws(APIError) -> WrittenRecords {
        let shape = RecordShape(table: table, positions: fields ?? table.positions)
        let plan = formulas.plan(table, shape.positions, as: presentation, in: writer.schema)
        var (batch, isCutShort) =
            if let plan { try computed(plan, ids, presentation) } else {
                (try writer.records(ids, in: table, fields: shape.positions), false)
            }
        if presentation.commentCount { batch.commentCounts = try writer.commentCounts(of: batch.ids, in: table.id) }
        var written = WrittenRecords(
            batch: batch, users: writer.users, upsert: upsert, shape: shape, isCutShort: isCutShort)
        written.hasFailedAttachments = attachments.hasFailed
        return written
    }
}

extension Engine: EarlierAnswers {
    package func earlierAnswer(_ idempotency: Idempotency, as caller: Caller) throws(APIError) -> [UInt8]? {
        let earlier = try storage.readEach { (reader) throws(APIError) in
            try reader.answer(idempotencyKey: idempotency.key, token: caller.token)
        }
        return earlier?.fingerprint == idempotency.fingerprint ? earlier?.body : nil
    }

    /// Runs one write and waits until it is on disk. Under an idempotency key the answer is kept with it, and a second
    /// call with the key gets that answer instead.
    func write<Value: Sendable>(
        as caller: Caller, idempotency: Idempotency?,
        answer: @escaping @Sendable (Value) throws(APIError) -> [UInt8],
        _ body: @escaping @Sendable (WriteSession) throws(APIError) -> Value
    ) throws(APIError) -> Written<Value> {
        let (written, isToFetch) = try storage.write { [self] (writer) throws(APIError) -> (Written<Value>, Bool) in
            var session = session(writer, as: caller)
            if idempotency != nil { session.budget = .kept }
            if let earlier = try session.earlierAnswer(idempotency) { return (.before(earlier), false) }
            let value = try body(session)
            if idempotency != nil { try session.keep(try answer(value), idempotency) }
            return (.now(value), session.attachments.isToFetch)
        }
        if isToFetch { files?.fetcher?.wake() }
        return written
    }

    func session(_ writer: any StorageWriter, as caller: Caller) -> WriteSession {
        WriteSession(
            writer: writer, caller: caller, zones: zones, formulas: formulas,
            attachments: AttachmentWrites(links: links, fetcher: files?.fetcher))
    }

    static func randomID<ID: EntityID>() -> ID {
        let (high, low) = RandomBytes.words()
        return ID(text: IdentifierText(random: high, low))
    }
}
