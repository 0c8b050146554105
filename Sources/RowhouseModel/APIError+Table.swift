// The error table. Every error that leaves the program is made here.

extension APIError {
    // MARK: route, token, rights

    package static let notFound = APIError(status: 404, type: "NOT_FOUND", message: nil, shape: .bare)
    package static let authenticationRequired = APIError(
        status: 401, type: "AUTHENTICATION_REQUIRED", message: "Authentication required")
    package static let invalidPermissionsOrModelNotFound = APIError(
        status: 403, type: "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND",
        message: "Invalid permissions, or the requested model was not found. Check that both your user and your "
            + "token have the required permissions, and that the model names and/or ids are correct.")
    package static let invalidPermissions = APIError(
        status: 403, type: "INVALID_PERMISSIONS", message: "You are not permitted to perform this operation")
    package static func methodNotAllowed() -> APIError { .notFound }
    package static let rateLimitReached = APIError(
        status: 429, type: "RATE_LIMIT_REACHED", message: "Rate limit exceeded. Please try again later")

    package static func modelNotFound(_ model: String) -> APIError {
        APIError(status: 404, type: "MODEL_ID_NOT_FOUND", message: "\(model) not found")
    }
    package static let recordNotFound = modelNotFound("Record")
    /// What was never deleted, or is gone for good.
    package static let notInTrash = APIError(
        status: 404, type: "MODEL_ID_NOT_FOUND", message: "Not found in the trash")

    // MARK: requests

    package static let invalidRequest = APIError(
        status: 422, type: "INVALID_REQUEST_UNKNOWN",
        message: "Invalid request: parameter validation failed. Check your request data.")
    package static func invalidRequest(_ detail: String) -> APIError {
        APIError(
            status: 422, type: "INVALID_REQUEST_UNKNOWN",
            message: "Invalid request: parameter validation failed. Check your request data. \(detail)")
    }
    package static func unparsableBody(_ reason: String, at offset: Int) -> APIError {
        APIError(
            status: 422, type: "INVALID_REQUEST_BODY",
            message: "Could not parse request body: \(reason) at byte \(offset)")
    }
    package static func missingField(_ key: String) -> APIError {
        APIError(
            status: 422, type: "INVALID_REQUEST_MISSING_FIELDS",
            message: "Could not find field \"\(key.prefix(1000))\" in the request body")
    }
    package static let invalidRecordsForCreate = APIError(
        status: 422, type: "INVALID_RECORDS",
        message: "You must provide an array of up to 10 record objects, each with a \"fields\" object for cell values.")
    package static let invalidRecordsForUpdate = APIError(
        status: 422, type: "INVALID_RECORDS",
        message: "You must provide an array of up to 10 record objects, each with an \"id\" ID field and a "
            + "\"fields\" object for cell values.")
    package static let invalidRecordsForDelete = APIError(
        status: 422, type: "INVALID_RECORDS", message: "You must provide an array of up to 10 record IDs.")
    package static func recordDoesNotExist(_ id: String) -> APIError {
        APIError(
            status: 422, type: "ROW_DOES_NOT_EXIST", message: "Record ID \(id.prefix(200)) does not exist in this table"
        )
    }
    package static func idempotencyConflict() -> APIError {
        APIError(
            status: 422, type: "IDEMPOTENCY_KEY_REUSED",
            message: "This Idempotency-Key was used before with another request")
    }

    // MARK: lists

    package static func unknownFieldName(_ name: String) -> APIError {
        APIError(status: 422, type: "UNKNOWN_FIELD_NAME", message: "Unknown field name: \"\(name.prefix(1000))\"")
    }
    package static func invalidOffset(_ offset: String) -> APIError {
        APIError(
            status: 422, type: "INVALID_OFFSET_VALUE",
            message: "The value of offset \(offset.prefix(200)) is invalid")
    }
    package static let iteratorNotAvailable = APIError(
        status: 422, type: "LIST_RECORDS_ITERATOR_NOT_AVAILABLE", message: nil)
    package static func viewNotFound(_ reference: String) -> APIError {
        APIError(
            status: 422, type: ViewID(reference) == nil ? "VIEW_NAME_NOT_FOUND" : "VIEW_ID_NOT_FOUND",
            message: "View \(reference.prefix(1000)) not found")
    }
    package static let failedStateCheck = APIError(status: 422, type: "FAILED_STATE_CHECK", message: nil)
    package static func invalidFilterByFormula(_ detail: String) -> APIError {
        APIError(
            status: 422, type: "INVALID_FILTER_BY_FORMULA",
            message: "The formula for filtering records is invalid: \(detail)")
    }

    /// What was asked for would keep the server busy for too long.
    package static let tooMuchToCompute = APIError(
        status: 422, type: "TOO_MUCH_TO_COMPUTE",
        message: "Computing these cells takes too much work. Ask for fewer fields, or make formulas and links lighter.")

    // MARK: cells

    package static func cannotAccept(_ field: String) -> APIError {
        APIError(
            status: 422, type: "INVALID_VALUE_FOR_COLUMN",
            message: "Field \"\(field)\" cannot accept the provided value")
    }
    package static func computed(_ field: String) -> APIError {
        APIError(
            status: 422, type: "INVALID_VALUE_FOR_COLUMN",
            message: "Field \"\(field)\" cannot accept a value because the field is computed")
    }
    package static func notRecordIDs(_ field: String) -> APIError {
        APIError(
            status: 422, type: "INVALID_VALUE_FOR_COLUMN",
            message: "Field \"\(field)\" cannot accept the provided value. Value is not an array of record IDs.")
    }
    package static func tooManyLinks(_ field: String) -> APIError {
        APIError(
            status: 422, type: "INVALID_VALUE_FOR_COLUMN",
            message: "Field \"\(field)\" cannot accept the provided value: it has too many links.")
    }
    package static func invalidRecordID(_ text: String) -> APIError {
        APIError(
            status: 422, type: "INVALID_RECORD_ID", message: "Value \"\(text.prefix(200))\" is not a valid record ID.")
    }
    package static func linkedTableMismatch(_ record: RecordID, _ field: String) -> APIError {
        APIError(
            status: 422, type: "ROW_TABLE_DOES_NOT_MATCH_LINKED_TABLE",
            message: "Record ID \(record) is of another table than the one that field \"\(field)\" links to")
    }
    package static func unknownChoice(_ name: String) -> APIError {
        APIError(
            status: 422, type: "INVALID_MULTIPLE_CHOICE_OPTIONS",
            message: "Insufficient permissions to create new select option \"\"\(name.prefix(1000))\"\"")
    }
    package static func tooManyAttachments(_ field: String, _ most: Int) -> APIError {
        APIError(
            status: 422, type: "INVALID_VALUE_FOR_COLUMN",
            message: "Field \"\(field)\" cannot accept the provided value: it holds up to \(most) attachments.")
    }
    package static func attachmentsTooLong(_ field: String, _ most: Int) -> APIError {
        APIError(
            status: 422, type: "INVALID_VALUE_FOR_COLUMN",
            message: "Field \"\(field)\" cannot accept the provided value: the names and addresses of its attachments "
                + "take more than \(most) bytes.")
    }
    package static func fileTooLarge(_ limit: Int) -> APIError {
        APIError(
            status: 413, type: "REQUEST_TOO_LARGE", message: "A file may have up to \(limit) bytes.")
    }
    package static let linkExpired = APIError(
        status: 410, type: "ATTACHMENT_LINK_EXPIRED",
        message: "This link has expired; reading the record gives a new one.")
    package static func invalidAttachment(_ field: String, _ json: String) -> APIError {
        APIError(
            status: 422, type: "INVALID_ATTACHMENT_OBJECT",
            message: "Invalid attachment object for field \(field): \(json.prefix(1000))")
    }

    /// A file that is no image, is broken, or takes too much to decode.
    package static let imageNotRenderable = APIError(
        status: 422, type: "IMAGE_NOT_RENDERABLE", message: "This file cannot be rendered as an image.")

    // MARK: schema

    package static let duplicateOrEmptyFieldName = APIError(
        status: 422, type: "DUPLICATE_OR_EMPTY_FIELD_NAME",
        message: "Field names must be unique, not empty and at most 1,000 bytes long.")
    package static let duplicateTableName = APIError(
        status: 422, type: "DUPLICATE_TABLE_NAME",
        message: "Table names must be unique in their base, not empty and at most 1,000 bytes long.")
    package static let duplicateViewName = APIError(
        status: 422, type: "DUPLICATE_VIEW_NAME",
        message: "View names must be unique in their table, not empty and at most 1,000 bytes long.")
    package static func invalidFieldOptions(table: String, field: String, _ detail: String) -> APIError {
        APIError(
            status: 422, type: "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE",
            message: "Invalid options for \(table).\(field): \(detail)")
    }
    package static func unsupportedFieldType(table: String, field: String, type: String) -> APIError {
        APIError(
            status: 422, type: "UNSUPPORTED_FIELD_TYPE_FOR_CREATE",
            message: "Invalid options for \(table).\(field): Creating \(type) fields is not supported at this time")
    }

    // MARK: failures of ours

    package static let internalError = APIError(
        status: 500, type: "SERVER_ERROR", message: "The server could not answer this request.")
    package static let retriable = APIError(
        status: 503, type: "RETRIABLE_ERROR",
        message: "Server encountered an error while processing your request, and it is safe to retry the request")
    package static let storageFull = APIError(
        status: 507, type: "INSUFFICIENT_STORAGE",
        message: "The disk is full; nothing of this request was written.")
}
