package import RowhouseJSON
package import RowhouseModel

extension FieldOptions {
    /// The options as a store keeps them: the shape by name, choices with their numbers.
    package var stored: JSONValue {
        switch self {
        case .none: .object(["shape": "none"])
        case .number(let precision): .object(["shape": "number", "precision": Self.number(precision)])
        case .currency(let precision, let symbol):
            .object(["shape": "currency", "precision": Self.number(precision), "symbol": .string(symbol)])
        case .duration(let format): .object(["shape": "duration", "format": .string(format)])
        case .rating(let icon, let max, let color):
            .object([
                "shape": "rating", "icon": .string(icon), "max": Self.number(max), "color": .string(color),
            ])
        case .checkbox(let icon, let color):
            .object(["shape": "checkbox", "icon": .string(icon), "color": .string(color)])
        case .date(let format): .object(["shape": "date", "date": .string(format.name)])
        case .dateTime(let format): .object(Self.members(of: .dateTime(format), shape: "dateTime"))
        case .choices(let choices, let greatest): .object(Self.members(of: choices, greatest: greatest))
        case .attachments(let isReversed): .object(["shape": "attachments", "isReversed": .bool(isReversed)])
        case .createdTime(let result): .object(Self.members(of: result, shape: "createdTime"))
        case .lastModifiedTime(let fields, let gone, let result):
            .object(Self.members(of: result, shape: "lastModifiedTime", fields: fields, gone: gone))
        case .links(let links): .object(links.stored)
        case .formula(let formula): .object(formula.stored)
        case .rollup(let rollup): .object(rollup.stored)
        case .lookup(let lookup): .object(lookup.stored)
        case .count(let link, let missing): .object(Self.count(link, missing: missing))
        case .button(let button): .object(button.stored)
        }
    }

    /// Reads what `stored` wrote; nil for anything else.
    package init?(stored value: JSONValue) {
        guard let object = value.objectValue, let shape = object["shape"]?.stringValue else { return nil }
        switch shape {
        case "none": self = .none
        case "number":
            guard let precision = object.integer("precision") else { return nil }
            self = .number(precision: precision)
        case "currency":
            guard let precision = object.integer("precision"), let symbol = object.text("symbol") else { return nil }
            self = .currency(precision: precision, symbol: symbol)
        case "duration":
            guard let format = object.text("format") else { return nil }
            self = .duration(format: format)
        case "rating":
            guard let icon = object.text("icon"), let max = object.integer("max"), let color = object.text("color")
            else { return nil }
            self = .rating(icon: icon, max: max, color: color)
        case "checkbox":
            guard let icon = object.text("icon"), let color = object.text("color") else { return nil }
            self = .checkbox(icon: icon, color: color)
        case "date":
            guard let name = object.text("date") else { return nil }
            self = .date(DateFormat(name: name))
        case "dateTime":
            guard case .dateTime(let format)? = Self.result(object) else { return nil }
            self = .dateTime(format)
        case "choices":
            guard let choices = object["choices"]?.arrayValue?.map(Self.choice(_:)) else { return nil }
            let known = choices.compactMap(\.self)
            guard known.count == choices.count else { return nil }
            self = .choices(known, greatestNumber: object.integer("greatest") ?? 0)
        case "attachments":
            guard let isReversed = object["isReversed"]?.boolValue else { return nil }
            self = .attachments(isReversed: isReversed)
        case "createdTime":
            guard let result = Self.result(object) else { return nil }
            self = .createdTime(result: result)
        case "lastModifiedTime":
            guard let result = Self.result(object), let fields = object["fields"]?.arrayValue else { return nil }
            let ids = fields.compactMap { $0.stringValue.flatMap { FieldID($0) } }
            guard ids.count == fields.count else { return nil }
            let gone = (object["gone"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { FieldID($0) } }
            // Earlier versions said only that all were gone.
            let isValid = object["isValid"]?.boolValue ?? true
            self = .lastModifiedTime(referencedFieldIDs: ids, gone: Set(isValid ? gone : ids), result: result)
        default:
            guard let computed = Self.linked(object, shape: shape) else { return nil }
            self = computed
        }
    }

    private static func number(_ value: Int) -> JSONValue { .number(Double(value)) }

    private static func members(
        of result: TimeResult, shape: String, fields: [FieldID]? = nil, gone: Set<FieldID> = []
    ) -> JSONObject {
        var object = JSONObject([("shape", .string(shape))])
        switch result {
        case .date(let format): object["date"] = .string(format.name)
        case .dateTime(let format):
            object["date"] = .string(format.date.name)
            object["time"] = .string(format.time.name)
            object["timeZone"] = .string(format.timeZone)
        }
        if let fields { object["fields"] = .array(fields.map { .string($0.description) }) }
        if !gone.isEmpty { object["gone"] = .array(gone.sorted().map { .string($0.description) }) }
        return object
    }

    private static func members(of choices: [SelectChoice], greatest: Int) -> JSONObject {
        var object = JSONObject([("shape", .string("choices")), ("choices", .array(choices.map(stored(_:))))])
        if greatest > 0 { object["greatest"] = number(greatest) }
        return object
    }

    private static func result(_ object: JSONObject) -> TimeResult? {
        guard let date = object.text("date").map(DateFormat.init(name:)) else { return nil }
        guard let time = object.text("time") else { return .date(date) }
        guard let zone = object.text("timeZone") else { return nil }
        return .dateTime(DateTimeFormat(date: date, time: TimeFormat(name: time), timeZone: zone))
    }

    private static func stored(_ choice: SelectChoice) -> JSONValue {
        var object = JSONObject([
            ("id", .string(choice.id.description)), ("name", .string(choice.name)), ("number", number(choice.number)),
        ])
        if let color = choice.color { object["color"] = .string(color) }
        return .object(object)
    }

    private static func choice(_ value: JSONValue) -> SelectChoice? {
        guard let object = value.objectValue, let id = object.text("id").flatMap({ ChoiceID($0) }),
            let name = object.text("name"), let number = object.integer("number")
        else { return nil }
        return SelectChoice(id: id, name: name, color: object.text("color"), number: number)
    }
}

extension JSONObject {
    fileprivate func text(_ key: String) -> String? { self[key]?.stringValue }
    fileprivate func integer(_ key: String) -> Int? { self[key]?.numberValue.flatMap { Int(exactly: $0) } }
}
