import RowhouseModel
import Testing

/// The error table of Airtable's Web API, as observed.
struct ErrorTableTests {
    private static let rows: [(error: APIError, status: Int, type: String, message: String?)] = [
        (.notFound, 404, "NOT_FOUND", nil),
        (.authenticationRequired, 401, "AUTHENTICATION_REQUIRED", "Authentication required"),
        (
            .invalidPermissionsOrModelNotFound, 403, "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND",
            "Invalid permissions, or the requested model was not found. Check that both your user and your token have the required permissions, and that the model names and/or ids are correct."
        ),
        (.invalidPermissions, 403, "INVALID_PERMISSIONS", "You are not permitted to perform this operation"),
        (.recordNotFound, 404, "MODEL_ID_NOT_FOUND", "Record not found"),
        (.modelNotFound("Table"), 404, "MODEL_ID_NOT_FOUND", "Table not found"),
        (
            .invalidRequest, 422, "INVALID_REQUEST_UNKNOWN",
            "Invalid request: parameter validation failed. Check your request data."
        ),
        (
            .missingField("fields"), 422, "INVALID_REQUEST_MISSING_FIELDS",
            #"Could not find field "fields" in the request body"#
        ),
        (
            .invalidRecordsForUpdate, 422, "INVALID_RECORDS",
            #"You must provide an array of up to 10 record objects, each with an "id" ID field and a "fields" object for cell values."#
        ),
        (
            .invalidRecordsForCreate, 422, "INVALID_RECORDS",
            #"You must provide an array of up to 10 record objects, each with a "fields" object for cell values."#
        ),
        (
            .invalidRecordsForDelete, 422, "INVALID_RECORDS",
            "You must provide an array of up to 10 record IDs."
        ),
        (
            .recordDoesNotExist("recX"), 422, "ROW_DOES_NOT_EXIST", "Record ID recX does not exist in this table"
        ),
        (.unknownFieldName("X"), 422, "UNKNOWN_FIELD_NAME", #"Unknown field name: "X""#),
        (.cannotAccept("X"), 422, "INVALID_VALUE_FOR_COLUMN", #"Field "X" cannot accept the provided value"#),
        (
            .computed("X"), 422, "INVALID_VALUE_FOR_COLUMN",
            #"Field "X" cannot accept a value because the field is computed"#
        ),
        (
            .unknownChoice("X"), 422, "INVALID_MULTIPLE_CHOICE_OPTIONS",
            #"Insufficient permissions to create new select option ""X"""#
        ),
        (
            .invalidAttachment("F", #"{"id":"x"}"#), 422, "INVALID_ATTACHMENT_OBJECT",
            #"Invalid attachment object for field F: {"id":"x"}"#
        ),
        (
            .invalidFilterByFormula("Invalid formula. Please check your formula text."), 422,
            "INVALID_FILTER_BY_FORMULA",
            "The formula for filtering records is invalid: Invalid formula. Please check your formula text."
        ),
        (.invalidOffset("X"), 422, "INVALID_OFFSET_VALUE", "The value of offset X is invalid"),
        (.iteratorNotAvailable, 422, "LIST_RECORDS_ITERATOR_NOT_AVAILABLE", nil),
        (.viewNotFound("X"), 422, "VIEW_NAME_NOT_FOUND", "View X not found"),
        (.viewNotFound("viwA1b2C3d4E5f6G7"), 422, "VIEW_ID_NOT_FOUND", "View viwA1b2C3d4E5f6G7 not found"),
        (.failedStateCheck, 422, "FAILED_STATE_CHECK", nil),
        (
            .unsupportedFieldType(table: "Tasks", field: "Created At", type: "createdTime"), 422,
            "UNSUPPORTED_FIELD_TYPE_FOR_CREATE",
            "Invalid options for Tasks.Created At: Creating createdTime fields is not supported at this time"
        ),
        (
            .rateLimitReached, 429, "RATE_LIMIT_REACHED", "Rate limit exceeded. Please try again later"
        ),
        (
            .retriable, 503, "RETRIABLE_ERROR",
            "Server encountered an error while processing your request, and it is safe to retry the request"
        ),
    ]

    @Test func `Every error has the status, type and message of the table`() {
        for row in Self.rows {
            #expect(row.error.status == row.status, "\(row.type)")
            #expect(row.error.type == row.type)
            #expect(row.error.message == row.message)
        }
    }

    @Test func `Only the unknown address is answered with a bare word`() {
        for row in Self.rows { #expect((row.error.shape == .bare) == (row.type == "NOT_FOUND"), "\(row.type)") }
    }

    @Test func `Errors without an observed text have the observed status and type`() {
        let rows: [(APIError, Int, String)] = [
            (.duplicateOrEmptyFieldName, 422, "DUPLICATE_OR_EMPTY_FIELD_NAME"),
            (.duplicateTableName, 422, "DUPLICATE_TABLE_NAME"),
            (
                .invalidFieldOptions(table: "T", field: "F", "why"), 422, "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE"
            ),
            (.unparsableBody("why", at: 3), 422, "INVALID_REQUEST_BODY"),
        ]
        for (error, status, type) in rows { #expect(error.status == status && error.type == type) }
    }

    @Test func `A body that cannot be parsed is told with the place`() {
        #expect(APIError.unparsableBody("Unexpected end", at: 17).message?.contains("17") == true)
    }

    @Test func `What a client sent is not sent back without bound`() {
        let long = String(repeating: "x", count: 100_000)
        for error in [
            APIError.invalidOffset(long), .unknownChoice(long), .invalidAttachment("F", long), .unknownFieldName(long),
            .recordDoesNotExist(long), .viewNotFound(long), .missingField(long),
        ] {
            #expect((error.message?.utf8.count ?? 0) < 2_000, "\(error.type)")
        }
    }
}
