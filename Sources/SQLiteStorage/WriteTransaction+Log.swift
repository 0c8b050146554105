import CivilTime
import RowhouseJSON
import RowhouseModel
import Storage

extension WriteTransaction {
    func append(_ change: Change) throws(APIError) {
        let statement = try connection.statement(.appendChange)
        statement.bind(1, time)
        statement.bind(2, change.base.text)
        if let table = change.table { statement.bind(3, table.text) }
        statement.bind(4, change.user.text)
        if let token = change.token { statement.bind(5, token.text) }
        statement.bind(6, change.kind.rawValue)
        statement.bind(7, text: Self.payload(change))
        try statement.run()
        try note(change)
    }

    /// Lets the changes of a record be found; that it was made is found by its time.
    private func note(_ change: Change) throws(APIError) {
        switch change.kind {
        case .updateRecords, .upsertRecords, .deleteRecords, .restoreRecords: break
        default: return
        }
        let number = connection.lastRow
        let statement = try connection.statement(.noteChange)
        for record in change.records where !record.isCreation {
            statement.bind(1, record.record.text)
            statement.bind(2, number)
            try statement.run()
        }
    }

    /// `{"records":[{"id":"rec…","cells":{"fld…":[before,after]}}],"schema":[before,after],"comment":[before,after]}`
    private static func payload(_ change: Change) -> [UInt8] {
        var writer = JSONWriter(capacity: 64 + 256 * change.records.count)
        writer.beginObject()
        if let schema = change.schema {
            writer.key("schema")
            writer.beginArray()
            if let before = schema.before { writer.raw(before) } else { writer.null() }
            if let after = schema.after { writer.raw(after) } else { writer.null() }
            writer.endArray()
        }
        if let comment = change.comment {
            writer.key("comment")
            writer.beginArray()
            writer.comment(comment.before)
            writer.comment(comment.after)
            writer.endArray()
        }
        writer.key("records")
        writer.beginArray()
        var scratch: [UInt8] = []
        for record in change.records {
            writer.beginObject()
            writer.key("id")
            writer.id(record.record, &scratch)
            if record.isCreation, change.kind == .upsertRecords {
                writer.key("created")
                writer.bool(true)
            }
            writer.key("cells")
            writer.beginObject()
            for cell in record.cells {
                writer.key(cell.field, &scratch)
                writer.beginArray()
                writer.cell(cell.before)
                writer.cell(cell.after)
                writer.endArray()
            }
            writer.endObject()
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    func save(_ answer: StoredAnswer, idempotencyKey: String, user: UserID) throws(APIError) {
        let statement = try connection.statement(.saveAnswer)
        statement.bind(1, idempotencyKey)
        statement.bind(2, user.text)
        statement.bind(3, blob: answer.fingerprint)
        statement.bind(4, blob: answer.body)
        statement.bind(5, time)
        try statement.run()
    }

    // MARK: people

    func insert(_ user: User) throws(APIError) {
        let statement = try connection.statement(.insertUser)
        statement.bind(1, user.id.text)
        statement.bind(2, user.email)
        statement.bind(3, user.name)
        statement.bind(4, user.createdTime.milliseconds)
        try statement.run()
        state.users = UserDirectory(version: state.users.version + 1, users: state.users.users + [user])
        try setCounter("users_version", state.users.version)
        for base in state.schema.bases {
            for table in base.tables {
                try dropIndexes(physical(table)) {
                    $0.fingerprint != $0.definition.fingerprint(in: table, users: users)
                }
            }
        }
    }

    func insert(_ token: StoredToken) throws(APIError) {
        let statement = try connection.statement(.insertToken)
        statement.bind(1, token.id.text)
        statement.bind(2, blob: token.hash)
        statement.bind(3, token.user.text)
        statement.bind(4, token.name)
        statement.bind(5, token.scopes.map(\.rawValue).joined(separator: " "))
        statement.bind(6, token.bases.map { $0.map(\.description).joined(separator: " ") })
        statement.bind(7, token.createdTime.milliseconds)
        if let time = token.expirationTime { statement.bind(8, time.milliseconds) }
        if let time = token.lastUsedTime { statement.bind(9, time.milliseconds) }
        statement.bind(10, token.isRevoked ? 1 : 0)
        try statement.run()
    }

    func revoke(_ token: TokenID) throws(APIError) -> Bool {
        let statement = try connection.statement(.revokeToken)
        statement.bind(1, token.text)
        try statement.run()
        return connection.changes > 0
    }

    func touch(_ uses: [(token: TokenID, time: Instant)]) throws(APIError) {
        for use in uses {
            let statement = try connection.statement(.touchToken)
            statement.bind(1, use.token.text)
            statement.bind(2, use.time.milliseconds)
            try statement.run()
        }
    }
}

extension JSONWriter {
    /// Writes an id without making a text of it.
    fileprivate mutating func id(_ id: some EntityID, _ scratch: inout [UInt8]) {
        id.quote(in: &scratch)
        raw(scratch)
    }

    /// Writes an id as a key.
    fileprivate mutating func key(_ id: some EntityID, _ scratch: inout [UInt8]) {
        id.quote(in: &scratch)
        scratch.append(UInt8(ascii: ":"))
        key(escaped: scratch)
    }

    fileprivate mutating func cell(_ cell: StoredCell) {
        switch cell {
        case .empty: null()
        case .integer(let value): integer(value)
        case .real(let value): number(value)
        case .text(let text): string(text)
        }
    }

    /// `{"id":"com…","author":"usr…","text":"…","parent"?:"com…"}`, or null.
    fileprivate mutating func comment(_ comment: Comment?) {
        guard let comment else { return null() }
        beginObject()
        key("id")
        string(comment.id.description)
        key("author")
        string(comment.author.description)
        key("text")
        string(comment.text)
        if let parent = comment.parent {
            key("parent")
            string(parent.description)
        }
        endObject()
    }
}

extension EntityID {
    /// Replaces the bytes by the id between quotes.
    fileprivate func quote(in bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(UInt8(ascii: "\""))
        append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }
}
