import RowhouseJSON
package import RowhouseModel
import RowhouseWire
import Storage

extension Engine {
    package func createField(
        _ input: FieldInput, table: TableReference, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<Field> {
        try write(as: caller, idempotency: idempotency) { (field) throws(APIError) in
            SchemaEncoder.field(field)
        } _: { (session) throws(APIError) in
            let table = try session.table(table, in: base, scope: .schemaWrite)
            guard table.fields.count < Self.mostFields else { throw .invalidRequest("The table is full of fields.") }
            guard let schema = session.writer.schema.base(base) else { throw .internalError }
            let made = try session.newField(
                input, in: table.name, beside: table.fields, targets: LinkTargets(schema.tables))
            let field = try session.resolved(made, among: table.fields, of: table.name, in: base)
            let changed = try schema.replacing(table.changed(fields: table.fields + [field]))
                .addingInverses(of: [field.id], in: table.id)
            guard let settled = try session.put(changed).table(table.id) else { throw .internalError }
            try session.requireValid(field.id, in: settled)
            return settled.field(field.id) ?? field
        }
    }

    package func updateField(
        _ request: UpdateFieldRequest, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<Field> {
        guard request.name != nil || request.description != nil || request.options != nil || request.type != nil else {
            throw .invalidRequest
        }
        let known = try Self.table(request.table, in: request.base, of: storage.schema, scope: .schemaWrite, as: caller)
        let field = known.fields[try Self.pathField(request.field, of: known)]
        if request.changesCells(of: field) {
            return try Retyping(engine: self, request: request, caller: caller, idempotency: idempotency).perform()
        }
        do throws(APIError) {
            return try changeField(request, as: caller, idempotency: idempotency)
        } catch {
            // Another call changed it meanwhile, so that now its cells have to change.
            guard error == .retriable, CellConversion.isPossible(from: field.type, to: field.type) else { throw error }
            return try Retyping(engine: self, request: request, caller: caller, idempotency: idempotency).perform()
        }
    }

    /// Changes what does not change the cells' type.
    private func changeField(
        _ request: UpdateFieldRequest, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<Field> {
        let written = try write(as: caller, idempotency: idempotency) { (change) throws(APIError) in
            SchemaEncoder.field(change.field)
        } _: { (session) throws(APIError) in
            let table = try session.table(request.table, in: request.base, scope: .schemaWrite)
            let index = try Self.pathField(request.field, of: table)
            guard !request.changesCells(of: table.fields[index]) else { throw .retriable }
            let field = try session.changed(table.fields[index], request, in: table)
            var fields = table.fields
            let gone = Set(fields[index].choices.map(\.number)).subtracting(field.choices.map(\.number))
            fields[index] = field
            let changed = try session.replace(table, by: table.changed(fields: fields))
            if request.options != nil { try session.requireValid(field.id, in: changed) }
            return FieldChange(field: changed.field(field.id) ?? field, table: table.id, goneChoices: gone)
        }
        switch written {
        case .before(let body): return .before(body)
        case .now(let change):
            if !change.goneChoices.isEmpty { clearChoices(change, of: request, as: caller) }
            return .now(change.field)
        }
    }

    /// Takes choices that are gone out of the cells and logs what each record held, by short writes.
    ///
    /// Cells that still hold the number of a choice that is gone show nothing, and the number is never given again; where
    /// this is cut off housekeeping goes on with it, and nothing is lost but entries of the log.
    private func clearChoices(_ change: FieldChange, of request: UpdateFieldRequest, as caller: Caller) {
        var next: Int64? = 0
        while let after = next {
            let cleared = try? storage.write { [self] (writer) throws(APIError) -> Int64? in
                guard let table = writer.schema.base(request.base)?.table(change.table) else { return nil }
                let (changes, next) = try writer.removeChoices(
                    change.goneChoices, of: change.field.id, in: table, after: after)
                try session(writer, as: caller).log(.updateRecords, of: changes, in: table)
                return next
            }
            next = cleared ?? nil
        }
    }

    package func deleteField(
        _ field: FieldID, table: TableReference, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<FieldID> {
        let encoder = encoder
        return try write(as: caller, idempotency: idempotency) { (id) throws(APIError) in
            encoder.deleted(id)
        } _: { (session) throws(APIError) in
            let table = try session.table(table, in: base, scope: .schemaWrite)
            let field = table.fields[try Self.pathField(field, of: table)]
            guard field.id != table.primaryFieldID else {
                throw .invalidRequest("The primary field cannot be deleted.")
            }
            guard let schema = session.writer.schema.base(base) else { throw .internalError }
            let changed = try session.put(schema.removing(field.id, from: table.id))
            try session.discard(field, of: table, schema.fields(missingIn: changed))
            return field.id
        }
    }

    /// The field that a path names.
    static func pathField(_ id: FieldID, of table: TableSchema) throws(APIError) -> Int {
        guard let index = table.index(of: id) else { throw .invalidPermissionsOrModelNotFound }
        return index
    }
}

/// What a change of a field's options did: the numbers of choices that are gone.
private struct FieldChange: Sendable {
    let field: Field
    let table: TableID
    let goneChoices: Set<Int>
}

extension WriteSession {
    /// A table as asked for, with one grid view; not yet in the store, and its links still without their other sides.
    func newTable(
        _ input: TableInput, id: TableID, in base: BaseID, beside tables: [TableSchema], targets: LinkTargets
    ) throws(APIError) -> TableSchema {
        try Engine.checkTableName(input.name, beside: tables)
        guard tables.count < Engine.mostTables, (1...Engine.mostFields).contains(input.fields.count) else {
            throw .invalidRequest("A base holds up to 1,000 tables, a table 1 to 500 fields.")
        }
        var fields: [Field] = []
        for field in input.fields {
            fields.append(try newField(field, in: input.name, beside: fields, targets: targets))
        }
        for (place, field) in fields.enumerated() {
            fields[place] = try resolved(field, among: fields, of: input.name, in: base)
        }
        guard fields[0].type.canBePrimary else {
            throw .invalidFieldOptions(
                table: input.name, field: fields[0].name,
                "a \(fields[0].type.rawValue) field cannot be the primary field")
        }
        return TableSchema(
            id: id, base: base, name: input.name, description: input.description,
            primaryFieldID: fields[0].id, fields: fields,
            views: [View(id: Engine.randomID(), name: "Grid view", type: "grid")], version: 1)
    }

    /// A field as asked for; not yet in the store.
    func newField(
        _ input: FieldInput, in table: String, beside fields: [Field], targets: LinkTargets
    ) throws(APIError) -> Field {
        try checkFieldName(input.name, beside: fields)
        guard let type = FieldType(rawValue: input.type) else { throw .invalidRequest("Unknown field type.") }
        let options =
            type == .multipleRecordLinks
            ? FieldOptions.links(try targets.options(of: input, in: table))
            : try decoder(table, input.name).decode(input.options, type: type)
        return Field(
            id: Engine.randomID(), name: input.name, type: type, options: options, description: input.description)
    }

    /// The field with what the request changes.
    func changed(_ field: Field, _ request: UpdateFieldRequest, in table: TableSchema) throws(APIError) -> Field {
        var changed = field
        if let name = request.name {
            try checkFieldName(name, beside: table.fields.filter { $0.id != field.id })
            changed.name = name
        }
        if let description = request.description { changed.description = description }
        if let options = request.options, case .links(let links) = field.options {
            let input = try LinkOptionsInput(options, table: table.name, field: changed.name)
            changed.options = .links(
                try LinkTargets(writer.schema.base(table.base)?.tables ?? [])
                    .options(changing: links, to: input, table: table.name, field: changed.name))
        } else if let options = request.options {
            changed.options = try decoder(table.name, changed.name)
                .decode(options, type: field.type, existing: field.choices, given: field.greatestChoiceNumber)
                .remembering(field.options)
            changed = try resolved(changed, among: table.fields, of: table.name, in: table.base)
        }
        return changed
    }

    /// Puts the changed table in place and logs both forms; computed fields of the base are settled.
    func replace(_ table: TableSchema, by changed: TableSchema) throws(APIError) -> TableSchema {
        guard let base = writer.schema.base(table.base) else { throw .internalError }
        return try put(base.replacing(changed)).table(table.id) ?? changed
    }

    func decoder(_ table: String, _ field: String) -> FieldOptionsDecoder {
        FieldOptionsDecoder(table: table, field: field, zones: zones, makeChoiceID: { Engine.randomID() })
    }

    func checkFieldName(_ name: String, beside fields: [Field]) throws(APIError) {
        let folded = name.lowercased()
        guard Engine.isName(name), !fields.contains(where: { $0.name.lowercased() == folded }) else {
            throw .duplicateOrEmptyFieldName
        }
    }
}

extension FieldOptions {
    /// The options as someone wrote them, still watching the fields that are gone where only what a read shows was
    /// written back.
    fileprivate func remembering(_ before: FieldOptions) -> FieldOptions {
        guard case .lastModifiedTime(let watched, let gone, _) = before,
            case .lastModifiedTime(let written, _, let result) = self,
            written == watched.filter({ !gone.contains($0) }), !written.isEmpty
        else { return self }
        return .lastModifiedTime(referencedFieldIDs: watched, gone: gone, result: result)
    }
}

extension UpdateFieldRequest {
    /// Whether the cells of the field have to be made anew: for another type, or since its ratings may be lower only.
    func changesCells(of field: Field) -> Bool {
        if let type, type != field.type.rawValue { return true }
        guard case .rating(_, let most, _) = field.options, let max = options?["max"]?.numberValue else { return false }
        return max < Double(most)
    }
}

extension TableSchema {
    /// The field with this id.
    func field(_ id: FieldID) -> Field? { index(of: id).map { fields[$0] } }
}
