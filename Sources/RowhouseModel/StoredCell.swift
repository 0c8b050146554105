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
/// | multipleRecordLinks | `text`, the records' ids joined by one comma, each once, in order |
/// | barcode | `text`, the JSON object as it is read |
package enum StoredCell: Sendable {
    case empty
    case integer(Int64)
    case real(Double)
    case text(String)
}

extension StoredCell: Equatable {
    /// Texts are compared byte by byte: Unicode equivalence would hide an edit from one spelling of a letter to another.
    package static func == (left: StoredCell, right: StoredCell) -> Bool {
        switch (left, right) {
        case (.empty, .empty): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }
}
