import RowhouseJSON
import RowhouseModel
import RowhouseWire
import TableEngine
import Testing

/// Not that of the testing library.
private typealias Comment = RowhouseModel.Comment

struct CommentTests {
    let house: House
    private let record: RecordID
    private let bob = House.caller(House.bob)

    init() throws {
        house = try House()
        record = try #require(RecordID(try house.create(#"{"fields":{"Name":"A"}}"#).rows[0].id))
    }

    private func add(
        _ text: String, parent: CommentID? = nil, as caller: Caller? = nil, key: String? = nil, table: String = "Tasks"
    ) throws -> Written<WrittenComment> {
        let request = CreateCommentRequest(
            base: house.base, table: TableReference(table), record: record, text: text, parent: parent)
        return try house.engine.createComment(
            request, as: caller ?? house.owner, idempotency: House.idempotency(key, text))
    }

    private func made(_ text: String, parent: CommentID? = nil, as caller: Caller? = nil) throws -> Comment {
        guard case .now(let written) = try add(text, parent: parent, as: caller) else { throw APIError.internalError }
        return written.comment
    }

    private func change(_ id: CommentID, _ text: String, as caller: Caller? = nil) throws -> Comment {
        let request = UpdateCommentRequest(
            base: house.base, table: TableReference("Tasks"), record: record, comment: id, text: text)
        let written = try house.engine.updateComment(request, as: caller ?? house.owner, idempotency: nil)
        guard case .now(let written) = written else { throw APIError.internalError }
        return written.comment
    }

    private func delete(_ id: CommentID, as caller: Caller? = nil) throws {
        let request = DeleteCommentRequest(
            base: house.base, table: TableReference("Tasks"), record: record, comment: id)
        _ = try house.engine.deleteComment(request, as: caller ?? house.owner, idempotency: nil)
    }

    private func list(
        _ size: Int = 100, _ offset: String? = nil, as caller: Caller? = nil, table: String = "Tasks"
    ) throws -> CommentPage {
        var request = ListCommentsRequest(base: house.base, table: TableReference(table), record: record)
        request.pageSize = size
        request.offset = offset
        return try house.engine.listComments(request, as: caller ?? house.owner)
    }

    @Test func `Reading needs the scope to read comments, writing that to write them`() throws {
        let own = try made("x").id
        let reader = House.caller(House.ada, scopes: [.commentsRead])
        let writer = House.caller(House.ada, scopes: [.commentsWrite])
        let none = House.caller(House.ada, scopes: Scope.all.filter { $0 != .commentsRead && $0 != .commentsWrite })
        for caller in [reader, none] {
            #expect(failure { _ = try made("y", as: caller) } == .invalidPermissions)
            #expect(failure { _ = try change(own, "y", as: caller) } == .invalidPermissions)
            #expect(failure { try delete(own, as: caller) } == .invalidPermissions)
        }
        for caller in [writer, none] { #expect(failure { _ = try list(as: caller) } == .invalidPermissions) }
        #expect(try list(as: reader).comments.map(\.text) == ["x"])
        #expect(try change(own, "y", as: writer).text == "y")
        let elsewhere = House.caller(House.ada, bases: [BaseID(text: IdentifierText(time: 0, counter: 0))])
        #expect(failure { _ = try list(as: elsewhere) } == .invalidPermissionsOrModelNotFound)
        #expect(failure { _ = try made("y", as: elsewhere) } == .invalidPermissionsOrModelNotFound)
    }

    @Test func `Only its author changes or deletes a comment, whichever the token`() throws {
        let comment = try made("x", as: bob)
        #expect(failure { _ = try change(comment.id, "y") } == .invalidPermissions)
        #expect(failure { try delete(comment.id) } == .invalidPermissions)
        #expect(try list().comments == [comment])
        #expect(try change(comment.id, "y", as: House.caller(House.bob, scopes: [.commentsWrite])).text == "y")
        try delete(comment.id, as: bob)
        #expect(try list().comments == [])
        #expect(failure { try delete(comment.id, as: bob) } == .modelNotFound("Comment"))
    }

    @Test func `A record of another table has no comments here`() throws {
        _ = try made("x")
        #expect(failure { _ = try list(table: "Other") } == .recordNotFound)
        #expect(failure { _ = try add("x", table: "Other") } == .recordNotFound)
        #expect(failure { _ = try list(table: "Nope") } == .invalidPermissionsOrModelNotFound)
    }

    @Test func `An offset goes on after its place, and any other text is none`() throws {
        for number in 0..<5 { _ = try made("\(number)") }
        let first = try list(2)
        #expect(first.comments.map(\.text) == ["4", "3"])
        let offset = try #require(first.offset)
        #expect(try list(2, offset).comments.map(\.text) == ["2", "1"])
        #expect(try list(3, offset).offset == nil)
        for wrong in [
            "x", "", "MA", "LTE", "MDE", "MSA", "\(offset)=", "\(offset)A", "MTIzNDU2Nzg5MDEyMzQ1Njc4OTA", "4",
        ] {
            #expect(failure { _ = try list(2, wrong) } == .invalidOffset(wrong), "\(wrong)")
        }
    }

    @Test func `The text has 1 to 100,000 characters, as it is kept`() throws {
        let ada = "@[ada@example.org]"
        for good in ["x", "\0", String(repeating: "茶", count: 100_000), String(repeating: ada, count: 5_000)] {
            let comment = try made(good)
            #expect(comment.text.unicodeScalars.count <= 100_000)
            #expect(try change(comment.id, comment.text) == comment)
        }
        for wrong in ["", String(repeating: "x", count: 100_001), String(repeating: ada, count: 5_001)] {
            #expect(failure { _ = try made(wrong) }?.status == 422)
            let own = try made("x")
            #expect(failure { _ = try change(own.id, wrong) }?.type == "INVALID_REQUEST_UNKNOWN")
        }
    }

    @Test func `A key used again gives the answer that was given`() throws {
        guard case .now(let first) = try add("x", key: "k"), case .before(let bytes) = try add("x", key: "k") else {
            return #expect(Bool(false), "the second is the answer of the first")
        }
        #expect(bytes == CommentEncoder.created(first))
        #expect(failure { _ = try add("y", key: "k") } == .idempotencyConflict())
        #expect(try list().comments.map(\.text) == ["x"])
    }

    @Test func `Each write leaves an entry in the change log, and one that changes nothing leaves none`() throws {
        let first = try made("first")
        let answer = try made("@[bob@example.org]", parent: first.id)
        _ = try change(answer.id, "changed")
        _ = try change(answer.id, "changed")
        #expect(failure { _ = try change(answer.id, "other", as: bob) } == .invalidPermissions)
        try delete(first.id)
        let changes = try house.changes().filter { $0.kind.hasSuffix("Comment") }
        #expect(changes.map(\.kind) == ["createComment", "createComment", "updateComment", "deleteComment"])
        func entry(_ comment: Comment, _ text: String) -> String {
            let parent = comment.parent.map { #","parent":"\#($0)""# } ?? ""
            return #"{"id":"\#(comment.id)","author":"\#(House.ada.id)","text":"\#(text)"\#(parent)}"#
        }
        let texts = ["first", "@[\(House.bob.id)]", "changed"]
        let expected = [
            "[null,\(entry(first, texts[0]))]", "[null,\(entry(answer, texts[1]))]",
            "[\(entry(answer, texts[1])),\(entry(answer, texts[2]))]", "[\(entry(first, texts[0])),null]",
        ]
        for (change, expected) in zip(changes, expected) {
            #expect(change.payload["comment"].map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
            #expect(
                change.payload["records"].map { String(decoding: $0.bytes, as: UTF8.self) }
                    == #"[{"id":"\#(record)","cells":{}}]"#)
            #expect(change.table == String("\(try house.table().id)".dropFirst(3)))
        }
    }

    @Test func `A record that is deleted takes its comments out of sight`() throws {
        let comment = try made("x")
        try house.delete([record.description])
        #expect(failure { _ = try list() } == .recordNotFound)
        #expect(failure { _ = try made("y") } == .recordNotFound)
        #expect(failure { _ = try change(comment.id, "y") } == .recordNotFound)
        #expect(failure { try delete(comment.id) } == .recordNotFound)
    }

    @Test func `Counts come with lists and single records, at once and later`() throws {
        for _ in 0..<3 { _ = try made("x") }
        _ = try house.create(#"{"fields":{"Name":"B"}}"#)
        var request = ListRecordsRequest(base: house.base, table: TableReference("Tasks"))
        request.presentation.commentCount = true
        #expect(try house.engine.listRecordsHere(request, as: house.owner).batch.commentCounts == [3, 0])
        #expect(try house.engine.listRecordsNow(request, as: house.owner)?.batch.commentCounts == [3, 0])
        request.filterByFormula = "{Name} = 'A'"
        #expect(try house.engine.listRecordsHere(request, as: house.owner).batch.commentCounts == [3])
        // Through the path of another table it is the record's own that counts.
        for table in ["Tasks", "Other"] {
            var one = GetRecordRequest(base: house.base, table: TableReference(table), record: record)
            one.presentation.commentCount = true
            #expect(try house.engine.getRecord(one, as: house.owner).batch.commentCounts == [3])
            #expect(try house.engine.getRecordNow(one, as: house.owner)?.batch.commentCounts == [3])
        }
    }
}
