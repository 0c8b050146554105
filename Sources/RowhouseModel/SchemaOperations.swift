/// What can be done with bases, tables and fields, in the verbs of Airtable's meta API.
package protocol SchemaOperations: Sendable {
    /// The bases that the caller reaches, in order of creation.
    func listBases(as caller: Caller) async throws(APIError) -> [BaseSchema]
    func baseSchema(_ base: BaseID, as caller: Caller) async throws(APIError) -> BaseSchema
    func createBase(
        _ request: CreateBaseRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<BaseSchema>
    func deleteBase(
        _ base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<BaseID>
    func createTable(
        _ table: TableInput, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<TableSchema>
    func updateTable(
        _ request: UpdateTableRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<TableSchema>
    func deleteTable(
        _ table: TableReference, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<TableID>
    func createField(
        _ field: FieldInput, table: TableReference, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<Field>
    func updateField(
        _ request: UpdateFieldRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<Field>
    /// What `updateField` would do to the cells, where it changes the type or the choices; nothing is changed.
    func previewRetyping(_ request: UpdateFieldRequest, as caller: Caller) async throws(APIError) -> RetypingReport
    func deleteField(
        _ field: FieldID, table: TableReference, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<FieldID>
    func createView(
        _ view: ViewInput, table: TableReference, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<TableView>
    func updateView(
        _ view: ViewReference, _ change: ViewInput, table: TableReference, in base: BaseID, as caller: Caller,
        idempotency: Idempotency?
    ) async throws(APIError) -> Written<TableView>
    /// Without a table the view is found by its id in any table of the base.
    func deleteView(
        _ view: ViewReference, table: TableReference?, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<ViewID>
}

/// Tells who calls.
package protocol CallerOperations: Sendable {
    /// The caller that a bearer token stands for; nil for an unknown, expired or revoked one. Answers at once.
    func caller(token: String) -> Caller?
    /// Everyone known to the folder.
    func users() -> UserDirectory
}
