import CivilTime
import RowhouseModel
import Storage

extension RecordSession {
    func comments(
        of record: RecordID, in table: TableID, after: Int64?, limit: Int
    ) throws(APIError) -> StoredComments {
        let statement = try connection.statement(.comments)
        defer { statement.reset() }
        statement.bind(1, try commented(table))
        statement.bind(2, record.text)
        statement.bind(3, after ?? .max)
        statement.bind(4, limit &+ 1)
        var found = StoredComments(comments: [])
        var last: Int64?
        var bytes = 0
        while try statement.step() {
            guard found.comments.count < limit, bytes < pageBytes else {
                found.next = last
                break
            }
            let comment = Self.comment(statement)
            bytes += comment.text.utf8.count
            last = statement.integer(6)
            found.comments.append(comment)
        }
        return found
    }

    func comment(_ id: CommentID, of record: RecordID, in table: TableID) throws(APIError) -> Comment? {
        let statement = try connection.statement(.comment)
        defer { statement.reset() }
        statement.bind(1, try commented(table))
        statement.bind(2, record.text)
        statement.bind(3, id.text)
        return try statement.step() ? Self.comment(statement) : nil
    }

    func commentCounts(of records: [RecordID], in table: TableID) throws(APIError) -> [Int] {
        let statement = try connection.statement(.commentCounts)
        defer { statement.reset() }
        statement.bind(1, try commented(table))
        statement.bind(2, text: Self.json(records))
        var counts: [IdentifierText: Int] = [:]
        while try statement.step() { counts[statement.identifier(0)] = statement.int(1) }
        return records.map { counts[$0.text] ?? 0 }
    }

    /// The number of the table whose records have the comments.
    func commented(_ table: TableID) throws(APIError) -> Int {
        guard let physical = state.catalog.tables[table] else { throw .modelNotFound("Table") }
        return physical.number
    }

    /// The comment of the row that the statement stands on.
    private static func comment(_ statement: Statement) -> Comment {
        Comment(
            id: CommentID(text: statement.identifier(0)), author: UserID(text: statement.identifier(1)),
            text: statement.text(2), createdTime: Instant(milliseconds: statement.integer(3)),
            lastUpdatedTime: statement.isNull(4) ? nil : Instant(milliseconds: statement.integer(4)),
            parent: statement.isNull(5) ? nil : CommentID(text: statement.identifier(5)))
    }
}
