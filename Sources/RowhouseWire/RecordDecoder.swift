package import RowhouseJSON
package import RowhouseModel

/// Reads the bodies of the record calls.
package enum RecordDecoder {
    /// The most records of one write.
    package static let longestBatch = 10

    /// Parses a body; an empty one is an empty object.
    /// - Throws: `INVALID_REQUEST_BODY` with the position of the first bad byte.
    package static func object(_ body: [UInt8]) throws(APIError) -> JSONObject {
        if body.isEmpty { return JSONObject() }
        let value: JSONValue
        do {
            value = try JSONParser.parse(body)
        } catch {
            throw APIError.unparsableBody(error.reason, at: error.offset)
        }
        guard let object = value.objectValue else { throw .unparsableBody("not an object", at: 0) }
        return object
    }

    /// `{"fields":{…}}` or `{"records":[{"fields":{…}},…]}`.
    package static func create(
        _ body: JSONObject, base: BaseID, table: TableReference, query: RecordPresentation
    ) throws(APIError) -> CreateRecordsRequest {
        let (records, isSingle) = try inputs(body, needsID: false)
        return CreateRecordsRequest(
            base: base, table: table, records: records, typecast: try flag(body, "typecast"),
            presentation: try presentation(body, query: query), isSingle: isSingle)
    }

    /// `{"records":[{"id","fields"},…],"performUpsert"?}`.
    package static func updateBatch(
        _ body: JSONObject, base: BaseID, table: TableReference, unnamed: UpdateRecordsRequest.Unnamed,
        query: RecordPresentation
    ) throws(APIError) -> UpdateRecordsRequest {
        let merge = try fieldsToMergeOn(body)
        guard body["records"] != nil else { throw .missingField("fields") }
        return UpdateRecordsRequest(
            base: base, table: table, records: try inputs(body, needsID: merge == nil).records, unnamed: unnamed,
            fieldsToMergeOn: merge, typecast: try flag(body, "typecast"),
            presentation: try presentation(body, query: query), isSingle: false)
    }

    /// `{"fields":{…}}` for the record in the path.
    package static func updateOne(
        _ body: JSONObject, record: RecordID, base: BaseID, table: TableReference,
        unnamed: UpdateRecordsRequest.Unnamed, query: RecordPresentation
    ) throws(APIError) -> UpdateRecordsRequest {
        guard let fields = body["fields"] else { throw .missingField("fields") }
        guard let object = fields.objectValue else { throw .invalidRequest }
        return UpdateRecordsRequest(
            base: base, table: table, records: [RecordInput(id: record.description, fields: object)],
            unnamed: unnamed, fieldsToMergeOn: nil, typecast: try flag(body, "typecast"),
            presentation: try presentation(body, query: query), isSingle: true)
    }

    /// A boolean in any of the accepted forms; absent and null are false.
    package static func flag(_ body: JSONObject, _ key: String) throws(APIError) -> Bool {
        switch body[key] {
        case nil, .null: return false
        case .bool(let flag): return flag
        case .number(1): return true
        case .number(0): return false
        case .string(let text): return try flag(text)
        default: throw .invalidRequest
        }
    }

    /// `true`, `false`, `1`, `0`, or nothing (false), as they stand in a query.
    package static func flag(_ text: String) throws(APIError) -> Bool {
        switch text {
        case "true", "1": return true
        case "false", "0", "": return false
        default: throw .invalidRequest
        }
    }

    private static func presentation(
        _ body: JSONObject, query: RecordPresentation
    ) throws(APIError) -> RecordPresentation {
        var presentation = query
        if body["returnFieldsByFieldId"] != nil {
            presentation.returnFieldsByFieldID = try flag(body, "returnFieldsByFieldId")
        }
        return presentation
    }

    private static func inputs(
        _ body: JSONObject, needsID: Bool
    ) throws(APIError) -> (records: [RecordInput], isSingle: Bool) {
        let problem = needsID ? APIError.invalidRecordsForUpdate : .invalidRecordsForCreate
        guard let records = body["records"] else {
            guard let fields = body["fields"] else { throw .missingField("fields") }
            guard let object = fields.objectValue else { throw .invalidRequest }
            return ([RecordInput(fields: object)], true)
        }
        guard let items = records.arrayValue, !items.isEmpty, items.count <= longestBatch else { throw problem }
        var inputs: [RecordInput] = []
        for item in items { inputs.append(try input(item, needsID: needsID, problem: problem)) }
        return (inputs, false)
    }

    private static func input(
        _ value: JSONValue, needsID: Bool, problem: APIError
    ) throws(APIError) -> RecordInput {
        guard let object = value.objectValue, let fields = object["fields"]?.objectValue else { throw problem }
        switch object["id"] {
        case .string(let id): return RecordInput(id: id, fields: fields)
        case nil, .null:
            if needsID { throw problem }
            return RecordInput(fields: fields)
        default: throw problem
        }
    }

    private static func fieldsToMergeOn(_ body: JSONObject) throws(APIError) -> [String]? {
        switch body["performUpsert"] {
        case nil, .null: return nil
        case .object(let upsert):
            guard let items = upsert["fieldsToMergeOn"]?.arrayValue, (1...3).contains(items.count) else {
                throw .invalidRequest("fieldsToMergeOn must name one to three fields.")
            }
            let names = items.compactMap(\.stringValue)
            guard names.count == items.count else { throw .invalidRequest }
            return names
        default: throw .invalidRequest
        }
    }
}
