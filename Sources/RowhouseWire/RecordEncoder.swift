import CivilTime
package import RowhouseJSON
package import RowhouseModel

/// Writes records in Airtable's JSON from a batch, cell by cell into one buffer.
package struct RecordEncoder {
    private let prepared: PreparedColumns
    private let users: UserDirectory
    private let shown: CellText?
    private let links: AttachmentLinks
    /// Made when the first attachment is shown.
    private var linkMaker: AttachmentLinkMaker?
    private let commentCount: Bool
    private var scratch: [UInt8] = []

    private static let idKey = Array(#"{"id":"rec"#.utf8)
    private static let createdTimeKey = Array(#"","createdTime":""#.utf8)
    private static let fieldsKey = Array(#","fields":"#.utf8)
    private static let commentCountKey = Array(#","commentCount":"#.utf8)

    /// - Throws: `INVALID_REQUEST_UNKNOWN` for an unknown time zone.
    init(
        columns: PreparedColumns, presentation: RecordPresentation, users: UserDirectory, zones: TimeZoneDatabase,
        links: AttachmentLinks
    ) throws(APIError) {
        prepared = columns
        self.users = users
        self.links = links
        commentCount = presentation.commentCount
        shown = try CellText(presentation, users: users, zones: zones, links: links)
    }

    /// An encoder of single cells as JSON.
    init(columns: PreparedColumns, users: UserDirectory, links: AttachmentLinks) {
        self.links = links
        prepared = columns
        self.users = users
        shown = nil
        commentCount = false
    }

    /// Writes one record of the batch as an object.
    ///
    /// - Parameter end: writes what follows its members.
    package mutating func write(
        record: Int, of batch: borrowing RecordBatch, to writer: inout JSONWriter,
        end: (inout JSONWriter) -> Void = { _ in }
    ) {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: Self.idKey)
        batch.ids[record].text.append(to: &scratch)
        scratch.append(contentsOf: Self.createdTimeKey)
        Instant(milliseconds: batch.createdTimes[record].seconds &* 1000).appendISO8601(to: &scratch)
        scratch.append(UInt8(ascii: "\""))
        if commentCount {
            scratch.append(contentsOf: Self.commentCountKey)
            let counts = batch.commentCounts
            scratch.append(contentsOf: String(counts.indices.contains(record) ? counts[record] : 0).utf8)
        }
        scratch.append(contentsOf: Self.fieldsKey)
        writer.key(escaped: scratch)
        writer.beginObject()
        let start = record * prepared.columns.count
        for index in prepared.columns.indices {
            let slot = batch.slots[start + index]
            if case .empty = slot { continue }
            if shown == nil {
                write(slot, prepared.columns[index], batch.text, to: &writer)
            } else {
                writeShown(slot, index, batch.text, to: &writer)
            }
        }
        writer.endObject()
        end(&writer)
        writer.endObject()
    }

    /// Writes the key (unless the column has none) and the JSON value of a cell that is not empty.
    mutating func write(
        _ slot: CellSlot, _ column: PreparedColumns.Column, _ text: [UInt8], to writer: inout JSONWriter
    ) {
        switch (column.form, slot) {
        case (.text, .text(let start, let count)):
            key(column, to: &writer)
            writer.string(utf8: text, start: Int(start), count: Int(count))
        case (.real, .real(let value)):
            key(column, to: &writer)
            writer.number(value)
        case (.integer, .integer(let value)):
            key(column, to: &writer)
            writer.integer(value)
        case (.checkbox, .integer(let value)):
            guard value != 0 else { return }
            key(column, to: &writer)
            writer.bool(true)
        case (.date, .integer(let value)), (.instant, .integer(let value)), (.second, .integer(let value)):
            key(column, to: &writer)
            quoteTime(value, column.form)
            writer.raw(scratch)
        case (.choice, .integer(let number)):
            let name = prepared.choice(number, of: column)
            guard name.count > 0 else { return }
            key(column, to: &writer)
            writer.raw(prepared.bytes, start: Int(name.start), count: Int(name.count))
        case (.choices, .text(let start, let count)):
            writeChoices(text[Int(start)..<Int(start) + Int(count)], column, to: &writer)
        case (_, .json(let start, let count)):
            key(column, to: &writer)
            writer.raw(text, start: Int(start), count: Int(count))
        case (.links, .text(let start, let count)):
            key(column, to: &writer)
            scratch.removeAll(keepingCapacity: true)
            LinkCell.append(text[Int(start)..<Int(start) + Int(count)], to: &scratch)
            writer.raw(scratch)
        case (.attachments, .text(let start, let count)):
            key(column, to: &writer)
            writeAttachments(Int(start)..<Int(start) + Int(count), of: text, to: &writer)
        case (_, .text(let start, let count)):
            writeRare(String(decoding: text[Int(start)..<Int(start) + Int(count)], as: UTF8.self), column, to: &writer)
        default: return
        }
    }

    private func key(_ column: PreparedColumns.Column, to writer: inout JSONWriter) {
        guard column.key.count > 0 else { return }
        writer.key(escaped: prepared.bytes, start: Int(column.key.start), count: Int(column.key.count))
    }

    /// Leaves the time with its quotes in `scratch`.
    private mutating func quoteTime(_ milliseconds: Int64, _ form: PreparedColumns.Form) {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(UInt8(ascii: "\""))
        switch form {
        case .date: DateCell.append(milliseconds, to: &scratch)
        case .second:
            let second = Instant(milliseconds: milliseconds).seconds
            Instant(milliseconds: second &* 1000).appendISO8601(to: &scratch)
        default: Instant(milliseconds: milliseconds).appendISO8601(to: &scratch)
        }
        scratch.append(UInt8(ascii: "\""))
    }

    private func writeChoices(
        _ kept: ArraySlice<UInt8>, _ column: PreparedColumns.Column, to writer: inout JSONWriter
    ) {
        var isOpen = false
        SelectCell.forEachNumber(in: kept) { number in
            let name = prepared.choice(Int64(number), of: column)
            guard name.count > 0 else { return }
            if !isOpen {
                key(column, to: &writer)
                writer.beginArray()
                isOpen = true
            }
            writer.raw(prepared.bytes, start: Int(name.start), count: Int(name.count))
        }
        if isOpen { writer.endArray() }
    }

    private mutating func writeAttachments(_ part: Range<Int>, of text: [UInt8], to writer: inout JSONWriter) {
        let maker = linkMaker ?? links.maker()
        linkMaker = maker
        scratch.removeAll(keepingCapacity: true)
        AttachmentCell.append(part, of: text, maker, to: &scratch)
        writer.raw(scratch)
    }

    private func writeRare(_ kept: String, _ column: PreparedColumns.Column, to writer: inout JSONWriter) {
        switch column.form {
        case .collaborator:
            key(column, to: &writer)
            CollaboratorCell.write(kept, users: users, to: &writer)
        case .collaborators:
            key(column, to: &writer)
            writer.beginArray()
            for id in kept.split(separator: ",") { CollaboratorCell.write(String(id), users: users, to: &writer) }
            writer.endArray()
        case .json:
            key(column, to: &writer)
            writer.raw(Array(kept.utf8))
        default: return
        }
    }

    /// Writes the key and the text that a person sees.
    private func writeShown(_ slot: CellSlot, _ index: Int, _ text: [UInt8], to writer: inout JSONWriter) {
        guard let shown = shown?.text(slot, text, of: prepared.fields[index]), !shown.isEmpty else { return }
        key(prepared.columns[index], to: &writer)
        writer.string(shown)
    }
}
