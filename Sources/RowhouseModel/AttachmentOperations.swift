/// Airtable's "Upload attachment": one file more at the end of a cell.
package struct UploadAttachmentRequest: Sendable, Equatable {
    package var base: BaseID
    package var record: RecordID
    /// By name or id.
    package var field: String
    /// As the caller gave it; not yet harmless.
    package var filename: String
    /// What the caller says that the file is.
    package var contentType: String?

    package init(base: BaseID, record: RecordID, field: String, filename: String, contentType: String?) {
        self.base = base
        self.record = record
        self.field = field
        self.filename = filename
        self.contentType = contentType
    }
}

/// Takes the bytes of a file that is being sent, in their order; what is never finished leaves nothing behind.
package protocol FileReceiver: AnyObject, Sendable {
    /// Keeps a piece. Blocks while it is written.
    ///
    /// - Throws: 413 when the file gets too long, 507 when the disk is full.
    func take(_ piece: borrowing Span<UInt8>) throws(APIError)
}

/// A file that an attachment holds, ready to be sent.
package struct ServedFile: Sendable, Equatable {
    package let path: String
    package let filename: String
    package let type: String
    /// Tells this file, or this rendering of it, from every other.
    package let tag: String

    package init(path: String, filename: String, type: String, tag: String) {
        self.path = path
        self.filename = filename
        self.type = type
        self.tag = tag
    }
}

/// What can be done with files, beside the cells that hold them.
package protocol AttachmentOperations: Sendable {
    /// Checks an upload before its bytes are taken, and makes room for them.
    ///
    /// - Throws: what the upload itself would throw for its record, field or rights.
    func receiver(
        for request: UploadAttachmentRequest, limit: Int, as caller: Caller
    ) throws(APIError) -> any FileReceiver

    /// Attaches what a receiver has taken; the answer holds that one cell, by field id.
    func uploadAttachment(
        _ request: UploadAttachmentRequest, _ file: any FileReceiver, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<WrittenRecords>

    /// The file of an attachment, or a rendering of it, as long as a record holds it. Blocks.
    ///
    /// - Throws: 404 for an attachment that no record holds (any more), or whose file is not here yet; 422 for a file
    ///   that cannot be rendered.
    func file(of attachment: AttachmentID, size: ThumbnailSize?) throws(APIError) -> ServedFile
}
