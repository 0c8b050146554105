package import RowhouseJSON
package import RowhouseModel

/// The options of a link field as a schema call sends them; what they name is not yet looked up.
package struct LinkOptionsInput: Sendable, Equatable {
    /// The id of a table, or the name of one whose id the caller cannot know yet.
    package var linkedTable: String?
    package var prefersSingleRecordLink: Bool?
    /// The inner nil clears it.
    package var viewForRecordSelection: String??

    /// What only answers tell (`isReversed`, `inverseLinkFieldId`) is passed over, so that a schema that was read can
    /// be sent.
    ///
    /// - Throws: `INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE` for a value of the wrong kind; names are for the message.
    package init(_ options: JSONObject, table: String, field: String) throws(APIError) {
        func invalid(_ detail: String) -> APIError { .invalidFieldOptions(table: table, field: field, detail) }
        switch options["linkedTableId"] {
        case nil, .null: break
        case .string(let text): linkedTable = text
        default: throw invalid("linkedTableId must be the id of a table")
        }
        switch options["prefersSingleRecordLink"] {
        case nil, .null: break
        case .bool(let flag): prefersSingleRecordLink = flag
        default: throw invalid("prefersSingleRecordLink must be true or false")
        }
        switch options["viewIdForRecordSelection"] {
        case nil: break
        case .null: viewForRecordSelection = .some(nil)
        case .string(let text): viewForRecordSelection = text
        default: throw invalid("viewIdForRecordSelection must be the id of a view")
        }
    }
}
