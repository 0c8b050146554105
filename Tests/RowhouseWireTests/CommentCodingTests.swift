import CivilTime
import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Testing

/// Not that of the testing library.
private typealias Comment = RowhouseModel.Comment

struct CommentCodingTests {
    private static func id(_ number: UInt64) -> CommentID { CommentID(text: IdentifierText(time: 0, counter: number)) }
    private static let ada = UserID(text: IdentifierText(time: 0, counter: 1))
    private static let created = Instant(milliseconds: 1_613_868_959_529)
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    private static let author = #"{"id":"usr00000000000001","email":"ada@example.org","name":"Ada Lovelace"}"#
    private static func written(_ comment: Comment) -> WrittenComment {
        WrittenComment(comment: comment, users: Sample.users)
    }

    @Test func `The creation is told to the millisecond once, then to the second`() {
        var comment = Comment(id: Self.id(1), author: Self.ada, text: "a \"b\"", createdTime: Self.created)
        #expect(
            Self.text(CommentEncoder.created(Self.written(comment)))
                == #"{"id":"com00000000000001","author":\#(Self.author),"text":"a \"b\"","createdTime":"2021-02-21T00:55:59.529Z","lastUpdatedTime":null}"#
        )
        comment.lastUpdatedTime = Instant(milliseconds: 1_613_868_960_001)
        let later =
            #"{"id":"com00000000000001","author":\#(Self.author),"text":"a \"b\"","createdTime":"2021-02-21T00:55:59.000Z","lastUpdatedTime":"2021-02-21T00:56:00.001Z"}"#
        #expect(Self.text(CommentEncoder.updated(Self.written(comment))) == later)
        #expect(
            Self.text(CommentEncoder.list(CommentPage(comments: [comment], users: Sample.users)))
                == #"{"comments":[\#(later)],"offset":null}"#)
    }

    @Test func `Mentions and the comment that is answered follow`() {
        let comment = Comment(
            id: Self.id(2), author: UserID(text: IdentifierText(time: 0, counter: 9)),
            text: "@[usr00000000000002] @[usr00000000000009]", createdTime: Self.created, parent: Self.id(1))
        #expect(
            Self.text(CommentEncoder.list(CommentPage(comments: [comment], users: Sample.users, offset: "MTk")))
                == #"{"comments":[{"id":"com00000000000002","author":{"id":"usr00000000000009"},"text":"@[usr00000000000002] @[usr00000000000009]","createdTime":"2021-02-21T00:55:59.000Z","lastUpdatedTime":null,"mentioned":{"usr00000000000002":{"type":"user","id":"usr00000000000002","displayName":"Bob","email":"bob@example.org"}},"parentCommentId":"com00000000000001"}],"offset":"MTk"}"#
        )
    }

    private static func request(_ query: [(String, String)]) throws -> ListCommentsRequest {
        var request = ListCommentsRequest(
            base: BaseID(text: IdentifierText(time: 0, counter: 1)), table: TableReference("T"),
            record: RecordID(text: IdentifierText(time: 0, counter: 1)))
        try CommentDecoder.decode(query: query.map { (name: $0.0, value: $0.1) }, into: &request)
        return request
    }

    @Test func `pageSize is 1 to 100, other parameters are ignored`() throws {
        #expect(try Self.request([]).pageSize == 100)
        #expect(try Self.request([("pageSize", ""), ("offset", ""), ("limit", "5"), ("x", "y")]) == Self.request([]))
        #expect(try Self.request([("pageSize", "1")]).pageSize == 1)
        #expect(try Self.request([("pageSize", "100"), ("offset", "MTk")]).offset == "MTk")
        for wrong in ["0", "101", "-1", "+1", "1.0", "x", "99999999999999999999", " 1"] {
            #expect(throws: APIError.invalidRequest) { try Self.request([("pageSize", wrong)]) }
        }
    }

    @Test func `A body has a text, and may have the id of the comment that it answers`() throws {
        func body(_ text: String) throws -> JSONObject {
            try #require(try JSONParser.parse(Array(text.utf8)).objectValue)
        }
        #expect(try CommentDecoder.text(body(#"{"text":"a","x":1}"#)) == "a")
        #expect(throws: APIError.missingField("text")) { try CommentDecoder.text(body("{}")) }
        for wrong in ["null", "1", "true", "[]", "{}", #"["a"]"#] {
            #expect(throws: APIError.invalidRequest) { try CommentDecoder.text(body("{\"text\":\(wrong)}")) }
        }
        #expect(try CommentDecoder.parent(body("{}")) == nil)
        #expect(try CommentDecoder.parent(body(#"{"parentCommentId":null}"#)) == nil)
        #expect(try CommentDecoder.parent(body(#"{"parentCommentId":"com00000000000001"}"#)) == Self.id(1))
        for wrong in [#""""#, #""com1""#, #""rec00000000000001""#, "1", "[]", "false"] {
            #expect(throws: APIError.invalidRequest) {
                try CommentDecoder.parent(body("{\"parentCommentId\":\(wrong)}"))
            }
        }
    }
}
