import CivilTime
import RowhouseJSON
import RowhouseModel

/// Instants: ISO 8601, to the millisecond; a text without zone is read in the field's zone.
enum DateTimeCell {
    static func decode(
        _ value: JSONValue, for field: Field, in context: CellContext
    ) throws(APIError) -> StoredCell {
        guard case .string(let text) = value, case .dateTime(let format) = field.options else {
            throw .cannotAccept(field.name)
        }
        guard let zone = context.zone(named: format.timeZone) else { throw .cannotAccept(field.name) }
        if let instant = Instant(iso8601: text, in: zone) { return .integer(instant.milliseconds) }
        guard context.typecast else { throw .cannotAccept(field.name) }
        guard let date = DateCell.typed(text), let instant = Instant(iso8601: date.iso8601, in: zone) else {
            return .empty
        }
        return .integer(instant.milliseconds)
    }
}
