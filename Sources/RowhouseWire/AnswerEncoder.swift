package import CivilTime
import RowhouseJSON
package import RowhouseModel

/// Writes the answers of the record calls.
package struct AnswerEncoder {
    private let zones: TimeZoneDatabase
    private let links: AttachmentLinks
    private let cache = ColumnCache()

    package init(zones: TimeZoneDatabase, links: AttachmentLinks = AttachmentLinks()) {
        self.zones = zones
        self.links = links
    }

    /// What writing a page came to.
    package enum PageAnswer: Sendable, Equatable {
        case whole([UInt8])
        /// It would be too long; with so many of its records, at least one and not all, it is not, or has only one.
        case tooLong(fitting: Int)
    }

    /// `{"records":[…],"offset"?}`, as long as a page of more than one record has no more than `limit` bytes.
    package func list(
        _ page: RecordPage, _ presentation: RecordPresentation, limit: Int
    ) throws(APIError) -> PageAnswer {
        var writer = JSONWriter(capacity: 64 + page.batch.count * 400)
        writer.beginObject()
        var encoder = try encoder(page.batch, page.shape, page.users, presentation)
        writer.key("records")
        writer.beginArray()
        for record in 0..<page.batch.count {
            encoder.write(record: record, of: page.batch, to: &writer)
            if writer.count > limit, page.batch.count > 1 { return .tooLong(fitting: max(1, record)) }
        }
        writer.endArray()
        if let offset = page.offset {
            writer.key("offset")
            writer.string(offset)
        }
        writer.endObject()
        return .whole(writer.finish())
    }

    /// One record object.
    package func record(_ page: RecordPage, _ presentation: RecordPresentation) throws(APIError) -> [UInt8] {
        guard page.batch.count > 0 else { throw .recordNotFound }
        var encoder = try encoder(page.batch, page.shape, page.users, presentation)
        // With the array's own header just within what the allocator hands out from a thread's own store.
        var writer = JSONWriter(capacity: 960)
        encoder.write(record: 0, of: page.batch, to: &writer)
        return writer.finish()
    }

    /// Each record object of a page by itself.
    package func records(_ page: RecordPage, _ presentation: RecordPresentation) throws(APIError) -> [[UInt8]] {
        var encoder = try encoder(page.batch, page.shape, page.users, presentation)
        return (0..<page.batch.count).map { record in
            var writer = JSONWriter(capacity: 400)
            encoder.write(record: record, of: page.batch, to: &writer)
            return writer.finish()
        }
    }

    /// What a write made: one record, or `{"records":[…]}` with the lists of an upsert.
    package func written(
        _ written: WrittenRecords, single: Bool, _ presentation: RecordPresentation
    ) throws(APIError) -> [UInt8] {
        if single {
            guard written.batch.count > 0 else { throw .recordNotFound }
            var encoder = try encoder(written.batch, written.shape, written.users, presentation)
            var writer = JSONWriter(capacity: 960)
            encoder.write(record: 0, of: written.batch, to: &writer) { $0.partialSuccess(written) }
            return writer.finish()
        }
        var writer = JSONWriter(capacity: 64 + written.batch.count * 400)
        writer.beginObject()
        try writeRecords(written.batch, written.shape, written.users, presentation, to: &writer)
        if let upsert = written.upsert {
            writer.ids("updatedRecords", upsert.updated)
            writer.ids("createdRecords", upsert.created)
        }
        writer.partialSuccess(written)
        writer.endObject()
        return writer.finish()
    }

    /// `{"deleted":true,"id":…}`, or a list of those.
    package func deleted(_ ids: [RecordID], single: Bool) -> [UInt8] {
        var writer = JSONWriter(capacity: 64 * (ids.count + 1))
        if single, let id = ids.first {
            writer.deletion(of: id.description)
        } else {
            writer.beginObject()
            writer.key("records")
            writer.beginArray()
            for id in ids { writer.deletion(of: id.description) }
            writer.endArray()
            writer.endObject()
        }
        return writer.finish()
    }

    /// `{"id":…,"deleted":true}` for a base, table or field.
    package func deleted(_ id: some EntityID) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("id")
        writer.string(id.description)
        writer.key("deleted")
        writer.bool(true)
        writer.endObject()
        return writer.finish()
    }

    private func encoder(
        _ batch: RecordBatch, _ shape: RecordShape?, _ users: UserDirectory, _ presentation: RecordPresentation
    ) throws(APIError) -> RecordEncoder {
        let byID = presentation.returnFieldsByFieldID
        let columns =
            shape.map { cache.columns(of: $0, byID: byID) }
            ?? PreparedColumns(fields: batch.fields, byID: byID)
        // What is written walks over both side by side.
        guard batch.slots.count == batch.count * columns.columns.count else { throw .internalError }
        return try RecordEncoder(columns: columns, presentation: presentation, users: users, zones: zones, links: links)
    }

    private func writeRecords(
        _ batch: RecordBatch, _ shape: RecordShape?, _ users: UserDirectory, _ presentation: RecordPresentation,
        to writer: inout JSONWriter
    ) throws(APIError) {
        var encoder = try encoder(batch, shape, users, presentation)
        writer.key("records")
        writer.beginArray()
        for record in 0..<batch.count { encoder.write(record: record, of: batch, to: &writer) }
        writer.endArray()
    }
}

extension JSONWriter {
    /// Tells that some attachments could not be had.
    fileprivate mutating func partialSuccess(_ written: WrittenRecords) {
        guard written.hasFailedAttachments else { return }
        key("details")
        beginObject()
        key("message")
        string("partialSuccess")
        key("reasons")
        beginArray()
        string("attachmentsFailedUploading")
        endArray()
        endObject()
    }

    fileprivate mutating func deletion(of id: String) {
        beginObject()
        key("deleted")
        bool(true)
        key("id")
        string(id)
        endObject()
    }

    fileprivate mutating func ids(_ name: String, _ ids: [RecordID]) {
        key(name)
        beginArray()
        for id in ids { string(id.description) }
        endArray()
    }
}
