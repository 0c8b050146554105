package import RowhouseJSON
package import RowhouseModel

/// Reads the parameters of a list, from a query or from the body of `listRecords`.
package enum ListRecordsDecoder {
    /// The parameters of a query, in their order, already decoded; unknown ones are ignored.
    ///
    /// - Parameter acceptsLimit: the old alias `limit` counts as `pageSize` (GET only).
    package static func decode(
        query: [(name: String, value: String)], acceptsLimit: Bool, into request: inout ListRecordsRequest
    ) throws(APIError) {
        var fields: [String]?
        var sorts = SortParameters()
        var text = PresentationParameters()
        for (name, value) in query {
            let key = BracketedKey(name)
            switch key.name {
            // Some clients send every parameter there is, the unset ones empty.
            case "fields" where value.isEmpty && key.parts.isEmpty, "sort" where value.isEmpty && key.parts.isEmpty:
                continue
            case "fields": fields = (fields ?? []) + [value]
            case "sort": try sorts.add(value, at: key)
            case "view": request.view = value.isEmpty ? nil : value
            case "filterByFormula": request.filterByFormula = value.isEmpty ? nil : value
            case "offset": request.offset = value.isEmpty ? nil : value
            case "pageSize" where !value.isEmpty, "limit" where acceptsLimit && !value.isEmpty:
                request.pageSize = try pageSize(text: value)
            case "maxRecords" where !value.isEmpty: request.maxRecords = try maxRecords(whole(value))
            default: try text.add(value, at: key)
            }
        }
        if let fields { request.fields = fields }
        let keys = try sorts.keys()
        if !keys.isEmpty { request.sort = keys }
        try text.apply(to: &request.presentation)
    }

    /// The presentation parameters of a query: of get-one, of writes and of the address of `listRecords`.
    package static func presentation(query: [(name: String, value: String)]) throws(APIError) -> RecordPresentation {
        var text = PresentationParameters()
        for (name, value) in query { try text.add(value, at: BracketedKey(name)) }
        var presentation = RecordPresentation()
        try text.apply(to: &presentation)
        return presentation
    }

    /// The body of `listRecords`; unknown keys are ignored. Presentation may stand in the query as well, which some
    /// clients use for the time zone and locale; the body wins.
    package static func decode(
        body: JSONObject, query: [(name: String, value: String)], into request: inout ListRecordsRequest
    ) throws(APIError) {
        if let fields = body.present("fields") { request.fields = try strings(fields) }
        if let sort = body.present("sort") { request.sort = try sorts(sort) }
        request.view = try text(body, "view") ?? request.view
        request.filterByFormula = try text(body, "filterByFormula") ?? request.filterByFormula
        request.offset = try text(body, "offset") ?? request.offset
        if let value = body.present("pageSize") { request.pageSize = try pageSize(whole(value)) }
        if let value = body.present("maxRecords") { request.maxRecords = try maxRecords(whole(value)) }
        var parameters = PresentationParameters()
        for (name, value) in query { try parameters.add(value, at: BracketedKey(name)) }
        for key in ["cellFormat", "timeZone", "userLocale"] {
            if let value = try text(body, key) { try parameters.add(value, at: BracketedKey(key)) }
        }
        if body.present("returnFieldsByFieldId") != nil {
            let flag = try RecordDecoder.flag(body, "returnFieldsByFieldId")
            try parameters.add(flag ? "true" : "false", at: BracketedKey("returnFieldsByFieldId"))
        }
        if let metadata = body.present("recordMetadata") {
            for name in try strings(metadata) { try parameters.add(name, at: BracketedKey("recordMetadata")) }
        }
        try parameters.apply(to: &request.presentation)
    }

    /// The most names in one list of a body: a table has no more fields.
    private static let mostNames = 500

    /// A page size as it stands in a query.
    static func pageSize(text: String) throws(APIError) -> Int { try pageSize(whole(text)) }

    private static func pageSize(_ value: Int?) throws(APIError) -> Int {
        guard let value, (1...100).contains(value) else { throw .invalidRequest }
        return value
    }

    private static func maxRecords(_ value: Int?) throws(APIError) -> Int {
        guard let value, value >= 1 else { throw .invalidRequest }
        return value
    }

    private static func whole(_ value: JSONValue) -> Int? {
        switch value {
        case .number(let number): Int(exactly: number)
        case .string(let text): whole(text)
        default: nil
        }
    }

    /// Digits only: no sign, no space.
    private static func whole(_ text: String) -> Int? {
        text.utf8.allSatisfy { $0 >= 48 && $0 <= 57 } ? Int(text) : nil
    }

    private static func text(_ body: JSONObject, _ key: String) throws(APIError) -> String? {
        guard let value = body.present(key) else { return nil }
        guard let text = value.stringValue else { throw .invalidRequest }
        return text.isEmpty ? nil : text
    }

    private static func strings(_ value: JSONValue) throws(APIError) -> [String] {
        switch value {
        case .string(let text): return [text]
        case .array(let items):
            let texts = items.compactMap(\.stringValue)
            guard texts.count == items.count, texts.count <= mostNames else { throw .invalidRequest }
            return texts
        default: throw .invalidRequest
        }
    }

    private static func sorts(_ value: JSONValue) throws(APIError) -> [SortRequest] {
        guard let items = value.arrayValue, items.count <= mostNames else { throw .invalidRequest }
        var sorts: [SortRequest] = []
        for item in items {
            guard let object = item.objectValue, let field = object["field"]?.stringValue else { throw .invalidRequest }
            sorts.append(SortRequest(field: field, direction: try direction(object.present("direction"))))
        }
        return sorts
    }

    private static func direction(_ value: JSONValue?) throws(APIError) -> SortDirection {
        guard let value else { return .asc }
        guard let direction = value.stringValue.flatMap({ SortDirection(rawValue: $0) }) else { throw .invalidRequest }
        return direction
    }
}

/// A parameter name taken apart: `sort[0][field]` is `sort`, `["0", "field"]`.
struct BracketedKey {
    let name: String
    let parts: [String]

    init(_ key: String) {
        guard let open = key.utf8.firstIndex(of: UInt8(ascii: "[")), key.utf8.last == UInt8(ascii: "]") else {
            name = key
            parts = []
            return
        }
        name = String(key[..<open])
        let inner = key[key.utf8.index(after: open)..<key.utf8.index(before: key.endIndex)]
        parts = inner.split(separator: "][", omittingEmptySubsequences: false).map(String.init)
    }
}

/// Sort keys as they come, one parameter at a time: by index, or without one in the rails style `sort[][field]`.
private struct SortParameters {
    private var byIndex: [Int: (field: String?, direction: String?)] = [:]
    private var unnumbered: [(field: String?, direction: String?)] = []

    mutating func add(_ value: String, at key: BracketedKey) throws(APIError) {
        guard key.parts.count == 2, ["field", "direction"].contains(key.parts[1]) else { throw .invalidRequest }
        let isField = key.parts[1] == "field"
        if key.parts[0].isEmpty {
            addUnnumbered(value, isField: isField)
        } else {
            guard let index = Int(key.parts[0]), (0..<1_000).contains(index) else { throw .invalidRequest }
            if isField {
                byIndex[index, default: (nil, nil)].field = value
            } else {
                byIndex[index, default: (nil, nil)].direction = value
            }
        }
    }

    private mutating func addUnnumbered(_ value: String, isField: Bool) {
        let isFilled = unnumbered.last.map { isField ? $0.field != nil : $0.direction != nil } ?? true
        if isFilled { unnumbered.append((nil, nil)) }
        if isField {
            unnumbered[unnumbered.count - 1].field = value
        } else {
            unnumbered[unnumbered.count - 1].direction = value
        }
    }

    func keys() throws(APIError) -> [SortRequest] {
        var keys: [SortRequest] = []
        for (field, direction) in byIndex.sorted(by: { $0.key < $1.key }).map(\.value) + unnumbered {
            guard let field else { throw .invalidRequest }
            guard let parsed = SortDirection(rawValue: direction.flatMap { $0.isEmpty ? nil : $0 } ?? "asc") else {
                throw .invalidRequest
            }
            keys.append(SortRequest(field: field, direction: parsed))
        }
        return keys
    }
}

/// `cellFormat`, `timeZone`, `userLocale`, `returnFieldsByFieldId` and `recordMetadata`, gathered in any order.
private struct PresentationParameters {
    private var cellFormat: String?
    private var timeZone: String?
    private var userLocale: String?
    private var byID: Bool?
    private var commentCount = false

    mutating func add(_ value: String, at key: BracketedKey) throws(APIError) {
        switch key.name {
        case "cellFormat": cellFormat = value.isEmpty ? nil : value
        case "timeZone": timeZone = value.isEmpty ? nil : value
        case "userLocale": userLocale = value.isEmpty ? nil : value
        case "returnFieldsByFieldId": byID = try RecordDecoder.flag(value)
        case "recordMetadata" where !value.isEmpty:
            guard value == "commentCount" else { throw .invalidRequest }
            commentCount = true
        default: return
        }
    }

    func apply(to presentation: inout RecordPresentation) throws(APIError) {
        if let byID { presentation.returnFieldsByFieldID = byID }
        if commentCount { presentation.commentCount = true }
        switch cellFormat {
        case nil, "json": presentation.cellFormat = .json
        case "string":
            guard let timeZone, let userLocale else { throw .invalidRequest }
            presentation.cellFormat = .string(timeZone: timeZone, userLocale: userLocale)
        default: throw .invalidRequest
        }
    }
}

extension JSONObject {
    /// The value under the key unless it is null.
    fileprivate func present(_ key: String) -> JSONValue? {
        guard let value = self[key], !value.isNull else { return nil }
        return value
    }
}
