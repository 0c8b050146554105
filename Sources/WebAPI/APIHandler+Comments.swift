import HTTPCore
import RowhouseModel
import RowhouseWire

extension APIHandler {
    func answer(
        _ route: Route.CommentRoute, of record: RecordID, _ base: BaseID, _ table: TableReference, _ call: Call
    ) async throws(APIError) -> Response {
        switch route {
        case .list: try await listComments(of: record, base, table, call)
        case .create: try await createComment(on: record, base, table, call)
        case .update(let comment): try await updateComment(comment, of: record, base, table, call)
        case .delete(let comment): try await deleteComment(comment, of: record, base, table, call)
        }
    }

    private func listComments(
        of record: RecordID, _ base: BaseID, _ table: TableReference, _ call: Call
    ) async throws(APIError) -> Response {
        var request = ListCommentsRequest(base: base, table: table, record: record)
        try CommentDecoder.decode(query: call.query, into: &request)
        return .json(CommentEncoder.list(try await services.comments.listComments(request, as: call.caller)))
    }

    private func createComment(
        on record: RecordID, _ base: BaseID, _ table: TableReference, _ call: Call
    ) async throws(APIError) -> Response {
        let body = try RecordDecoder.object(call.request.body)
        let request = CreateCommentRequest(
            base: base, table: table, record: record, text: try CommentDecoder.text(body),
            parent: try CommentDecoder.parent(body))
        return try respond(
            try await services.comments.createComment(request, as: call.caller, idempotency: try call.idempotency())
        ) { (written) throws(APIError) in CommentEncoder.created(written) }
    }

    private func updateComment(
        _ comment: CommentID, of record: RecordID, _ base: BaseID, _ table: TableReference, _ call: Call
    ) async throws(APIError) -> Response {
        let body = try RecordDecoder.object(call.request.body)
        let request = UpdateCommentRequest(
            base: base, table: table, record: record, comment: comment, text: try CommentDecoder.text(body))
        return try respond(
            try await services.comments.updateComment(request, as: call.caller, idempotency: try call.idempotency())
        ) { (written) throws(APIError) in CommentEncoder.updated(written) }
    }

    private func deleteComment(
        _ comment: CommentID, of record: RecordID, _ base: BaseID, _ table: TableReference, _ call: Call
    ) async throws(APIError) -> Response {
        let request = DeleteCommentRequest(base: base, table: table, record: record, comment: comment)
        return try respond(
            try await services.comments.deleteComment(request, as: call.caller, idempotency: try call.idempotency())
        ) { (id) throws(APIError) in encoder.deleted(id) }
    }
}

extension Route.CommentRoute {
    /// The scope that the call needs.
    var scope: Scope {
        switch self {
        case .list: .commentsRead
        case .create, .update, .delete: .commentsWrite
        }
    }
}
