package import RowhouseJSON
package import RowhouseModel

/// Reads the JSON value of a cell into the form that is kept, by the rules of the field's type; all but attachments,
/// which only a store can tell (`AttachmentCell`).
package enum CellDecoder {
    /// The most characters that a text cell holds.
    package static let longestText = 100_000

    /// - Throws: `INVALID_VALUE_FOR_COLUMN`, `INVALID_MULTIPLE_CHOICE_OPTIONS` or `INVALID_RECORD_ID`.
    package static func decode(
        _ value: JSONValue, for field: Field, in context: inout CellContext
    ) throws(APIError) -> StoredCell {
        guard field.type.isWritable else { throw .computed(field.name) }
        if case .null = value { return .empty }
        switch field.type {
        case .singleLineText, .multilineText, .richText, .email, .url, .phoneNumber:
            return try TextCell.decode(value, for: field, in: context)
        case .number, .percent, .currency: return try NumberCell.decode(value, for: field, in: context)
        case .duration: return try DurationCell.decode(value, for: field, in: context)
        case .rating: return try RatingCell.decode(value, for: field, in: context)
        case .checkbox: return try CheckboxCell.decode(value, for: field, in: context)
        case .date: return try DateCell.decode(value, for: field, in: context)
        case .dateTime: return try DateTimeCell.decode(value, for: field, in: context)
        case .singleSelect: return try SelectCell.decodeSingle(value, for: field, in: &context)
        case .multipleSelects: return try SelectCell.decodeMultiple(value, for: field, in: &context)
        case .singleCollaborator: return try CollaboratorCell.decodeSingle(value, for: field, in: context)
        case .multipleCollaborators: return try CollaboratorCell.decodeMultiple(value, for: field, in: context)
        case .multipleRecordLinks: return try LinkCell.decode(value, for: field)
        case .barcode: return try BarcodeCell.decode(value, for: field, in: context)
        default: throw .cannotAccept(field.name)
        }
    }
}
