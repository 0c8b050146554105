import RowhouseJSON
import RowhouseModel

/// Attachments: a cell can be cleared; files cannot be attached yet, and saying so beats losing them.
enum AttachmentCell {
    static func decode(_ value: JSONValue, for field: Field) throws(APIError) -> StoredCell {
        guard case .array(let items) = value else { throw .cannotAccept(field.name) }
        guard let first = items.first else { return .empty }
        throw .invalidAttachment(field.name, String(decoding: first.bytes, as: UTF8.self))
    }
}
