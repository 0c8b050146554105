import RowhouseJSON
package import RowhouseModel

/// Writes errors in Airtable's two shapes.
package enum ErrorEncoder {
    /// `{"error":{"type":…,"message":…}}`, or `{"error":"TYPE"}` where Airtable answers a bare word.
    package static func encode(_ error: APIError) -> [UInt8] {
        var writer = JSONWriter(capacity: 160)
        writer.beginObject()
        writer.key("error")
        switch error.shape {
        case .bare: writer.string(error.type)
        case .object:
            writer.beginObject()
            writer.key("type")
            writer.string(error.type)
            if let message = error.message {
                writer.key("message")
                writer.string(message)
            }
            writer.endObject()
        }
        writer.endObject()
        return writer.finish()
    }
}
