extension StoredCell {
    /// The cell of a link field that links to these records, in this order.
    package static func links(_ records: [RecordID]) -> StoredCell {
        guard !records.isEmpty else { return .empty }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(records.count * 18)
        for (index, record) in records.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            record.append(to: &bytes)
        }
        return .text(String(decoding: bytes, as: UTF8.self))
    }

    /// The records that the cell of a link field links to; nil for what is no such cell.
    package var linkedRecords: [RecordID]? {
        switch self {
        case .empty: []
        case .text(let text): RecordID.list(text.utf8Span.span)
        case .integer, .real: nil
        }
    }
}

extension RecordID {
    /// Reads ids joined by one comma, as a link cell keeps them; nil for anything else.
    package static func list(_ text: Span<UInt8>) -> [RecordID]? {
        var records: [RecordID] = []
        records.reserveCapacity((text.count + 1) / (length + 1))
        var start = 0
        while start < text.count {
            let end = start + length
            let isLast = end == text.count
            guard isLast || (end + 1 < text.count && text[end] == UInt8(ascii: ",")),
                let id = IdentifierText(text.extracting(start..<end), after: prefix.utf8Span.span)
            else { return nil }
            records.append(RecordID(text: id))
            start = end + 1
        }
        return records
    }

    /// The number of characters of a whole id.
    package static var length: Int { prefix.utf8.count + IdentifierText.length }
}
