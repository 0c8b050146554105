import HTTPCore
import RowhouseJSON
import RowhouseModel
import RowhouseWire

extension APIHandler {
    private static let basesPerPage = 1_000

    func answer(_ route: Route.BaseRoute, _ base: BaseID, _ call: Call) async throws(APIError) -> Response {
        switch route {
        case .info: return try await info(base, call)
        case .tables:
            let schema = try await services.schemas.baseSchema(base, as: call.caller)
            return .json(SchemaEncoder.tables(schema, visibleFieldIDs: includes("visibleFieldIds", call)))
        case .views, .view: return try await views(route, base, call)
        case .delete:
            return try respond(
                try await services.schemas.deleteBase(base, as: call.caller, idempotency: try call.idempotency())
            ) { (id) throws(APIError) in encoder.deleted(id) }
        case .createTable:
            let input = try SchemaDecoder.table(.object(try RecordDecoder.object(call.request.body)))
            return try respond(
                try await services.schemas.createTable(
                    input, in: base, as: call.caller, idempotency: try call.idempotency())
            ) { (table) throws(APIError) in SchemaEncoder.table(table) }
        case .updateTable(let table): return try await updateTable(table, base, call)
        case .deleteTable(let table):
            return try respond(
                try await services.schemas.deleteTable(
                    table, in: base, as: call.caller, idempotency: try call.idempotency())
            ) { (id) throws(APIError) in encoder.deleted(id) }
        case .createField(let table):
            let input = try SchemaDecoder.field(.object(try RecordDecoder.object(call.request.body)))
            return try respond(
                try await services.schemas.createField(
                    input, table: table, in: base, as: call.caller, idempotency: try call.idempotency())
            ) { (field) throws(APIError) in SchemaEncoder.field(field) }
        case .updateField(let table, let field): return try await updateField(field, table, base, call)
        case .deleteField(let table, let field):
            return try respond(
                try await services.schemas.deleteField(
                    field, table: table, in: base, as: call.caller, idempotency: try call.idempotency())
            ) { (id) throws(APIError) in encoder.deleted(id) }
        case .createView(let table): return try await createView(table, base, call)
        case .updateView(let table, let view): return try await updateView(view, table, base, call)
        case .deleteView(let table, let view): return try await deleteView(view, table, base, call)
        case .trash: return try await listTrash(of: base, call)
        case .restore(let reference): return try await restore(reference, in: base, call)
        case .deleteViewOfBase(let view): return try await deleteView(view, nil, base, call)
        }
    }

    private func updateTable(_ table: TableReference, _ base: BaseID, _ call: Call) async throws(APIError) -> Response {
        let body = try RecordDecoder.object(call.request.body)
        let request = UpdateTableRequest(
            base: base, table: table, name: try SchemaDecoder.name(body),
            description: try SchemaDecoder.description(body))
        return try respond(
            try await services.schemas.updateTable(request, as: call.caller, idempotency: try call.idempotency())
        ) { (table) throws(APIError) in SchemaEncoder.table(table) }
    }

    private func updateField(
        _ field: FieldID, _ table: TableReference, _ base: BaseID, _ call: Call
    ) async throws(APIError) -> Response {
        let body = try RecordDecoder.object(call.request.body)
        let request = UpdateFieldRequest(
            base: base, table: table, field: field, name: try SchemaDecoder.name(body),
            description: try SchemaDecoder.description(body), options: try SchemaDecoder.options(body),
            type: try type(body))
        if try RecordDecoder.flag(call.query.last { $0.name == "preview" }?.value ?? "") {
            return .json(SchemaEncoder.report(try await services.schemas.previewRetyping(request, as: call.caller)))
        }
        return try respond(
            try await services.schemas.updateField(request, as: call.caller, idempotency: try call.idempotency())
        ) { (field) throws(APIError) in SchemaEncoder.field(field) }
    }

    private func type(_ body: JSONObject) throws(APIError) -> String? {
        switch body["type"] {
        case nil, .null: return nil
        case .string(let type): return type
        default: throw .invalidRequest
        }
    }

    func createBase(_ call: Call) async throws(APIError) -> Response {
        let request = try SchemaDecoder.createBase(try RecordDecoder.object(call.request.body))
        return try respond(
            try await services.schemas.createBase(request, as: call.caller, idempotency: try call.idempotency())
        ) { (base) throws(APIError) in SchemaEncoder.createdBase(base) }
    }

    func listBases(_ call: Call) async throws(APIError) -> Response {
        var bases = try await services.schemas.listBases(as: call.caller)[...]
        if let offset = call.query.first(where: { $0.name == "offset" })?.value, !offset.isEmpty {
            guard let place = bases.firstIndex(where: { $0.id.description == offset }) else {
                throw .invalidOffset(offset)
            }
            bases = bases[(place + 1)...]
        }
        let page = Array(bases.prefix(Self.basesPerPage))
        let next = bases.count > page.count ? page.last?.id.description : nil
        return .json(SchemaEncoder.bases(page, offset: next))
    }

    func whoami(_ call: Call) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("id")
        writer.string(call.caller.user.id.description)
        if call.caller.holds(.userEmailRead) {
            writer.key("email")
            writer.string(call.caller.user.email)
        }
        writer.endObject()
        return .json(writer.bytes)
    }

    private func info(_ base: BaseID, _ call: Call) async throws(APIError) -> Response {
        let schema = try await services.schemas.baseSchema(base, as: call.caller)
        let included = BaseInfoEncoder.Included(
            collaborators: includes("collaborators", call), inviteLinks: includes("inviteLinks", call),
            interfaces: includes("interfaces", call))
        return .json(BaseInfoEncoder.encode(schema, users: services.callers.users(), included: included))
    }

    func includes(_ name: String, _ call: Call) -> Bool {
        call.query.contains { ($0.name == "include" || $0.name.hasPrefix("include[")) && $0.value == name }
    }
}

extension Route.BaseRoute {
    /// The table that the path names.
    var table: TableReference? {
        switch self {
        case .updateTable(let table), .deleteTable(let table), .createField(let table), .updateField(let table, _),
            .deleteField(let table, _), .createView(let table), .updateView(let table, _), .deleteView(let table, _):
            table
        case .info, .delete, .tables, .createTable, .views, .view, .deleteViewOfBase, .trash, .restore: nil
        }
    }

    /// The scope that the call needs.
    func scope(of caller: Caller) -> Scope {
        switch self {
        case .tables: .schemaRead
        case .trash: .recordsRead
        case .restore(.record): .recordsWrite
        // It depends on what was deleted, which is for the engine to see.
        case .restore(.deletion): caller.holds(.recordsWrite) ? .recordsWrite : .schemaWrite
        case .info, .views, .view: .workspacesRead
        case .delete, .deleteViewOfBase: .workspacesWrite
        case .createTable, .updateTable, .deleteTable, .createField, .updateField, .deleteField, .createView,
            .updateView, .deleteView, .restore:
            .schemaWrite
        }
    }
}
