import RowhouseJSON
import RowhouseModel

// The stored form of links and of what is computed: keys are left out where there is no value.

extension FieldOptions {
    /// Reads the shapes that links and computed fields have.
    static func linked(_ object: JSONObject, shape: String) -> FieldOptions? {
        switch shape {
        case "links": LinkOptions(stored: object).map { .links($0) }
        case "formula": FormulaOptions(stored: object).map { .formula($0) }
        case "rollup": RollupOptions(stored: object).map { .rollup($0) }
        case "lookup": .lookup(LookupOptions(stored: object))
        case "count": .count(recordLinkFieldID: object.field("link"), missing: object.field("missingLink"))
        case "button": ButtonOptions(stored: object).map { .button($0) }
        default: nil
        }
    }

    static func count(_ link: FieldID?, missing: FieldID?) -> JSONObject {
        var object = JSONObject([("shape", .string("count"))])
        object.set("link", link?.description)
        object.set("missingLink", missing?.description)
        return object
    }
}

extension LinkOptions {
    var stored: JSONObject {
        var object = JSONObject([
            ("shape", .string("links")), ("table", .string(linkedTableID.description)),
            ("isReversed", .bool(isReversed)), ("prefersSingle", .bool(prefersSingleRecordLink)),
        ])
        object.set("inverse", inverseLinkFieldID?.description)
        object.set("view", viewIDForRecordSelection?.description)
        return object
    }

    init?(stored object: JSONObject) {
        guard let table = object["table"]?.stringValue.flatMap({ TableID($0) }) else { return nil }
        self.init(
            linkedTableID: table, inverseLinkFieldID: object.field("inverse"),
            prefersSingleRecordLink: object["prefersSingle"]?.boolValue ?? false,
            isReversed: object["isReversed"]?.boolValue ?? false,
            viewIDForRecordSelection: object["view"]?.stringValue.flatMap { ViewID($0) })
    }
}

extension FormulaOptions {
    var stored: JSONObject {
        var object = JSONObject([
            ("shape", .string("formula")), ("formula", .string(formula)), ("isValid", .bool(isValid)),
            ("references", .ids(referencedFieldIDs)),
        ])
        object.set("format", format)
        object.set("result", result)
        return object
    }

    init?(stored object: JSONObject) {
        guard let formula = object["formula"]?.stringValue else { return nil }
        self.init(
            formula: formula, format: object.result("format"), isValid: object["isValid"]?.boolValue ?? false,
            referencedFieldIDs: object.fields("references"), result: object.result("result"))
    }
}

extension RollupOptions {
    var stored: JSONObject {
        var object = JSONObject([
            ("shape", .string("rollup")), ("formula", .string(formula)), ("isValid", .bool(isValid)),
            ("references", .ids(referencedFieldIDs)),
        ])
        object.set("link", recordLinkFieldID?.description)
        object.set("field", fieldIDInLinkedTable?.description)
        object.set(missing)
        object.set("format", format)
        object.set("result", result)
        return object
    }

    init?(stored object: JSONObject) {
        guard let formula = object["formula"]?.stringValue else { return nil }
        self.init(
            recordLinkFieldID: object.field("link"), fieldIDInLinkedTable: object.field("field"), formula: formula,
            format: object.result("format"), isValid: object["isValid"]?.boolValue ?? false,
            referencedFieldIDs: object.fields("references"), result: object.result("result"))
        missing = object.missing
    }
}

extension LookupOptions {
    var stored: JSONObject {
        var object = JSONObject([("shape", .string("lookup")), ("isValid", .bool(isValid))])
        object.set("link", recordLinkFieldID?.description)
        object.set("field", fieldIDInLinkedTable?.description)
        object.set(missing)
        object.set("result", result)
        return object
    }

    init(stored object: JSONObject) {
        self.init(
            recordLinkFieldID: object.field("link"), fieldIDInLinkedTable: object.field("field"),
            isValid: object["isValid"]?.boolValue ?? false, result: object.result("result"))
        missing = object.missing
    }
}

extension ButtonOptions {
    var stored: JSONObject {
        var object = JSONObject([
            ("shape", .string("button")), ("label", .string(label)), ("isValid", .bool(isValid)),
            ("references", .ids(referencedFieldIDs)),
        ])
        object.set("url", urlFormula)
        return object
    }

    init?(stored object: JSONObject) {
        guard let label = object["label"]?.stringValue else { return nil }
        self.init(
            label: label, urlFormula: object["url"]?.stringValue, isValid: object["isValid"]?.boolValue ?? false,
            referencedFieldIDs: object.fields("references"))
    }
}

extension JSONValue {
    fileprivate static func ids(_ ids: [FieldID]) -> JSONValue { .array(ids.map { .string($0.description) }) }
}

extension JSONObject {
    fileprivate func field(_ key: String) -> FieldID? { self[key]?.stringValue.flatMap { FieldID($0) } }

    fileprivate func fields(_ key: String) -> [FieldID] {
        (self[key]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { FieldID($0) } }
    }

    fileprivate func result(_ key: String) -> ComputedResult? {
        guard let object = self[key]?.objectValue, let type = object["type"]?.stringValue.flatMap(FieldType.init),
            let options = object["options"].flatMap({ FieldOptions(stored: $0) })
        else { return nil }
        return ComputedResult(type: type, options: options)
    }

    fileprivate var missing: MissingReferences {
        MissingReferences(link: field("missingLink"), linkedField: field("missingField"))
    }

    fileprivate mutating func set(_ missing: MissingReferences) {
        set("missingLink", missing.link?.description)
        set("missingField", missing.linkedField?.description)
    }

    fileprivate mutating func set(_ key: String, _ text: String?) {
        if let text { self[key] = .string(text) }
    }

    fileprivate mutating func set(_ key: String, _ result: ComputedResult?) {
        guard let result else { return }
        self[key] = .object(["type": .string(result.type.rawValue), "options": result.options.stored])
    }
}
