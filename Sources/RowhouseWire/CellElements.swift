import RowhouseJSON
package import RowhouseModel

/// The cells of one field as parts of a JSON array, record after record: a list's items without its brackets.
///
/// What shows the cells of other records again and again, as lookups do, has each of them encoded once.
package struct CellElements: Sendable {
    /// All parts; between them may be bytes that belong to none.
    package let bytes: [UInt8]
    /// Where each record's part is in `bytes`; empty for an empty cell.
    package let parts: [Range<Int>]

    /// - Parameter column: the place of the field in the batch's fields.
    package init(_ batch: RecordBatch, column: Int, users: UserDirectory, links: AttachmentLinks) {
        let prepared = PreparedColumns(fields: [batch.fields[column]], keys: .none)
        var encoder = RecordEncoder(columns: prepared, users: users, links: links)
        var writer = JSONWriter(capacity: batch.count * 16 + 16)
        writer.beginArray()
        var parts: [Range<Int>] = []
        parts.reserveCapacity(batch.count)
        var hasComma = false
        for record in 0..<batch.count {
            let start = writer.count
            let slot = batch.slots[record * batch.fields.count + column]
            encoder.write(slot, prepared.columns[0], batch.text, to: &writer)
            guard writer.count > start else {
                parts.append(start..<start)
                continue
            }
            parts.append(start + (hasComma ? 1 : 0)..<writer.count)
            hasComma = true
        }
        let bytes = writer.finish()
        self.bytes = bytes
        self.parts = parts.map { Self.withoutBrackets($0, bytes) }
    }

    private static func withoutBrackets(_ part: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
        guard part.count >= 2, bytes[part.lowerBound] == UInt8(ascii: "[") else { return part }
        return part.lowerBound + 1..<part.upperBound - 1
    }
}
