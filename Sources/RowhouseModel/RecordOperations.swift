/// What can be done with records, in Airtable's verbs: fulfilled in process by the engine and over HTTP by the client.
///
/// Every method checks the caller's rights first. Errors are those of Airtable's error table.
package protocol RecordOperations: Sendable {
    func listRecords(_ request: ListRecordsRequest, as caller: Caller) async throws(APIError) -> RecordPage
    func getRecord(_ request: GetRecordRequest, as caller: Caller) async throws(APIError) -> RecordPage
    func createRecords(
        _ request: CreateRecordsRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<WrittenRecords>
    func updateRecords(
        _ request: UpdateRecordsRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<WrittenRecords>
    func deleteRecords(
        _ request: DeleteRecordsRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<[RecordID]>
}

/// Reads that can be answered at once, without waiting for a disk, a lock or a long computation.
package protocol ImmediateReads: Sendable {
    /// The page, or nil when making it may take long: then ask `RecordOperations`.
    func listRecordsNow(_ request: ListRecordsRequest, as caller: Caller) throws(APIError) -> RecordPage?
    /// The record, or nil when finding it may take long.
    func getRecordNow(_ request: GetRecordRequest, as caller: Caller) throws(APIError) -> RecordPage?
}

/// Answers whether a call may go on, before its body is read.
package protocol AccessChecks: Sendable {
    /// Checks that the base and the table exist, that the caller reaches them and holds the scope.
    /// - Throws: 403 `INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND` or `INVALID_PERMISSIONS`.
    func check(base: BaseID, table: TableReference?, scope: Scope, as caller: Caller) throws(APIError)
}

/// Admits calls or not, where a folder wants Airtable's limits.
package protocol CallAdmission: Sendable {
    /// Notes a call; answers at once.
    /// - Throws: 429 `RATE_LIMIT_REACHED` when the base or the user had too many.
    func admit(_ caller: Caller, base: BaseID?) throws(APIError)
}

/// Tells what writes were answered before.
package protocol EarlierAnswers: Sendable {
    /// What this very request was answered under its key when it came with the same token; nil where it was not, in
    /// the time that answers are kept. What the answer tells, the token was allowed to know then.
    func earlierAnswer(_ idempotency: Idempotency, as caller: Caller) throws(APIError) -> [UInt8]?
}
