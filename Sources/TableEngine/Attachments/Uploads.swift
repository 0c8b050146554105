import Blobs
package import RowhouseModel
import RowhouseWire
import Storage

extension Engine: AttachmentOperations {
    package func receiver(
        for request: UploadAttachmentRequest, limit: Int, as caller: Caller
    ) throws(APIError) -> any FileReceiver {
        guard let files else { throw .internalError }
        _ = try storage.read { (reader) throws(APIError) in
            try Self.cell(of: request, in: storage.schema, reader, as: caller)
        }
        return try files.blobs.writer(limit: limit)
    }

    package func uploadAttachment(
        _ request: UploadAttachmentRequest, _ file: any FileReceiver, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<WrittenRecords> {
        guard let files, let writer = file as? BlobWriter else { throw .internalError }
        let filename = Filename.cleaned(request.filename) ?? Filename.unnamed
        let facts = try writer.finish().facts(
            in: files.blobs, images: files.images, claimed: request.contentType, filename: filename)
        // The answer shows the whole cell: what is on its way to it had better be there.
        files.fetcher?.waitForFiles(of: request.record)
        let attachment = Attachment(id: Self.randomID(), filename: filename, content: .file(facts))
        let presentation = RecordPresentation(returnFieldsByFieldID: true)
        let encoder = encoder
        return try write(as: caller, idempotency: idempotency) { (written) throws(APIError) in
            try encoder.written(written, single: true, presentation)
        } _: { (session) throws(APIError) in
            let (table, field) = try Self.cell(of: request, in: session.writer.schema, session.writer, as: caller)
            try session.append(attachment, to: request.record, field: field, in: table)
            return try session.written([request.record], in: table, presentation, fields: [field])
        }
    }

    /// The table of the record, which the path does not name, and the position of the field.
    private static func cell(
        of request: UploadAttachmentRequest, in schema: Schema, _ reader: any StorageReader, as caller: Caller
    ) throws(APIError) -> (table: TableSchema, field: Int) {
        for table in try base(request.base, of: schema, scope: .recordsWrite, as: caller).tables {
            guard try reader.record(request.record, in: table, fields: []) != nil else { continue }
            let field = try field(request.field, of: table)
            guard table.fields[field].type == .multipleAttachments else {
                throw .cannotAccept(table.fields[field].name)
            }
            return (table, field)
        }
        throw .recordNotFound
    }

    package func file(of attachment: AttachmentID, size: ThumbnailSize?) throws(APIError) -> ServedFile {
        let schema = storage.schema
        let found = try storage.read { (reader) throws(APIError) -> (held: Attachment, base: BaseID)? in
            guard let stored = try reader.attachment(attachment), let held = try reader.held(stored, in: schema) else {
                return nil
            }
            return (held, stored.place.base)
        }
        guard let files, let (held, base) = found, case .file(let facts) = held.content else { throw .notFound }
        let path = files.blobs.path(of: facts.hash)
        guard let size else {
            return ServedFile(path: path, filename: held.filename, type: facts.type, tag: facts.hash.description)
        }
        guard facts.dimensions != nil, let images = files.images else { throw .notFound }
        let rendering = try images.rendering(of: facts.hash, path: path, size: size, for: base)
        return ServedFile(
            path: rendering.path, filename: held.filename, type: rendering.type,
            tag: "\(facts.hash)-\(size.rawValue)")
    }
}

extension WriteSession {
    fileprivate func append(
        _ attachment: Attachment, to record: RecordID, field: Int, in table: TableSchema
    ) throws(APIError) {
        guard let before = try writer.record(record, in: table, fields: [field])?.cell(record: 0, field: 0) else {
            throw .recordNotFound
        }
        guard let held = before.attachments, held.count < AttachmentCell.most else {
            throw .tooManyAttachments(table.fields[field].name, AttachmentCell.most)
        }
        let after = StoredCell.attachments(held + [attachment])
        try AttachmentWrites.checkLength(of: after, for: table.fields[field])
        let id = table.fields[field].id
        try writer.insert(
            StoredAttachment(
                attachment: attachment,
                place: StoredAttachment.Place(base: table.base, table: table.id, field: id, record: record),
                user: caller.user.id, createdTime: writer.now))
        try writer.update(record, in: table, cells: [(field, after)], by: caller.user.id)
        let change = RecordChange(record: record, cells: [(id, before, after)])
        try log(.updateRecords, of: [change], in: table)
    }
}
