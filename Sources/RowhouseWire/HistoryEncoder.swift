import CivilTime
import RowhouseJSON
package import RowhouseModel

/// Writes the history of a record.
package enum HistoryEncoder {
    /// `{"history":[{"id","time","kind","user","cells":[{"fieldId","fieldName","before","after"}]}],"offset"?}`: cells
    /// as reads show them, null where a read would show nothing.
    package static func page(_ page: RecordHistoryPage, links: AttachmentLinks) -> [UInt8] {
        var writer = JSONWriter(capacity: 64 + page.entries.count * 400)
        writer.beginObject()
        writer.key("history")
        writer.beginArray()
        for entry in page.entries {
            writer.beginObject()
            writer.key("id")
            writer.string(entry.id.description)
            writer.key("time")
            writer.string(entry.time.iso8601)
            writer.key("kind")
            writer.string(entry.kind.rawValue)
            writer.key("user")
            CollaboratorCell.write(entry.user.description, users: page.users, to: &writer)
            writer.key("cells")
            writer.beginArray()
            for cell in entry.cells { write(cell, page.users, links, to: &writer) }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        if let offset = page.offset {
            writer.key("offset")
            writer.string(offset)
        }
        writer.endObject()
        return writer.finish()
    }

    private static func write(
        _ cell: RecordHistoryEntry.Cell, _ users: UserDirectory, _ links: AttachmentLinks, to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.key("fieldId")
        writer.string(cell.field.id.description)
        writer.key("fieldName")
        writer.string(cell.field.name)
        let columns = PreparedColumns(fields: [cell.field], keys: .none)
        var encoder = RecordEncoder(columns: columns, users: users, links: links)
        for (key, value) in [("before", cell.before), ("after", cell.after)] {
            writer.key(key)
            var batch = RecordBatch(fields: [cell.field])
            batch.append(
                id: RecordID(text: IdentifierText(time: 0, counter: 0)), createdTime: Instant(milliseconds: 0),
                cells: [value])
            let start = writer.count
            encoder.write(batch.slots[0], columns.columns[0], batch.text, to: &writer)
            if writer.count == start { writer.null() }
        }
        writer.endObject()
    }
}
