import RowhouseJSON
import RowhouseModel

/// Barcodes: `{"text","type"?}`, kept as that JSON.
enum BarcodeCell {
    static func decode(
        _ value: JSONValue, for field: Field, in context: CellContext
    ) throws(APIError) -> StoredCell {
        var barcode = JSONObject()
        switch value {
        case .object(let object):
            guard case .string(let text)? = object["text"], TextCell.isShort(text) else {
                throw .cannotAccept(field.name)
            }
            guard !text.isEmpty else { return .empty }
            barcode["text"] = .string(text)
            switch object["type"] {
            case nil, .null: break
            case .string(let type) where type.utf8.count <= 1_000: barcode["type"] = .string(type)
            default: throw .cannotAccept(field.name)
            }
        case .string(let text) where context.typecast:
            guard TextCell.isShort(text) else { throw .cannotAccept(field.name) }
            guard !text.isEmpty else { return .empty }
            barcode["text"] = .string(text)
        default: throw .cannotAccept(field.name)
        }
        return .text(String(decoding: JSONValue.object(barcode).bytes, as: UTF8.self))
    }

    /// The text of a kept barcode.
    static func text(_ json: String) -> String {
        (try? JSONParser.parse(Array(json.utf8)))?.objectValue?["text"]?.stringValue ?? ""
    }
}
