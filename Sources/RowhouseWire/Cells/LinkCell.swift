package import RowhouseJSON
package import RowhouseModel

/// Links: an array of record ids, or of objects with an `id`; kept in order, each once.
///
/// Whether the records exist is for those to say who can look them up.
package enum LinkCell {
    /// How many links one cell takes in one write.
    package static let mostLinks = 100_000

    /// Reads record ids. A single text, or one that is no id, is refused: names are for `references`.
    static func decode(_ value: JSONValue, for field: Field) throws(APIError) -> StoredCell {
        guard case .array(let items) = value else { throw .notRecordIDs(field.name) }
        var ids: [RecordID] = []
        var known: Set<RecordID> = []
        for item in try checked(items, of: field) {
            guard let text = text(of: item) else { throw .notRecordIDs(field.name) }
            guard let id = RecordID(text) else { throw .invalidRecordID(text) }
            if known.insert(id).inserted { ids.append(id) }
        }
        return .links(ids)
    }

    /// What typecast reads: ids or names of records in an array, or names in one text with commas between them.
    package static func references(_ value: JSONValue, for field: Field) throws(APIError) -> [String] {
        switch value {
        case .null: return []
        case .array(let items):
            var texts: [String] = []
            for item in try checked(items, of: field) {
                if let text = text(of: item) {
                    texts.append(text)
                } else if item.arrayValue == nil, let text = TextCell.plainText(item) {
                    texts.append(text)
                } else {
                    throw .notRecordIDs(field.name)
                }
            }
            return texts.filter { !$0.isEmpty }
        case .string(let text):
            let names = LinkNames.split(text, limit: mostLinks)
            guard let names else { throw .tooManyLinks(field.name) }
            return names
        case .number, .bool: return [TextCell.plainText(value) ?? ""]
        default: throw .notRecordIDs(field.name)
        }
    }

    private static func checked(_ items: [JSONValue], of field: Field) throws(APIError) -> [JSONValue] {
        guard items.count <= mostLinks else { throw .tooManyLinks(field.name) }
        return items
    }

    private static func text(of item: JSONValue) -> String? {
        item.stringValue ?? item.objectValue?["id"]?.stringValue
    }

    /// Appends the array of ids of a kept cell.
    static func append(_ kept: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: [UInt8(ascii: "["), UInt8(ascii: "\"")])
        for byte in kept {
            if byte == UInt8(ascii: ",") { bytes.append(UInt8(ascii: "\"")) }
            bytes.append(byte)
            if byte == UInt8(ascii: ",") { bytes.append(UInt8(ascii: "\"")) }
        }
        bytes.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: "]")])
    }
}
