package import RowhouseModel
import RowhouseWire
import Storage

extension Engine: CommentOperations {
    package func listComments(_ request: ListCommentsRequest, as caller: Caller) throws(APIError) -> CommentPage {
        let table = try Self.table(
            request.table, in: request.base, of: storage.schema, scope: .commentsRead, as: caller)
        let after = try request.offset.map { (text) throws(APIError) in try CommentOffset(text).place }
        let found = try storage.read { (reader) throws(APIError) in
            try reader.checkCommented(request.record, in: table)
            return try reader.comments(of: request.record, in: table.id, after: after, limit: request.pageSize)
        }
        return CommentPage(
            comments: found.comments, users: storage.users, offset: found.next.map { CommentOffset(place: $0).text })
    }

    package func createComment(
        _ request: CreateCommentRequest, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<WrittenComment> {
        let text = try commentText(request.text)
        return try write(as: caller, idempotency: idempotency) { (written) throws(APIError) in
            CommentEncoder.created(written)
        } _: { (session) throws(APIError) in
            let table = try session.table(request.table, in: request.base, scope: .commentsWrite)
            try session.writer.checkCommented(request.record, in: table)
            let comment = Comment(
                id: Self.randomID(), author: caller.user.id, text: text, createdTime: session.writer.now,
                parent: try request.parent.map { (id) throws(APIError) in
                    let answered = try session.writer.existingComment(id, of: request.record, in: table)
                    // A thread is one level deep: an answer to an answer is one to what that answers.
                    return answered.parent ?? answered.id
                })
            try session.writer.insert(comment, of: request.record, in: table.id)
            try session.log(.createComment, of: request.record, in: table, before: nil, after: comment)
            return WrittenComment(comment: comment, users: session.writer.users)
        }
    }

    package func updateComment(
        _ request: UpdateCommentRequest, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<WrittenComment> {
        let text = try commentText(request.text)
        return try write(as: caller, idempotency: idempotency) { (written) throws(APIError) in
            CommentEncoder.updated(written)
        } _: { (session) throws(APIError) in
            let table = try session.table(request.table, in: request.base, scope: .commentsWrite)
            let before = try session.ownComment(request.comment, of: request.record, in: table)
            var comment = before
            if text != before.text {
                comment.text = text
                comment.lastUpdatedTime = session.writer.now
                try session.writer.update(comment)
                try session.log(.updateComment, of: request.record, in: table, before: before, after: comment)
            }
            return WrittenComment(comment: comment, users: session.writer.users)
        }
    }

    package func deleteComment(
        _ request: DeleteCommentRequest, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<CommentID> {
        let encoder = encoder
        return try write(as: caller, idempotency: idempotency) { (id) throws(APIError) in
            encoder.deleted(id)
        } _: { (session) throws(APIError) in
            let table = try session.table(request.table, in: request.base, scope: .commentsWrite)
            let before = try session.ownComment(request.comment, of: request.record, in: table)
            try session.writer.delete(before.id, of: request.record, in: table.id)
            try session.log(.deleteComment, of: request.record, in: table, before: before, after: nil)
            return before.id
        }
    }

    /// The text as it is kept. What is read can be written back, so the limit is that of the kept text.
    private func commentText(_ text: String) throws(APIError) -> String {
        guard Comment.isFit(text) else { throw .unfitComment }
        let kept = Mention.kept(text, users: storage.users)
        guard Comment.isFit(kept) else { throw .unfitComment }
        return kept
    }
}

extension APIError {
    fileprivate static let unfitComment = invalidRequest(
        "A comment has 1 to \(Comment.longestText) characters, each mention counted as an id.")
}

extension StorageReader {
    /// - Throws: `recordNotFound` unless the table has the record.
    fileprivate func checkCommented(_ record: RecordID, in table: TableSchema) throws(APIError) {
        guard try self.record(record, in: table, fields: []) != nil else { throw .recordNotFound }
    }

    fileprivate func existingComment(
        _ id: CommentID, of record: RecordID, in table: TableSchema
    ) throws(APIError) -> Comment {
        guard let comment = try comment(id, of: record, in: table.id) else { throw .modelNotFound("Comment") }
        return comment
    }
}

extension WriteSession {
    /// The comment that a path names, if the caller wrote it.
    fileprivate func ownComment(
        _ id: CommentID, of record: RecordID, in table: TableSchema
    ) throws(APIError) -> Comment {
        try writer.checkCommented(record, in: table)
        let comment = try writer.existingComment(id, of: record, in: table)
        guard comment.author == caller.user.id else { throw .invalidPermissions }
        return comment
    }

    fileprivate func log(
        _ kind: Change.Kind, of record: RecordID, in table: TableSchema, before: Comment?, after: Comment?
    ) throws(APIError) {
        try writer.append(
            Change(
                kind: kind, base: table.base, table: table.id, user: caller.user.id, token: caller.token,
                records: [RecordChange(record: record, cells: [])],
                comment: CommentChange(before: before, after: after)))
    }
}
