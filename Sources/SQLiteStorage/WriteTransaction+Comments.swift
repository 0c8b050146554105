import CivilTime
import RowhouseModel
import Storage

extension WriteTransaction {
    func insert(_ comment: Comment, of record: RecordID, in table: TableID) throws(APIError) {
        let statement = try connection.statement(.insertComment)
        statement.bind(1, try commented(table))
        statement.bind(2, record.text)
        statement.bind(3, comment.id.text)
        statement.bind(4, comment.author.text)
        statement.bind(5, comment.text)
        statement.bind(6, comment.createdTime.milliseconds)
        if let time = comment.lastUpdatedTime { statement.bind(7, time.milliseconds) }
        if let parent = comment.parent { statement.bind(8, parent.text) }
        try statement.run()
        try count(.countComment, of: record, in: table)
    }

    func update(_ comment: Comment) throws(APIError) {
        let statement = try connection.statement(.updateComment)
        statement.bind(1, comment.id.text)
        statement.bind(2, comment.text)
        if let time = comment.lastUpdatedTime { statement.bind(3, time.milliseconds) }
        try statement.run()
    }

    func delete(_ comment: CommentID, of record: RecordID, in table: TableID) throws(APIError) {
        let statement = try connection.statement(.deleteComment)
        statement.bind(1, comment.text)
        try statement.run()
        if connection.changes > 0 { try count(.uncountComment, of: record, in: table) }
    }

    private func count(_ change: FixedStatement, of record: RecordID, in table: TableID) throws(APIError) {
        let statement = try connection.statement(change)
        statement.bind(1, try commented(table))
        statement.bind(2, record.text)
        try statement.run()
    }
}
