import CivilTime
import RowhouseJSON
import RowhouseModel

/// Durations: a number of seconds, with fractions.
enum DurationCell {
    static func decode(
        _ value: JSONValue, for field: Field, in context: CellContext
    ) throws(APIError) -> StoredCell {
        switch value {
        case .number(let seconds): return .real(seconds == 0 ? 0 : seconds)
        case .string(let text) where context.typecast:
            return DurationText.parse(text, format: format(of: field)).map { .real($0) } ?? .empty
        default: throw .cannotAccept(field.name)
        }
    }

    static func text(_ seconds: Double, of field: Field) -> String {
        DurationText.format(seconds, as: format(of: field))
    }

    private static func format(of field: Field) -> String {
        if case .duration(let format) = field.options { format } else { "h:mm" }
    }
}
