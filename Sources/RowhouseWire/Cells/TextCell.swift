import RowhouseJSON
import RowhouseModel

/// Text kinds: any Unicode, kept exactly as written; the empty text clears.
enum TextCell {
    static func decode(
        _ value: JSONValue, for field: Field, in context: CellContext
    ) throws(APIError) -> StoredCell {
        let text: String
        switch value {
        case .string(let string): text = string
        case .number, .bool, .array:
            guard context.typecast, let converted = plainText(value) else { throw .cannotAccept(field.name) }
            text = converted
        default: throw .cannotAccept(field.name)
        }
        guard isShort(text) else { throw .cannotAccept(field.name) }
        return text.isEmpty ? .empty : .text(text)
    }

    /// A scalar, or an array of scalars joined by `, `, as text.
    static func plainText(_ value: JSONValue) -> String? {
        switch value {
        case .string(let string): return string
        case .number, .bool: return String(decoding: value.bytes, as: UTF8.self)
        case .array(let items):
            let texts = items.compactMap(plainText)
            return texts.count == items.count ? texts.joined(separator: ", ") : nil
        default: return nil
        }
    }

    static func isShort(_ text: String) -> Bool {
        text.utf8.count <= CellDecoder.longestText || text.unicodeScalars.count <= CellDecoder.longestText
    }
}
