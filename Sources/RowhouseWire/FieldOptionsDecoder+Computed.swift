import RowhouseJSON
import RowhouseModel

extension FieldOptionsDecoder {
    /// The greatest length of a formula in bytes.
    static let longestFormula = 400_000

    /// The options of a computed field as they were sent: formulas still name fields as the sender does, and what
    /// follows from the schema is not known yet. Whatever a read of the schema adds is passed over.
    func computed(_ options: JSONObject?, type: FieldType) throws(APIError) -> FieldOptions {
        let options = try needed(options)
        switch type {
        case .formula:
            guard let text = options["formula"]?.stringValue else { throw invalid("formula must be a text") }
            return .formula(FormulaOptions(formula: try formula(text), format: try format(options["result"])))
        case .rollup:
            let text = try self.text(options, "formula").map { text throws(APIError) in try formula(text) }
            return .rollup(
                RollupOptions(
                    recordLinkFieldID: try field(options, "recordLinkFieldId"),
                    fieldIDInLinkedTable: try field(options, "fieldIdInLinkedTable"), formula: text ?? "",
                    format: try format(options["result"])))
        case .multipleLookupValues:
            return .lookup(
                LookupOptions(
                    recordLinkFieldID: try field(options, "recordLinkFieldId"),
                    fieldIDInLinkedTable: try field(options, "fieldIdInLinkedTable")))
        case .count: return .count(recordLinkFieldID: try field(options, "recordLinkFieldId"))
        default:
            let label = try text(options, "label") ?? "Open"
            guard !label.isEmpty, label.utf8.count <= 1_000 else { throw invalid("label must be a short text") }
            let url = try text(options, "url").map { text throws(APIError) in try formula(text) }
            return .button(ButtonOptions(label: label, urlFormula: url))
        }
    }

    private func formula(_ text: String) throws(APIError) -> String {
        guard text.utf8.count <= Self.longestFormula else { throw invalid("the formula is too long") }
        return text
    }

    private func field(_ options: JSONObject, _ key: String) throws(APIError) -> FieldID {
        guard let id = options[key]?.stringValue.flatMap({ FieldID($0) }) else {
            throw invalid("\(key) must be a field id")
        }
        return id
    }

    private func text(_ options: JSONObject, _ key: String) throws(APIError) -> String? {
        switch options[key] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw invalid("\(key) must be a text")
        }
    }

    /// How a result is to be shown; null and absent leave it to the formula.
    private func format(_ value: JSONValue?) throws(APIError) -> ComputedResult? {
        guard let value, !value.isNull else { return nil }
        guard let type = value.objectValue?["type"]?.stringValue.flatMap({ FieldType(rawValue: $0) }) else {
            throw invalid("result.type must be a field type")
        }
        switch type {
        case .number, .percent, .currency, .duration, .date, .dateTime, .checkbox:
            return ComputedResult(
                type: type, options: try decode(value.objectValue?["options"]?.objectValue, type: type))
        // Nothing to choose: texts and lists are shown as they are.
        default: return nil
        }
    }
}
