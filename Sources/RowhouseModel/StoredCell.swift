/// One cell value in the form that a store keeps, whatever the store.
///
/// | type | form |
/// | --- | --- |
/// | text kinds, e-mail, URL, phone | `text` exactly as written |
/// | number, percent, currency, duration (seconds), rating | `real` |
/// | checkbox | `integer(1)`, unchecked is `empty` |
/// | date, dateTime, lastModifiedTime | `integer`, milliseconds since 1970 UTC (a date at 00:00 UTC) |
/// | singleSelect | `integer`, the choice's number |
/// | multipleSelects | `text`, a JSON array of choice numbers without spaces, `[3,1]` |
/// | singleCollaborator, lastModifiedBy | `text`, the user's id |
/// | multipleCollaborators | `text`, the users' ids joined by one comma |
/// | barcode | `text`, the JSON object as it is read |
package enum StoredCell: Sendable, Equatable {
    case empty
    case integer(Int64)
    case real(Double)
    case text(String)
}
