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
            // A plain number is seconds, as in JSON; only a text with colons is read by the field's format.
            let isClock = text.utf8.contains(UInt8(ascii: ":"))
            guard let seconds = isClock ? format(of: field)?.seconds(parsing: text) : NumberCell.parse(text) else {
                return .empty
            }
            return .real(seconds == 0 ? 0 : seconds)
        default: throw .cannotAccept(field.name)
        }
    }

    static func text(_ seconds: Double, of field: Field) -> String {
        format(of: field)?.format(seconds: seconds) ?? NumberCell.plain(seconds)
    }

    private static func format(of field: Field) -> DurationFormat? {
        if case .duration(let format) = field.options { DurationFormat(pattern: format) } else { nil }
    }
}
