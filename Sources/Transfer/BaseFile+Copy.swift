import RowhouseJSON
import RowhouseModel

// What an export has beyond a document written by hand.
extension BaseFile {
    static func copy(
        _ table: JSONObject, _ input: TableInput, at place: String
    ) throws(TransferError) -> SchemaCopy.Table {
        let fields = (table["fields"]?.arrayValue ?? []).compactMap { $0.objectValue?["id"]?.stringValue }
        guard let id = table["id"]?.stringValue, let primary = table["primaryFieldId"]?.stringValue,
            fields.count == input.fields.count
        else { throw wrong(place, "a table with \"id\" and \"primaryFieldId\", each field with an \"id\"") }
        var views: [SchemaCopy.View] = []
        for (index, view) in (table["views"]?.arrayValue ?? []).enumerated() {
            views.append(try self.view(view, at: "\(place).views[\(index)]"))
        }
        return SchemaCopy.Table(id: id, input: input, fieldIDs: fields, primaryFieldID: primary, views: views)
    }

    private static func view(_ value: JSONValue, at place: String) throws(TransferError) -> SchemaCopy.View {
        guard let object = value.objectValue, let id = object["id"]?.stringValue,
            let name = object["name"]?.stringValue, let type = object["type"]?.stringValue
        else { throw wrong(place, "an object with \"id\", \"name\" and \"type\"") }
        var sort: [SortRequest] = []
        for key in object["sort"]?.arrayValue ?? [] {
            guard let field = key.objectValue?["field"]?.stringValue,
                let direction = (key.objectValue?["direction"]?.stringValue).flatMap({ SortDirection(rawValue: $0) })
            else { throw wrong("\(place).sort", "a list of \"field\" and \"direction\"") }
            sort.append(SortRequest(field: field, direction: direction))
        }
        return SchemaCopy.View(
            id: id, name: name, type: type, filter: object["filterByFormula"]?.stringValue, sort: sort,
            visibleFieldIDs: object["visibleFieldIds"]?.arrayValue?.compactMap(\.stringValue))
    }
}
