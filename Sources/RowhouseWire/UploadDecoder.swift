package import RowhouseJSON
package import RowhouseModel

/// Reads the body of "Upload attachment": `{"contentType","file","filename"}`, the file in base64.
package enum UploadDecoder {
    /// The largest file that comes within JSON, in bytes.
    package static let largest = 5 * 1024 * 1024

    package static func decode(
        _ body: JSONObject, base: BaseID, record: RecordID, field: String
    ) throws(APIError) -> (request: UploadAttachmentRequest, file: [UInt8]) {
        let filename = try Self.text("filename", of: body)
        let text = try Self.text("file", of: body)
        let type = try Self.text("contentType", of: body)
        guard let file = decode(base64: text) else { throw .invalidRequest("\"file\" is not base64.") }
        guard file.count <= largest else { throw .fileTooLarge(largest) }
        let request = UploadAttachmentRequest(
            base: base, record: record, field: field, filename: filename, contentType: type)
        return (request, file)
    }

    private static func text(_ key: String, of body: JSONObject) throws(APIError) -> String {
        switch body[key] {
        case nil, .null: throw .missingField(key)
        case .string(let text): return text
        default: throw .invalidRequest("\"\(key)\" is not a text.")
        }
    }

    /// The bytes of a text in base64 (RFC 4648, section 4), in lines or not, with its padding or without; nil for
    /// anything else.
    package static func decode(base64 text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3 + 3)
        var buffer: UInt32 = 0
        var digits = 0
        var padding = 0
        for character in text.utf8 {
            if character == 0x0D || character == 0x0A { continue }
            if character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let digit = digit(character) else { return nil }
            buffer = buffer << 6 | digit
            digits += 1
            if digits % 4 == 0 {
                for shift: UInt32 in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: buffer >> shift)) }
            }
        }
        guard padding == 0 || (digits + padding) % 4 == 0, padding <= 2 else { return nil }
        switch digits % 4 {
        case 0: break
        case 2: bytes.append(UInt8(truncatingIfNeeded: buffer >> 4))
        case 3:
            bytes.append(UInt8(truncatingIfNeeded: buffer >> 10))
            bytes.append(UInt8(truncatingIfNeeded: buffer >> 2))
        default: return nil
        }
        return bytes
    }

    private static func digit(_ character: UInt8) -> UInt32? {
        switch character {
        case 65...90: UInt32(character) - 65
        case 97...122: UInt32(character) - 71
        case 48...57: UInt32(character) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
