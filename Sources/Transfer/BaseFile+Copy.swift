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

// The records of an export belong to its tables and to each other.
extension BaseFile {
    /// Checks that each record has an identifier of its own, that its cells are of fields of its table, and that what it
    /// links to is in the document.
    func checkRecords() throws(TransferError) {
        var tableOfRecord: [String: Int] = [:]
        for (index, table) in tables.enumerated() {
            for (number, id) in table.recordIDs.enumerated() {
                guard tableOfRecord.updateValue(index, forKey: id) == nil else {
                    throw .file("\(Self.place(index, number)): there are two records \(id.prefix(100)).")
                }
            }
        }
        for (index, table) in tables.enumerated() {
            let linked = linkedTables(table)
            let names = Set(table.input.fields.map(\.name))
            for (number, cells) in table.records.enumerated() {
                for (name, value) in cells {
                    let place = Self.place(index, number)
                    guard names.contains(name) else {
                        throw .file("\(place): the table \(table.input.name) has no field \(name.prefix(100)).")
                    }
                    guard let target = linked[name] else { continue }
                    for id in (value.arrayValue ?? []).compactMap(\.stringValue) where tableOfRecord[id] != target {
                        throw .file(
                            "\(place): \(name.prefix(100)) links to \(id.prefix(100)), which is no record of the table \(tables[target].input.name)."
                        )
                    }
                }
            }
        }
    }

    private static func place(_ table: Int, _ record: Int) -> String { "tables[\(table)].records[\(record)]" }

    /// By the name of each link field the number of the table that it leads to; a wrong one is for the engine to tell.
    private func linkedTables(_ table: Table) -> [String: Int] {
        var linked: [String: Int] = [:]
        for field in table.input.fields where field.type == FieldType.multipleRecordLinks.rawValue {
            let id = field.options?["linkedTableId"]?.stringValue
            linked[field.name] = tables.firstIndex { $0.copy?.id == id }
        }
        return linked
    }
}
