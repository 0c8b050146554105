/// The field types of Airtable's API, by the names that the schema calls use.
package enum FieldType: String, CaseIterable, Sendable {
    case singleLineText, multilineText, richText, email, url, phoneNumber
    case number, percent, currency, duration, rating
    case checkbox
    case date, dateTime
    case singleSelect, multipleSelects
    case singleCollaborator, multipleCollaborators
    case multipleRecordLinks, multipleAttachments
    case barcode
    case formula, rollup, multipleLookupValues, count
    case autoNumber, createdTime, lastModifiedTime, createdBy, lastModifiedBy
    case button, aiText, externalSyncSource, manualSort

    /// How the cells of a type are kept by a store.
    package enum Kept: Sendable {
        /// UTF-8 text: text kinds as written; lists, barcodes and collaborators in the form of `StoredCell`.
        case text
        /// A 64-bit float.
        case real
        /// A 64-bit integer: 1 for a checked box, milliseconds since 1970 UTC for dates, the choice's number.
        case integer
        /// Links between records, kept once for both sides; a cell is text all the same (`StoredCell`).
        case links
        /// Nothing: the value comes from the record itself (its number, times and users) or from other cells.
        case nothing
    }

    /// How cells of this type are kept.
    package var kept: Kept {
        switch self {
        case .singleLineText, .multilineText, .richText, .email, .url, .phoneNumber, .multipleSelects,
            .singleCollaborator, .multipleCollaborators, .multipleAttachments, .barcode, .lastModifiedBy:
            .text
        case .number, .percent, .currency, .duration, .rating: .real
        case .checkbox, .date, .dateTime, .singleSelect, .lastModifiedTime: .integer
        case .multipleRecordLinks: .links
        case .formula, .rollup, .multipleLookupValues, .count, .autoNumber, .createdTime, .createdBy, .button,
            .aiText, .externalSyncSource, .manualSort:
            .nothing
        }
    }

    /// Whether a person may write cells of this type; every other type is computed.
    package var isWritable: Bool {
        switch self {
        case .formula, .rollup, .multipleLookupValues, .count, .autoNumber, .createdTime, .lastModifiedTime,
            .createdBy, .lastModifiedBy, .button, .aiText, .externalSyncSource, .manualSort:
            false
        default: true
        }
    }

    /// Whether the type holds plain text that is kept exactly as written.
    package var isText: Bool {
        switch self {
        case .singleLineText, .multilineText, .richText, .email, .url, .phoneNumber: true
        default: false
        }
    }

    /// Whether a field of this type may be a table's primary field.
    package var canBePrimary: Bool {
        switch self {
        case .singleLineText, .multilineText, .date, .dateTime, .phoneNumber, .email, .url, .number, .currency,
            .percent, .duration, .barcode, .autoNumber, .formula:
            true
        default: false
        }
    }

    /// Whether an upsert may merge on a field of this type (Airtable's "Update multiple records").
    package var canMerge: Bool {
        switch self {
        case .number, .percent, .currency, .duration, .rating, .singleLineText, .multilineText, .email, .url,
            .phoneNumber, .singleSelect, .multipleSelects, .date, .dateTime:
            true
        default: false
        }
    }
}
