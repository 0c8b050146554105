package import RowhouseJSON
package import RowhouseModel

/// Reads the bodies of the meta API's calls; what is missing or malformed is `INVALID_REQUEST_UNKNOWN`.
package enum SchemaDecoder {
    /// `{"name","workspaceId","tables":[…]}`.
    package static func createBase(_ body: JSONObject) throws(APIError) -> CreateBaseRequest {
        guard let name = body["name"]?.stringValue, let workspace = body["workspaceId"]?.stringValue,
            let items = body["tables"]?.arrayValue, !items.isEmpty
        else { throw .invalidRequest }
        var tables: [TableInput] = []
        for item in items { tables.append(try table(item)) }
        return CreateBaseRequest(name: name, workspace: workspace, tables: tables)
    }

    /// `{"name","description"?,"fields":[…]}`.
    package static func table(_ value: JSONValue) throws(APIError) -> TableInput {
        guard let body = value.objectValue, let name = body["name"]?.stringValue,
            let items = body["fields"]?.arrayValue, !items.isEmpty
        else { throw .invalidRequest }
        var fields: [FieldInput] = []
        for item in items { fields.append(try field(item)) }
        return TableInput(name: name, description: try description(body) ?? nil, fields: fields)
    }

    /// `{"name","type","description"?,"options"?}`.
    package static func field(_ value: JSONValue) throws(APIError) -> FieldInput {
        guard let body = value.objectValue, let name = body["name"]?.stringValue,
            let type = body["type"]?.stringValue
        else { throw .invalidRequest }
        return FieldInput(
            name: name, type: type, description: try description(body) ?? nil, options: try options(body))
    }

    /// The optional `options`; null counts as absent.
    package static func options(_ body: JSONObject) throws(APIError) -> JSONObject? {
        switch body["options"] {
        case nil, .null: return nil
        case .object(let options): return options
        default: throw .invalidRequest
        }
    }

    /// The optional `name`.
    package static func name(_ body: JSONObject) throws(APIError) -> String? {
        switch body["name"] {
        case nil, .null: return nil
        case .string(let name): return name
        default: throw .invalidRequest
        }
    }

    /// The optional `description`: absent, cleared (null), or 1 to 20,000 characters.
    package static func description(_ body: JSONObject) throws(APIError) -> String?? {
        switch body["description"] {
        case nil: return nil
        case .null: return .some(nil)
        case .string(let text):
            guard !text.isEmpty, text.utf8.count <= 80_000, text.unicodeScalars.count <= 20_000 else {
                throw .invalidRequest
            }
            return .some(text)
        default: throw .invalidRequest
        }
    }
}
