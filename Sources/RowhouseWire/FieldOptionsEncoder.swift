import RowhouseJSON
import RowhouseModel

/// Field options as a schema answer shows them.
enum FieldOptionsEncoder {
    static func encode(_ options: FieldOptions) -> JSONObject? {
        switch options {
        case .none: nil
        case .number(let precision): JSONObject([("precision", .number(Double(precision)))])
        case .currency(let precision, let symbol):
            JSONObject([("precision", .number(Double(precision))), ("symbol", .string(symbol))])
        case .duration(let format): JSONObject([("durationFormat", .string(format))])
        case .rating(let icon, let max, let color):
            JSONObject([("icon", .string(icon)), ("max", .number(Double(max))), ("color", .string(color))])
        case .checkbox(let icon, let color): JSONObject([("icon", .string(icon)), ("color", .string(color))])
        case .date(let format): JSONObject([("dateFormat", encode(format))])
        case .dateTime(let format): encode(format)
        case .choices(let choices, _): JSONObject([("choices", .array(choices.map(encode)))])
        case .attachments(let isReversed): JSONObject([("isReversed", .bool(isReversed))])
        case .createdTime(let result): JSONObject([("result", encode(result))])
        case .lastModifiedTime(let watched, let gone, let result):
            JSONObject([
                ("isValid", .bool(watched.isEmpty || watched.contains { !gone.contains($0) })),
                ("referencedFieldIds", encode(watched: watched, gone)), ("result", encode(result)),
            ])
        case .links(let links): encode(links)
        case .formula(let formula):
            JSONObject([
                ("isValid", .bool(formula.isValid)), ("formula", .string(formula.formula)),
                ("referencedFieldIds", formula.isValid ? encode(formula.referencedFieldIDs) : .null),
                ("result", encode(formula.result)),
            ])
        case .rollup(let rollup):
            JSONObject([
                ("isValid", .bool(rollup.isValid)), ("recordLinkFieldId", encode(rollup.recordLinkFieldID)),
                ("fieldIdInLinkedTable", encode(rollup.fieldIDInLinkedTable)),
                ("referencedFieldIds", rollup.isValid ? encode(rollup.referencedFieldIDs) : .null),
                ("result", encode(rollup.result)),
            ])
        case .lookup(let lookup):
            JSONObject([
                ("isValid", .bool(lookup.isValid)), ("recordLinkFieldId", encode(lookup.recordLinkFieldID)),
                ("fieldIdInLinkedTable", encode(lookup.fieldIDInLinkedTable)), ("result", encode(lookup.result)),
            ])
        case .count(let link, _):
            JSONObject([("isValid", .bool(link != nil)), ("recordLinkFieldId", encode(link))])
        case .button: nil
        }
    }

    private static func encode(_ links: LinkOptions) -> JSONObject {
        var object = JSONObject([
            ("linkedTableId", .string(links.linkedTableID.description)), ("isReversed", .bool(links.isReversed)),
            ("prefersSingleRecordLink", .bool(links.prefersSingleRecordLink)),
        ])
        if let inverse = links.inverseLinkFieldID { object["inverseLinkFieldId"] = .string(inverse.description) }
        if let view = links.viewIDForRecordSelection {
            object["viewIdForRecordSelection"] = .string(view.description)
        }
        return object
    }

    private static func encode(_ id: FieldID?) -> JSONValue { id.map { .string($0.description) } ?? .null }

    /// Those that are there; nothing when they are all gone: an empty list means every field.
    private static func encode(watched: [FieldID], _ gone: Set<FieldID>) -> JSONValue {
        let left = watched.filter { !gone.contains($0) }
        return left.isEmpty && !watched.isEmpty ? .null : encode(left)
    }

    private static func encode(_ ids: [FieldID]) -> JSONValue { .array(ids.map { .string($0.description) }) }

    private static func encode(_ result: ComputedResult?) -> JSONValue {
        guard let result else { return .null }
        var object = JSONObject([("type", .string(result.type.rawValue))])
        if let options = encode(result.options) { object["options"] = .object(options) }
        return .object(object)
    }

    private static func encode(_ choice: SelectChoice) -> JSONValue {
        var object = JSONObject([("id", .string(choice.id.description)), ("name", .string(choice.name))])
        if let color = choice.color { object["color"] = .string(color) }
        return .object(object)
    }

    private static func encode(_ format: DateFormat) -> JSONValue {
        .object(JSONObject([("name", .string(format.name)), ("format", .string(format.format))]))
    }

    private static func encode(_ format: DateTimeFormat) -> JSONObject {
        JSONObject([
            ("dateFormat", encode(format.date)),
            (
                "timeFormat",
                .object(JSONObject([("name", .string(format.time.name)), ("format", .string(format.time.format))]))
            ),
            ("timeZone", .string(format.timeZone)),
        ])
    }

    private static func encode(_ result: TimeResult) -> JSONValue {
        switch result {
        case .date(let format):
            .object(
                JSONObject([
                    ("type", .string("date")), ("options", .object(JSONObject([("dateFormat", encode(format))]))),
                ]))
        case .dateTime(let format):
            .object(JSONObject([("type", .string("dateTime")), ("options", .object(encode(format)))]))
        }
    }
}
