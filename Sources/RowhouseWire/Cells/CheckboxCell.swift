import RowhouseJSON
import RowhouseModel

/// Checkboxes: true, or nothing.
enum CheckboxCell {
    static let trueTexts: Set<String> = ["true", "checked", "yes", "1", "on"]
    static let falseTexts: Set<String> = ["false", "unchecked", "no", "0", "off"]

    static func decode(
        _ value: JSONValue, for field: Field, in context: CellContext
    ) throws(APIError) -> StoredCell {
        switch value {
        case .bool(let flag): return flag ? .integer(1) : .empty
        case .number(let number) where context.typecast: return number == 0 ? .empty : .integer(1)
        case .string(let text) where context.typecast:
            return trueTexts.contains(text.lowercased()) ? .integer(1) : .empty
        default: throw .cannotAccept(field.name)
        }
    }
}
