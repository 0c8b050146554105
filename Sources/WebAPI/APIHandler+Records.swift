import HTTPCore
import RowhouseModel
import RowhouseWire

extension APIHandler {
    func handle(
        _ route: Route.RecordRoute, _ base: BaseID, _ table: TableReference, _ call: Call
    ) throws(APIError) -> Handling {
        switch route {
        case .list: return try list(base, table, call)
        case .listByPost: return try listByPost(base, table, call)
        case .get(let record): return try get(record, base, table, call)
        case .create: return later { () throws(APIError) in try await create(base, table, call) }
        case .updateBatch(let unnamed):
            return later { () throws(APIError) in try await updateBatch(base, table, unnamed, call) }
        case .update(let record, let unnamed):
            return later { () throws(APIError) in try await update(record, base, table, unnamed, call) }
        case .deleteBatch: return later { () throws(APIError) in try await deleteBatch(base, table, call) }
        case .delete(let record):
            let request = DeleteRecordsRequest(base: base, table: table, records: [record], isSingle: true)
            return later { () throws(APIError) in try await delete(request, call) }
        case .history(let record):
            return later { () throws(APIError) in try await history(of: record, base, table, call) }
        case .restoreCell(let record, let entry):
            return later { () throws(APIError) in try await restoreCell(of: record, entry, base, table, call) }
        }
    }

    // MARK: reads

    /// The longest answer with more than one record, in bytes.
    private static let longestPage = 16 << 20

    private func list(_ base: BaseID, _ table: TableReference, _ call: Call) throws(APIError) -> Handling {
        var request = ListRecordsRequest(base: base, table: table)
        try ListRecordsDecoder.decode(query: call.query, acceptsLimit: true, into: &request)
        return try answer(request, call)
    }

    private func listByPost(_ base: BaseID, _ table: TableReference, _ call: Call) throws(APIError) -> Handling {
        var request = ListRecordsRequest(base: base, table: table)
        let body = try RecordDecoder.object(call.request.body)
        try ListRecordsDecoder.decode(body: body, query: call.query, into: &request)
        return try answer(request, call)
    }

    private func answer(_ request: ListRecordsRequest, _ call: Call) throws(APIError) -> Handling {
        if let page = try services.immediate?.listRecordsNow(request, as: call.caller),
            case .whole(let body) = try encoder.list(page, request.presentation, limit: Self.longestPage)
        {
            return .now(.json(body))
        }
        return later { () throws(APIError) in .json(try await page(request, as: call.caller)) }
    }

    /// A page that would be too long is asked for once more with as many records as fit, so that its offset is theirs.
    private func page(_ request: ListRecordsRequest, as caller: Caller) async throws(APIError) -> [UInt8] {
        var request = request
        while true {
            let page = try await services.records.listRecords(request, as: caller)
            switch try encoder.list(page, request.presentation, limit: Self.longestPage) {
            case .whole(let body): return body
            case .tooLong(let fitting): request.pageSize = fitting
            }
        }
    }

    private func get(
        _ record: RecordID, _ base: BaseID, _ table: TableReference, _ call: Call
    ) throws(APIError) -> Handling {
        if call.query.contains(where: { $0.name == "fields" || $0.name.hasPrefix("fields[") }) {
            throw .invalidRequest
        }
        var request = GetRecordRequest(base: base, table: table, record: record)
        request.presentation = try ListRecordsDecoder.presentation(query: call.query)
        if let page = try services.immediate?.getRecordNow(request, as: call.caller) {
            return .now(.json(try encoder.record(page, request.presentation)))
        }
        let asked = request
        return later { () throws(APIError) in
            let page = try await services.records.getRecord(asked, as: call.caller)
            return .json(try encoder.record(page, asked.presentation))
        }
    }

    // MARK: writes

    private func create(_ base: BaseID, _ table: TableReference, _ call: Call) async throws(APIError) -> Response {
        let request = try RecordDecoder.create(
            try RecordDecoder.object(call.request.body), base: base, table: table,
            query: try ListRecordsDecoder.presentation(query: call.query))
        let written = try await services.records.createRecords(
            request, as: call.caller, idempotency: try call.idempotency())
        return try respond(written) { (written) throws(APIError) in
            try encoder.written(written, single: request.isSingle, request.presentation)
        }
    }

    private func updateBatch(
        _ base: BaseID, _ table: TableReference, _ unnamed: UpdateRecordsRequest.Unnamed, _ call: Call
    ) async throws(APIError) -> Response {
        try await update(
            try RecordDecoder.updateBatch(
                try RecordDecoder.object(call.request.body), base: base, table: table, unnamed: unnamed,
                query: try ListRecordsDecoder.presentation(query: call.query)), call)
    }

    private func update(
        _ record: RecordID, _ base: BaseID, _ table: TableReference, _ unnamed: UpdateRecordsRequest.Unnamed,
        _ call: Call
    ) async throws(APIError) -> Response {
        try await update(
            try RecordDecoder.updateOne(
                try RecordDecoder.object(call.request.body), record: record, base: base, table: table,
                unnamed: unnamed, query: try ListRecordsDecoder.presentation(query: call.query)), call)
    }

    private func update(_ request: UpdateRecordsRequest, _ call: Call) async throws(APIError) -> Response {
        let written = try await services.records.updateRecords(
            request, as: call.caller, idempotency: try call.idempotency())
        return try respond(written) { (written) throws(APIError) in
            try encoder.written(written, single: request.isSingle, request.presentation)
        }
    }

    private func deleteBatch(
        _ base: BaseID, _ table: TableReference, _ call: Call
    ) async throws(APIError) -> Response {
        let texts = call.query.filter { $0.name == "records" || $0.name.hasPrefix("records[") }.map(\.value)
        guard (1...RecordDecoder.longestBatch).contains(texts.count) else { throw .invalidRecordsForDelete }
        var ids: [RecordID] = []
        for text in texts {
            guard let id = RecordID(text) else { throw .recordDoesNotExist(text) }
            ids.append(id)
        }
        return try await delete(DeleteRecordsRequest(base: base, table: table, records: ids, isSingle: false), call)
    }

    private func delete(_ request: DeleteRecordsRequest, _ call: Call) async throws(APIError) -> Response {
        let written = try await services.records.deleteRecords(
            request, as: call.caller, idempotency: try call.idempotency())
        return try respond(written) { (ids) throws(APIError) in encoder.deleted(ids, single: request.isSingle) }
    }

    /// The answer to a write: encoded now, or as it was given before under the same key.
    func respond<Value: Sendable>(
        _ written: Written<Value>, _ encode: (Value) throws(APIError) -> [UInt8]
    ) throws(APIError) -> Response {
        switch written {
        case .now(let value): .json(try encode(value))
        case .before(let body): .json(body)
        }
    }
}

extension Route.RecordRoute {
    /// The scope that the call needs.
    var scope: Scope {
        switch self {
        case .list, .listByPost, .get, .history: .recordsRead
        case .create, .updateBatch, .deleteBatch, .update, .delete, .restoreCell: .recordsWrite
        }
    }
}
