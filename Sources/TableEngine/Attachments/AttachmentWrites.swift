import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Storage

/// The attachments that one request writes.
final class AttachmentWrites {
    private let links: AttachmentLinks
    /// Those that requests named, and how they were written.
    private var named: [AttachmentID: (stored: StoredAttachment, json: JSONValue)] = [:]
    private var new: Set<AttachmentID> = []
    /// What the cells of those that were named held before anything was written.
    private var held: [StoredAttachment.Place: Set<AttachmentID>] = [:]
    /// Whether some could not be had, and are left out.
    private(set) var hasFailed = false
    /// Whether the bytes of some are still to be fetched.
    private(set) var isToFetch = false

    init(links: AttachmentLinks) { self.links = links }

    /// The cell as it will be, but for what only the record tells (`WriteSession.adopted`).
    ///
    /// - Throws: `INVALID_ATTACHMENT_OBJECT` for ids that no attachment has.
    func cell(
        _ value: JSONValue, for field: Field, typecast: Bool, _ writer: any StorageWriter
    ) throws(APIError) -> StoredCell {
        var attachments: [Attachment] = []
        for item in try AttachmentCell.items(value, for: field, typecast: typecast) {
            switch item {
            case .unreachable: hasFailed = true
            case .remote(let url, let filename):
                guard let content = try content(at: url, writer) else {
                    hasFailed = true
                    continue
                }
                let attachment = Attachment(id: Engine.randomID(), filename: filename, content: content)
                new.insert(attachment.id)
                attachments.append(attachment)
            case .existing(let id, let json):
                guard !attachments.contains(where: { $0.id == id }) else { continue }
                if named[id] == nil {
                    guard let stored = try writer.attachment(id) else {
                        throw AttachmentCell.invalid(json, for: field)
                    }
                    named[id] = (stored, json)
                    try note(stored.place, writer)
                }
                if let stored = named[id]?.stored { attachments.append(stored.attachment) }
            }
        }
        return .attachments(attachments)
    }

    /// The file of a link of ours, which is not fetched, since it is here; nil for a link that is dead.
    private func content(at url: String, _ writer: any StorageWriter) throws(APIError) -> Attachment.Content? {
        guard let link = links.link(at: url) else { return .remote(url: url) }
        do { try links.check(link) } catch { return nil }
        guard let stored = try writer.attachment(link.attachment) else { return nil }
        return try writer.held(stored, in: writer.schema)?.content
    }

    private func note(_ place: StoredAttachment.Place, _ writer: any StorageWriter) throws(APIError) {
        guard held[place] == nil else { return }
        held[place] = Set(try writer.attachments(at: place, in: writer.schema).map(\.id))
    }

    /// The attachments that a cell is to hold, each made for this very cell: those that it holds stay, new ones are
    /// kept, of one in another cell a new one is made with the same file.
    func adopt(
        _ wanted: [Attachment], before: [Attachment], at place: StoredAttachment.Place, of field: Field,
        _ session: WriteSession
    ) throws(APIError) -> [Attachment] {
        var adopted: [Attachment] = []
        for attachment in wanted {
            if let held = before.first(where: { $0.id == attachment.id }) {
                adopted.append(held)
            } else if new.contains(attachment.id) {
                adopted.append(try keep(attachment, at: place, session))
            } else if let found = try adopt(attachment.id, at: place, of: field, session) {
                adopted.append(found)
            }
        }
        return adopted
    }

    private func adopt(
        _ id: AttachmentID, at place: StoredAttachment.Place, of field: Field, _ session: WriteSession
    ) throws(APIError) -> Attachment? {
        guard let (stored, json) = named[id] else {
            // What no request named comes from an earlier state of the cell.
            let earlier = try session.writer.attachment(id)
            return earlier?.place == place ? earlier?.attachment : nil
        }
        if stored.place == place { return stored.attachment }
        guard stored.place.base == place.base, session.caller.holds(.recordsRead),
            held[stored.place]?.contains(id) == true
        else { throw AttachmentCell.invalid(json, for: field) }
        let copy = Attachment(
            id: Engine.randomID(), filename: stored.attachment.filename, content: stored.attachment.content)
        return try keep(copy, at: place, session)
    }

    private func keep(
        _ attachment: Attachment, at place: StoredAttachment.Place, _ session: WriteSession
    ) throws(APIError) -> Attachment {
        try session.writer.insert(
            StoredAttachment(
                attachment: attachment, place: place, user: session.caller.user.id, createdTime: session.writer.now))
        if case .remote = attachment.content { isToFetch = true }
        return attachment
    }
}

extension WriteSession {
    /// The cells with their attachments made for this record.
    ///
    /// - Parameter before: the record's cells of the same fields, in the same order; nil for a new record.
    func adopted(
        _ cells: [(field: Int, value: StoredCell)], of record: RecordID, in table: TableSchema,
        _ before: RecordBatch? = nil
    ) throws(APIError) -> [(field: Int, value: StoredCell)] {
        guard cells.contains(where: { table.fields[$0.field].type == .multipleAttachments }) else { return cells }
        var adopted = cells
        for (index, cell) in cells.enumerated() where table.fields[cell.field].type == .multipleAttachments {
            let field = table.fields[cell.field]
            guard let wanted = cell.value.attachments else { throw .cannotAccept(field.name) }
            let place = StoredAttachment.Place(base: table.base, table: table.id, field: field.id, record: record)
            let held = before?.cell(record: 0, field: index).attachments ?? []
            adopted[index].value = .attachments(
                try attachments.adopt(wanted, before: held, at: place, of: field, self))
        }
        return adopted
    }
}

extension StorageReader {
    /// The attachment as its cell holds it; nil when the cell, its record or what these are in is gone, or the cell does
    /// not hold it any more.
    func held(_ stored: StoredAttachment, in schema: Schema) throws(APIError) -> Attachment? {
        try attachments(at: stored.place, in: schema).first { $0.id == stored.attachment.id }
    }

    /// What a cell holds; nothing when it, its record or what these are in is gone.
    func attachments(at place: StoredAttachment.Place, in schema: Schema) throws(APIError) -> [Attachment] {
        guard let table = schema.base(place.base)?.table(place.table), let field = table.index(of: place.field),
            table.fields[field].type == .multipleAttachments,
            let batch = try record(place.record, in: table, fields: [field])
        else { return [] }
        return batch.cell(record: 0, field: 0).attachments ?? []
    }
}
