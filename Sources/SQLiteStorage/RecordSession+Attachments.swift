import CivilTime
import RowhouseModel
import Storage

extension StoredAttachment {
    /// The columns of the table, in the order in which they are read and written.
    static let columns = """
        id, filename, url, hash, size, type, width, height, unheld, due, tries, base, table_id, field, record, user,
        created
        """
}

extension RecordSession {
    func attachment(_ id: AttachmentID) throws(APIError) -> StoredAttachment? {
        let statement = try connection.statement(.attachment)
        defer { statement.reset() }
        statement.bind(1, id.text)
        return try statement.step() ? statement.attachment() : nil
    }

    func waitingBase(after base: BaseID?) throws(APIError) -> BaseID? {
        let statement = try connection.statement(.nextWaitingBase)
        defer { statement.reset() }
        if let base { statement.bind(1, base.text) } else { statement.bind(1, "") }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return BaseID(text: statement.identifier(0))
    }

    func waitingAttachments(of base: BaseID, at time: Instant, limit: Int) throws(APIError) -> [Int64] {
        let statement = try connection.statement(.waitingAttachments)
        defer { statement.reset() }
        statement.bind(1, base.text)
        statement.bind(2, time.milliseconds)
        statement.bind(3, limit)
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(0)) }
        return numbers
    }

    func isWaitingForAttachments(_ record: RecordID, at time: Instant) throws(APIError) -> Bool {
        let statement = try connection.statement(.isWaitingForAttachments)
        defer { statement.reset() }
        statement.bind(1, record.text)
        statement.bind(2, time.milliseconds)
        return try statement.step()
    }

    func attachments(
        after: Int64, limit: Int
    ) throws(APIError) -> [(number: Int64, attachment: StoredAttachment)] {
        let statement = try connection.statement(.attachments)
        statement.bind(1, after)
        statement.bind(2, limit)
        return try attachments(statement)
    }

    private func attachments(
        _ statement: Statement
    ) throws(APIError) -> [(number: Int64, attachment: StoredAttachment)] {
        defer { statement.reset() }
        var found: [(number: Int64, attachment: StoredAttachment)] = []
        while try statement.step() { found.append((statement.integer(17), statement.attachment())) }
        return found
    }

    func isAttached(_ file: FileHash) throws(APIError) -> Bool {
        let statement = try connection.statement(.isAttached)
        defer { statement.reset() }
        statement.bind(1, file.description)
        return try statement.step()
    }
}

extension WriteTransaction {
    func insert(_ attachment: StoredAttachment) throws(APIError) {
        let statement = try connection.statement(.insertAttachment)
        statement.bind(attachment)
        statement.bind(12, attachment.place.base.text)
        statement.bind(13, attachment.place.table.text)
        statement.bind(14, attachment.place.field.text)
        statement.bind(15, attachment.place.record.text)
        statement.bind(16, attachment.user.text)
        statement.bind(17, attachment.createdTime.milliseconds)
        try statement.run()
    }

    func update(_ attachment: StoredAttachment) throws(APIError) {
        let statement = try connection.statement(.updateAttachment)
        statement.bind(attachment)
        try statement.run()
    }

    func remove(_ attachment: AttachmentID) throws(APIError) {
        let statement = try connection.statement(.removeAttachment)
        statement.bind(1, attachment.text)
        try statement.run()
    }

    func wakeAttachments(of record: RecordID, in base: BaseID) throws(APIError) -> Bool {
        let statement = try connection.statement(.wakeRecord)
        statement.bind(1, record.text)
        statement.bind(2, base.text)
        try statement.run()
        return connection.changes > 0
    }

    func wakeAttachments(in base: BaseID, table: TableID?, field: FieldID?, limit: Int) throws(APIError) -> Bool {
        let statement = try connection.statement(.wakePlace)
        statement.bind(1, base.text)
        if let table { statement.bind(2, table.text) } else { statement.bindNull(2) }
        if let field { statement.bind(3, field.text) } else { statement.bindNull(3) }
        statement.bind(4, limit)
        try statement.run()
        return connection.changes > 0
    }
}

extension Statement {
    /// Binds what of an attachment may change, after its id.
    fileprivate func bind(_ stored: StoredAttachment) {
        bind(1, stored.attachment.id.text)
        bind(2, stored.attachment.filename)
        for parameter: Int32 in 3...10 { bindNull(parameter) }
        if let time = stored.unheldTime { bind(9, time.milliseconds) }
        if let time = stored.dueTime { bind(10, time.milliseconds) }
        bind(11, stored.tries)
        switch stored.attachment.content {
        case .remote(let url): bind(3, url)
        case .file(let facts):
            bind(4, facts.hash.description)
            bind(5, facts.size)
            bind(6, facts.type)
            guard let dimensions = facts.dimensions else { return }
            bind(7, dimensions.width)
            bind(8, dimensions.height)
        }
    }

    /// The attachment in the first seventeen columns.
    fileprivate func attachment() -> StoredAttachment {
        let content: Attachment.Content
        if let hash = FileHash(text(3)) {
            let dimensions = isNull(6) ? nil : ImageDimensions(width: int(6), height: int(7))
            content = .file(FileFacts(hash: hash, size: int(4), type: text(5), dimensions: dimensions))
        } else {
            content = .remote(url: text(2))
        }
        return StoredAttachment(
            attachment: Attachment(id: AttachmentID(text: identifier(0)), filename: text(1), content: content),
            place: StoredAttachment.Place(
                base: BaseID(text: identifier(11)), table: TableID(text: identifier(12)),
                field: FieldID(text: identifier(13)), record: RecordID(text: identifier(14))),
            user: UserID(text: identifier(15)), createdTime: Instant(milliseconds: integer(16)),
            unheldTime: isNull(8) ? nil : Instant(milliseconds: integer(8)),
            dueTime: isNull(9) ? nil : Instant(milliseconds: integer(9)), tries: int(10))
    }
}
