/// What can be done with comments on records, in Airtable's verbs.
///
/// Comments are those of a record that exists: with the record they go out of sight and come back.
package protocol CommentOperations: Sendable {
    func listComments(_ request: ListCommentsRequest, as caller: Caller) async throws(APIError) -> CommentPage
    func createComment(
        _ request: CreateCommentRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<WrittenComment>
    /// - Throws: 403 `INVALID_PERMISSIONS` for another's comment.
    func updateComment(
        _ request: UpdateCommentRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<WrittenComment>
    /// - Throws: 403 `INVALID_PERMISSIONS` for another's comment.
    func deleteComment(
        _ request: DeleteCommentRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<CommentID>
}
