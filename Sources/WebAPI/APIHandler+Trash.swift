import HTTPCore
import RowhouseJSON
import RowhouseModel
import RowhouseWire

extension APIHandler {
    private static let longestPage = 100

    func listTrash(of base: BaseID?, _ call: Call) async throws(APIError) -> Response {
        let page = try await services.trash.listTrash(
            of: base, pageSize: try pageSize(call), offset: offset(call), as: call.caller)
        return .json(TrashEncoder.page(page))
    }

    func restore(_ reference: TrashReference, in base: BaseID?, _ call: Call) async throws(APIError) -> Response {
        try respond(
            try await services.trash.restore(
                reference, in: base, as: call.caller, idempotency: try call.idempotency())
        ) { (restoration) throws(APIError) in TrashEncoder.restoration(restoration) }
    }

    func history(
        of record: RecordID, _ base: BaseID, _ table: TableReference, _ call: Call
    ) async throws(APIError) -> Response {
        let request = RecordHistoryRequest(
            base: base, table: table, record: record, pageSize: try pageSize(call), offset: offset(call))
        let page = try await services.history.recordHistory(request, as: call.caller)
        return .json(HistoryEncoder.page(page, links: links))
    }

    /// The body says which cell, `{"fieldId":"fld…"}` (or a name), and with `"value":"after"` that what the entry made
    /// of it is wanted and not what it was before.
    func restoreCell(
        of record: RecordID, _ entry: ChangeID, _ base: BaseID, _ table: TableReference, _ call: Call
    ) async throws(APIError) -> Response {
        let body = try RecordDecoder.object(call.request.body)
        guard let field = body["fieldId"]?.stringValue else { throw .missingField("fieldId") }
        var value = RestoreCellRequest.Value.before
        if let wanted = body["value"], !wanted.isNull {
            guard let known = wanted.stringValue.flatMap({ RestoreCellRequest.Value(rawValue: $0) }) else {
                throw .invalidRequest
            }
            value = known
        }
        let request = RestoreCellRequest(
            base: base, table: table, record: record, entry: entry, field: field, value: value)
        let written = try await services.history.restoreCell(
            request, as: call.caller, idempotency: try call.idempotency())
        return try respond(written) { (written) throws(APIError) in
            try encoder.written(written, single: true, RecordPresentation())
        }
    }

    private func pageSize(_ call: Call) throws(APIError) -> Int {
        guard let text = call.query.last(where: { $0.name == "pageSize" })?.value, !text.isEmpty else {
            return Self.longestPage
        }
        guard let size = Int(text), (1...Self.longestPage).contains(size) else { throw .invalidRequest }
        return size
    }

    private func offset(_ call: Call) -> String? {
        let text = call.query.last { $0.name == "offset" }?.value
        return text?.isEmpty == false ? text : nil
    }
}
