package import RowhouseModel
import RowhouseWire
import Storage

extension Engine: SchemaOperations {
    package func listBases(as caller: Caller) throws(APIError) -> [BaseSchema] {
        guard caller.holds(.schemaRead) else { throw .invalidPermissions }
        return storage.schema.bases.filter { caller.reaches($0.id) }
    }

    package func baseSchema(_ base: BaseID, as caller: Caller) throws(APIError) -> BaseSchema {
        // Told to whoever may read schemas, and to whoever may read about bases and their views.
        let scope = caller.holds(.workspacesRead) ? Scope.workspacesRead : .schemaRead
        return try Self.base(base, of: storage.schema, scope: scope, as: caller)
    }

    package func createBase(
        _ request: CreateBaseRequest, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<BaseSchema> {
        // A token for certain bases could not see what it makes.
        guard caller.holds(.schemaWrite), caller.bases == nil else { throw .invalidPermissions }
        guard Self.isName(request.name) else { throw .invalidRequest }
        return try write(as: caller, idempotency: idempotency) { (base) throws(APIError) in
            SchemaEncoder.createdBase(base)
        } _: { (session) throws(APIError) in
            try session.add(try session.newBase(request))
        }
    }

    package func deleteBase(
        _ base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<BaseID> {
        let encoder = encoder
        return try write(as: caller, idempotency: idempotency) { (id) throws(APIError) in
            encoder.deleted(id)
        } _: { (session) throws(APIError) in
            let found = try Self.base(base, of: session.writer.schema, scope: .workspacesWrite, as: caller)
            try session.writer.deleteBase(base)
            try session.discard(found)
            try session.writer.append(
                Change(
                    kind: .deleteBase, base: base, table: nil, user: caller.user.id, token: caller.token,
                    schema: SchemaChange(before: SchemaEncoder.createdBase(found), after: nil)))
            return base
        }
    }

    package func createTable(
        _ input: TableInput, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<TableSchema> {
        try write(as: caller, idempotency: idempotency) { (table) throws(APIError) in
            SchemaEncoder.table(table)
        } _: { (session) throws(APIError) in
            let found = try Self.base(base, of: session.writer.schema, scope: .schemaWrite, as: caller)
            var targets = LinkTargets(found.tables)
            targets.tables.append(.init(id: Self.randomID(), name: input.name))
            let made = try session.newTable(
                input, id: targets.tables[found.tables.count].id, in: base, beside: found.tables, targets: targets)
            let changed = Settling.settled(
                try found.replacing(made).addingInverses(of: made.fields.map(\.id), in: made.id))
            guard let table = changed.table(made.id) else { throw .internalError }
            try session.requireValid(fieldsOf: table)
            try session.writer.createTable(table)
            try session.log(
                .createTable, table: table, schema: SchemaChange(before: nil, after: SchemaEncoder.table(table)))
            try session.put(changed)
            return table
        }
    }

    package func updateTable(
        _ request: UpdateTableRequest, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<TableSchema> {
        guard request.name != nil || request.description != nil else { throw .invalidRequest }
        return try write(as: caller, idempotency: idempotency) { (table) throws(APIError) in
            SchemaEncoder.table(table)
        } _: { (session) throws(APIError) in
            let table = try session.table(request.table, in: request.base, scope: .schemaWrite)
            if let name = request.name {
                let others = session.writer.schema.base(request.base)?.tables.filter { $0.id != table.id } ?? []
                try Self.checkTableName(name, beside: others)
            }
            return try session.replace(table, by: table.changed(name: request.name, description: request.description))
        }
    }

    package func deleteTable(
        _ reference: TableReference, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<TableID> {
        let encoder = encoder
        return try write(as: caller, idempotency: idempotency) { (id) throws(APIError) in
            encoder.deleted(id)
        } _: { (session) throws(APIError) in
            let table = try session.table(reference, in: base, scope: .schemaWrite)
            guard let schema = session.writer.schema.base(base) else { throw .internalError }
            let changed = try session.put(schema.removingLinks(to: table.id))
            try session.writer.deleteTable(table.id, in: base)
            try session.discard(table, schema.fields(missingIn: changed))
            try session.log(
                .deleteTable, table: table, schema: SchemaChange(before: SchemaEncoder.table(table), after: nil))
            return table.id
        }
    }

    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= longestName && !name.utf8.contains(0)
    }

    static func checkTableName(_ name: String, beside tables: [TableSchema]) throws(APIError) {
        let folded = name.lowercased()
        guard isName(name), !tables.contains(where: { $0.name.lowercased() == folded }) else {
            throw .duplicateTableName
        }
    }
}

extension WriteSession {
    /// The base that a request describes, not yet kept.
    func newBase(_ request: CreateBaseRequest) throws(APIError) -> BaseSchema {
        let id: BaseID = Engine.randomID()
        let workspace = WorkspaceID(request.workspace) ?? WorkspaceID(text: IdentifierText(time: 0, counter: 0))
        let targets = LinkTargets(request.tables.map { .init(id: Engine.randomID(), name: $0.name) })
        var tables: [TableSchema] = []
        for (input, target) in zip(request.tables, targets.tables) {
            tables.append(try newTable(input, id: target.id, in: id, beside: tables, targets: targets))
        }
        var base = BaseSchema(
            id: id, name: request.name, workspace: workspace, createdTime: writer.now, tables: tables)
        for table in tables { base = try base.addingInverses(of: table.fields.map(\.id), in: table.id) }
        base = Settling.settled(base)
        for table in base.tables { try requireValid(fieldsOf: table) }
        return base
    }

    /// Keeps a new base.
    func add(_ base: BaseSchema) throws(APIError) -> BaseSchema {
        try writer.createBase(base)
        try writer.append(
            Change(
                kind: .createBase, base: base.id, table: nil, user: caller.user.id, token: caller.token,
                schema: SchemaChange(before: nil, after: SchemaEncoder.createdBase(base))))
        return base
    }
}
