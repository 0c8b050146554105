import RowhouseJSON
import RowhouseModel

/// Ratings: a whole number from 1 to the field's maximum; 0 is refused, null clears.
enum RatingCell {
    static func decode(
        _ value: JSONValue, for field: Field, in context: CellContext
    ) throws(APIError) -> StoredCell {
        guard case .rating(_, let max, _) = field.options else { throw .cannotAccept(field.name) }
        switch value {
        case .number(let number):
            guard number >= 1, number <= Double(max), number == number.rounded() else {
                throw .cannotAccept(field.name)
            }
            return .real(number)
        case .string(let text) where context.typecast:
            guard let number = NumberCell.parse(text), number >= 1 else { return .empty }
            return .real(min(Double(max), number.rounded()))
        default: throw .cannotAccept(field.name)
        }
    }
}
