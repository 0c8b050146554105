import HTTPCore
import RowhouseModel
import RowhouseWire

extension APIHandler {
    func views(_ route: Route.BaseRoute, _ base: BaseID, _ call: Call) async throws(APIError) -> Response {
        let schema = try await services.schemas.baseSchema(base, as: call.caller)
        let visible = includes("visibleFieldIds", call)
        guard case .view(let id) = route else {
            return .json(SchemaEncoder.views(of: schema.tables, visibleFieldIDs: visible))
        }
        for table in schema.tables {
            if let view = table.views.first(where: { $0.id == id }) {
                return .json(SchemaEncoder.view(view, of: table, visibleFieldIDs: visible))
            }
        }
        throw .modelNotFound("View")
    }

    func createView(_ table: TableReference, _ base: BaseID, _ call: Call) async throws(APIError) -> Response {
        let input = try SchemaDecoder.view(try RecordDecoder.object(call.request.body))
        return try respond(
            try await services.schemas.createView(
                input, table: table, in: base, as: call.caller, idempotency: try call.idempotency())
        ) { (shown) throws(APIError) in SchemaEncoder.view(shown) }
    }

    func updateView(
        _ view: ViewReference, _ table: TableReference, _ base: BaseID, _ call: Call
    ) async throws(APIError) -> Response {
        let input = try SchemaDecoder.view(try RecordDecoder.object(call.request.body))
        return try respond(
            try await services.schemas.updateView(
                view, input, table: table, in: base, as: call.caller, idempotency: try call.idempotency())
        ) { (shown) throws(APIError) in SchemaEncoder.view(shown) }
    }

    func deleteView(
        _ view: ViewReference, _ table: TableReference?, _ base: BaseID, _ call: Call
    ) async throws(APIError) -> Response {
        try respond(
            try await services.schemas.deleteView(
                view, table: table, in: base, as: call.caller, idempotency: try call.idempotency())
        ) { (id) throws(APIError) in encoder.deleted(id) }
    }
}
