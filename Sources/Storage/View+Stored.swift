package import RowhouseJSON
package import RowhouseModel

extension View {
    /// What a store keeps of a view beside its name and type; keys are left out where there is nothing to say.
    package var storedOptions: JSONValue {
        var object = JSONObject()
        if let filter { object["filter"] = .string(filter) }
        if !sort.isEmpty {
            object["sort"] = .array(
                sort.map {
                    .object([
                        "field": .string($0.field.description), "direction": .string($0.direction.rawValue),
                    ])
                })
        }
        if !hiddenFieldIDs.isEmpty {
            object["hidden"] = .array(hiddenFieldIDs.sorted().map { .string($0.description) })
        }
        if !fieldOrder.isEmpty { object["order"] = .array(fieldOrder.map { .string($0.description) }) }
        if isManuallyOrdered { object["isManuallyOrdered"] = .bool(true) }
        return .object(object)
    }

    /// Reads what `storedOptions` wrote; nil for anything else.
    package init?(id: ViewID, name: String, type: String, storedOptions value: JSONValue) {
        guard let object = value.objectValue else { return nil }
        self.init(id: id, name: name, type: type)
        filter = object["filter"]?.stringValue
        for key in object["sort"]?.arrayValue ?? [] {
            guard let key = key.objectValue, let field = key["field"]?.stringValue.flatMap({ FieldID($0) }),
                let direction = key["direction"]?.stringValue.flatMap({ SortDirection(rawValue: $0) })
            else { return nil }
            sort.append(ViewSort(field: field, direction: direction))
        }
        hiddenFieldIDs = Set(Self.fields(object["hidden"]))
        fieldOrder = Self.fields(object["order"])
        isManuallyOrdered = object["isManuallyOrdered"]?.boolValue ?? false
    }

    private static func fields(_ value: JSONValue?) -> [FieldID] {
        (value?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { FieldID($0) } }
    }
}
