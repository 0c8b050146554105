package import RowhouseJSON
package import RowhouseModel

extension SchemaDecoder {
    /// The most names in one list of a body: a table has no more fields.
    private static let mostNames = 500
    /// The most records that one call moves.
    private static let mostMoved = 1_000

    /// `{"name"?,"type"?,"filterByFormula"?,"sort"?,"visibleFieldIds"?,"recordOrder"?}`.
    package static func view(_ body: JSONObject) throws(APIError) -> ViewInput {
        ViewInput(
            name: try name(body), type: try text(body["type"]), filterByFormula: try filter(body),
            sort: try sort(body["sort"]), visibleFieldIDs: try visibleFieldIDs(body),
            recordOrder: try move(body["recordOrder"]))
    }

    private static func text(_ value: JSONValue?) throws(APIError) -> String? {
        switch value {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw .invalidRequest
        }
    }

    /// Null and the empty text clear.
    private static func filter(_ body: JSONObject) throws(APIError) -> String?? {
        guard let value = body["filterByFormula"] else { return nil }
        guard let text = try text(value), !text.isEmpty else { return .some(nil) }
        return text
    }

    /// Null clears.
    private static func sort(_ value: JSONValue?) throws(APIError) -> [SortRequest]? {
        guard let value else { return nil }
        if value.isNull { return [] }
        guard let items = value.arrayValue, items.count <= mostNames else { throw .invalidRequest }
        var sort: [SortRequest] = []
        for item in items {
            guard let object = item.objectValue, let field = object["field"]?.stringValue,
                let direction = SortDirection(rawValue: try text(object["direction"]) ?? "asc")
            else { throw .invalidRequest }
            sort.append(SortRequest(field: field, direction: direction))
        }
        return sort
    }

    /// Null shows every field.
    private static func visibleFieldIDs(_ body: JSONObject) throws(APIError) -> [String]?? {
        guard let value = body["visibleFieldIds"] else { return nil }
        if value.isNull { return .some(nil) }
        return try texts(value, upTo: mostNames)
    }

    private static func move(_ value: JSONValue?) throws(APIError) -> RecordMove? {
        guard let value else { return nil }
        // Both are asked for, since a forgotten place would move records to the end.
        guard let object = value.objectValue, let moved = object["move"], let place = object["before"] else {
            throw .invalidRequest
        }
        let texts = try texts(moved, upTo: mostMoved)
        guard !texts.isEmpty else { throw .invalidRequest }
        var records: [RecordID] = []
        for text in texts { records.append(try record(text)) }
        let before = try text(place)
        return RecordMove(records: records, before: try before.map { (text) throws(APIError) in try record(text) })
    }

    private static func record(_ text: String) throws(APIError) -> RecordID {
        guard let id = RecordID(text) else { throw .recordDoesNotExist(text) }
        return id
    }

    private static func texts(_ value: JSONValue, upTo limit: Int) throws(APIError) -> [String] {
        guard let items = value.arrayValue, items.count <= limit else { throw .invalidRequest }
        let texts = items.compactMap(\.stringValue)
        guard texts.count == items.count else { throw .invalidRequest }
        return texts
    }
}
