import CivilTime
import RowhouseJSON
package import RowhouseModel

/// Writes the answers of the trash.
package enum TrashEncoder {
    /// `{"trash":[{"id","kind","name","table"?,"deletion","deletedTime","deletedBy","expires"}],"offset"?}`.
    package static func page(_ page: TrashPage) -> [UInt8] {
        var writer = JSONWriter(capacity: 64 + page.entries.count * 400)
        writer.beginObject()
        writer.key("trash")
        writer.beginArray()
        for entry in page.entries { write(entry, page, to: &writer) }
        writer.endArray()
        if let offset = page.offset {
            writer.key("offset")
            writer.string(offset)
        }
        writer.endObject()
        return writer.finish()
    }

    private static func write(_ entry: TrashEntry, _ page: TrashPage, to writer: inout JSONWriter) {
        writer.beginObject()
        write(entry, to: &writer)
        if entry.kind != .table, let table = entry.table {
            writer.key("table")
            writer.beginObject()
            writer.key("id")
            writer.string(table.description)
            writer.key("name")
            writer.string(page.tableNames[table] ?? "")
            writer.endObject()
        }
        writer.key("deletion")
        writer.string(entry.deletion.description)
        writer.key("deletedTime")
        writer.string(entry.deletedTime.iso8601)
        writer.key("deletedBy")
        if let user = entry.deletedBy {
            CollaboratorCell.write(user.description, users: page.users, to: &writer)
        } else {
            writer.null()
        }
        writer.key("expires")
        let end = entry.deletedTime.milliseconds &+ Int64(page.days) &* 86_400_000
        writer.string(Instant(milliseconds: end).iso8601)
        writer.endObject()
    }

    /// The members `id`, `kind` and `name`.
    private static func write(_ entry: TrashEntry, to writer: inout JSONWriter) {
        writer.key("id")
        writer.string(entry.wholeID)
        writer.key("kind")
        writer.string(entry.kind.rawValue)
        writer.key("name")
        writer.string(entry.name)
    }

    /// `{"id","restored":true,"entries":[{"id","kind","name"}]}`.
    package static func restoration(_ restoration: Restoration) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("id")
        writer.string(restoration.reference.text)
        writer.key("restored")
        writer.bool(true)
        writer.key("entries")
        writer.beginArray()
        for entry in restoration.entries {
            writer.beginObject()
            write(entry, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }
}
