import CivilTime
import RowhouseModel
import Storage

extension StoredAttachment {
    /// The columns of the table, in the order in which they are read and written.
    static let columns = """
        id, filename, url, hash, size, type, width, height, base, table_id, field, record, user, created
        """
}

extension RecordSession {
    func attachment(_ id: AttachmentID) throws(APIError) -> StoredAttachment? {
        let statement = try connection.statement(.attachment)
        defer { statement.reset() }
        statement.bind(1, id.text)
        return try statement.step() ? statement.attachment() : nil
    }

    func waitingAttachments(
        after: Int64, limit: Int
    ) throws(APIError) -> [(number: Int64, attachment: StoredAttachment)] {
        let statement = try connection.statement(.waitingAttachments)
        defer { statement.reset() }
        statement.bind(1, after)
        statement.bind(2, limit)
        var found: [(number: Int64, attachment: StoredAttachment)] = []
        while try statement.step() { found.append((statement.integer(14), statement.attachment())) }
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
        statement.bind(attachment.attachment)
        statement.bind(9, attachment.place.base.text)
        statement.bind(10, attachment.place.table.text)
        statement.bind(11, attachment.place.field.text)
        statement.bind(12, attachment.place.record.text)
        statement.bind(13, attachment.user.text)
        statement.bind(14, attachment.createdTime.milliseconds)
        try statement.run()
    }

    func update(_ attachment: StoredAttachment) throws(APIError) {
        let statement = try connection.statement(.updateAttachment)
        statement.bind(attachment.attachment)
        try statement.run()
    }

    func remove(_ attachment: AttachmentID) throws(APIError) {
        let statement = try connection.statement(.removeAttachment)
        statement.bind(1, attachment.text)
        try statement.run()
    }
}

extension Statement {
    fileprivate func bind(_ attachment: Attachment) {
        bind(1, attachment.id.text)
        bind(2, attachment.filename)
        for parameter: Int32 in 3...8 { bindNull(parameter) }
        switch attachment.content {
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

    /// The attachment in the first fourteen columns.
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
                base: BaseID(text: identifier(8)), table: TableID(text: identifier(9)),
                field: FieldID(text: identifier(10)), record: RecordID(text: identifier(11))),
            user: UserID(text: identifier(12)), createdTime: Instant(milliseconds: integer(13)))
    }
}
