package import RowhouseJSON
package import RowhouseModel

/// Reads the parameters and bodies of the calls on comments.
package enum CommentDecoder {
    /// `pageSize` and `offset`; others are ignored.
    package static func decode(
        query: [(name: String, value: String)], into request: inout ListCommentsRequest
    ) throws(APIError) {
        for (name, value) in query where !value.isEmpty {
            switch name {
            case "pageSize": request.pageSize = try ListRecordsDecoder.pageSize(text: value)
            case "offset": request.offset = value
            default: continue
            }
        }
    }

    /// The `text` of a body.
    package static func text(_ body: JSONObject) throws(APIError) -> String {
        guard let value = body["text"] else { throw .missingField("text") }
        guard let text = value.stringValue else { throw .invalidRequest }
        return text
    }

    /// The `parentCommentId` of a body; null is none.
    package static func parent(_ body: JSONObject) throws(APIError) -> CommentID? {
        switch body["parentCommentId"] {
        case nil, .null: return nil
        case .string(let text):
            guard let id = CommentID(text) else { throw .invalidRequest }
            return id
        default: throw .invalidRequest
        }
    }
}
