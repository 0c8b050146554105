import CivilTime
import RowhouseJSON
import RowhouseModel
import RowhouseWire

/// The type and the options that a field is to have.
struct RetypingTarget {
    let type: FieldType
    let options: FieldOptions

    /// - Throws: where a field of its type cannot get that type, or the options do not fit.
    init(
        _ field: Field, _ request: UpdateFieldRequest, in table: TableSchema, zones: TimeZoneDatabase
    ) throws(APIError) {
        guard let type = FieldType(rawValue: request.type ?? field.type.rawValue) else {
            throw .invalidRequest("Unknown field type.")
        }
        guard type == field.type || CellConversion.isPossible(from: field.type, to: type) else {
            throw .invalidRequest("A \(field.type.rawValue) field cannot be changed to \(type.rawValue).")
        }
        guard field.id != table.primaryFieldID || type.canBePrimary else {
            throw .invalidFieldOptions(
                table: table.name, field: field.name, "a \(type.rawValue) field cannot be the primary field")
        }
        self.type = type
        let decoder = FieldOptionsDecoder(
            table: table.name, field: field.name, zones: zones, makeChoiceID: { Engine.randomID() })
        if let kept = Self.kept(field, type, request) {
            options = kept
        } else {
            options = try decoder.decode(
                request.options, type: type, existing: field.choices, given: field.greatestChoiceNumber)
        }
    }

    /// What the field has, where the request says nothing and it fits the type: the choices of a select (none of any
    /// other field: they are made of what its cells say), the precision of a number.
    private static func kept(_ field: Field, _ type: FieldType, _ request: UpdateFieldRequest) -> FieldOptions? {
        switch type {
        case .singleSelect, .multipleSelects:
            guard request.options?["choices"]?.isNull ?? true else { return nil }
            return .choices(field.choices, given: field.greatestChoiceNumber)
        case field.type: return request.options == nil ? field.options : nil
        case .number, .percent:
            guard case .number = field.options, request.options == nil else { return nil }
            return field.options
        default: return nil
        }
    }
}
