import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Storage

/// The attachments that one request writes.
final class AttachmentWrites {
    private let links: AttachmentLinks
    private let fetcher: AttachmentFetcher?
    /// Those that requests named, and how they were written.
    private var named: [AttachmentID: (stored: StoredAttachment, json: JSONValue)] = [:]
    private var new: Set<AttachmentID> = []
    /// What the cells of those that were named held before anything was written.
    private var held: [StoredAttachment.Place: Set<AttachmentID>] = [:]
    /// Whether some could not be had, and are left out.
    private(set) var hasFailed = false
    /// Whether the bytes of some are still to be fetched.
    private(set) var isToFetch = false

    /// - Parameter fetcher: knows from which addresses nobody fetches; nil where that is found out later.
    init(links: AttachmentLinks, fetcher: AttachmentFetcher?) {
        self.links = links
        self.fetcher = fetcher
    }

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

    /// The file of a link of ours, which is not fetched, since it is here; nil for a link that is dead, and for an
    /// address that nobody fetches from.
    private func content(at url: String, _ writer: any StorageWriter) throws(APIError) -> Attachment.Content? {
        guard let link = links.link(at: url) else {
            return fetcher?.accepts(url) ?? true ? .remote(url: url) : nil
        }
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
            guard let earlier = try session.writer.attachment(id), earlier.place == place else { return nil }
            return try takeBack(earlier, session)
        }
        if stored.place == place { return try takeBack(stored, session) }
        guard stored.place.base == place.base, session.caller.holds(.recordsRead),
            held[stored.place]?.contains(id) == true
        else { throw AttachmentCell.invalid(json, for: field) }
        let copy = Attachment(
            id: Engine.randomID(), filename: stored.attachment.filename, content: stored.attachment.content)
        return try keep(copy, at: place, session)
    }

    /// An attachment that comes back into its cell; what was not fetched meanwhile is fetched now.
    private func takeBack(_ stored: StoredAttachment, _ session: WriteSession) throws(APIError) -> Attachment {
        if case .remote = stored.attachment.content {
            isToFetch = true
            if stored.dueTime == nil {
                var woken = stored
                woken.dueTime = StoredAttachment.atOnce
                woken.tries = 0
                try session.writer.update(woken)
            }
        }
        return stored.attachment
    }

    /// Notes that the bytes of some are to be fetched, which came back with what was deleted.
    func noteWoken(_ isToFetch: Bool) { self.isToFetch = self.isToFetch || isToFetch }

    private func keep(
        _ attachment: Attachment, at place: StoredAttachment.Place, _ session: WriteSession
    ) throws(APIError) -> Attachment {
        var stored = StoredAttachment(
            attachment: attachment, place: place, user: session.caller.user.id, createdTime: session.writer.now)
        if case .remote = attachment.content {
            stored.dueTime = StoredAttachment.atOnce
            isToFetch = true
        }
        try session.writer.insert(stored)
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
            let value = StoredCell.attachments(try attachments.adopt(wanted, before: held, at: place, of: field, self))
            try AttachmentWrites.checkLength(of: value, for: field)
            adopted[index].value = value
        }
        return adopted
    }
}

extension AttachmentWrites {
    /// Every change of a cell writes all of it anew.
    static func checkLength(of cell: StoredCell, for field: Field) throws(APIError) {
        guard case .text(let text) = cell, text.utf8.count > AttachmentCell.longest else { return }
        throw .attachmentsTooLong(field.name, AttachmentCell.longest)
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
