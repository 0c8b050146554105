import CivilTime
import HTTPCore
import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Synchronization
import WebAPI

/// The floors below the door, written down instead of done: every call leaves one line.
final class RecordingServices: RecordOperations, ImmediateReads, AccessChecks, SchemaOperations, CommentOperations,
    AttachmentOperations, TrashOperations, HistoryOperations, CallerOperations, EarlierAnswers, CallAdmission
{
    struct State {
        var lines: [String] = []
        var idempotency: [Idempotency?] = []
        var list: ListRecordsRequest?
        /// What the next step of the name throws: `admit`, `check` or `call`.
        var failures: [String: APIError] = [:]
        var answersAtOnce = false
        /// Answered instead of doing the work, as for a repeated Idempotency-Key.
        var before: [UInt8]?
        /// What `earlierAnswer` tells.
        var earlier: [UInt8]?
        var bases: [BaseSchema] = [RecordingServices.base]
        var file = ServedFile(path: "/x", filename: "a.png", type: "image/png", tag: "t")
    }
    let state = Mutex(State())

    static let base = BaseSchema(
        id: BaseID(text: IdentifierText(time: 0, counter: 0)), name: "Base",
        workspace: WorkspaceID(text: IdentifierText(time: 0, counter: 0)), createdTime: Instant(milliseconds: 0),
        tables: [table])
    static let table = TableSchema(
        id: TableID(text: IdentifierText(time: 0, counter: 0)), base: BaseID(text: IdentifierText(time: 0, counter: 0)),
        name: "Tasks", description: nil, primaryFieldID: field.id, fields: [field],
        views: [View(id: ViewID(text: IdentifierText(time: 0, counter: 0)), name: "Grid view", type: "grid")],
        version: 1)
    static let field = Field(
        id: FieldID(text: IdentifierText(time: 0, counter: 0)), name: "Name", type: .singleLineText, options: .none)
    static let view = TableView(view: table.views[0], table: table)
    static let user = User(
        id: UserID(text: IdentifierText(time: 0, counter: 0)), email: "ada@example.org", name: "Ada",
        createdTime: Instant(milliseconds: 0))

    /// `all` may do everything, `none` nothing.
    static let tokens: [String: Set<Scope>] = ["all": Set(Scope.all), "none": [], "schema": [.schemaWrite]]

    // MARK: notes

    private func note(_ line: String, _ failure: String) throws(APIError) {
        let error = state.withLock { state in
            state.lines.append(line)
            return state.failures[failure]
        }
        if let error { throw error }
    }

    private func write<Value: Sendable>(
        _ line: String, _ idempotency: Idempotency?, _ value: Value
    ) throws(APIError) -> Written<Value> {
        state.withLock { $0.idempotency.append(idempotency) }
        try note(line, "call")
        let before = state.withLock { $0.before }
        return before.map { .before($0) } ?? .now(value)
    }

    private var page: RecordPage {
        var batch = RecordBatch(fields: [Self.field])
        batch.append(
            id: RecordID(text: IdentifierText(time: 0, counter: 0)), createdTime: Instant(milliseconds: 0),
            cells: [.text("a")])
        return RecordPage(batch: batch, users: users())
    }

    private func text(_ table: TableReference) -> String {
        table.exact == table.plusAsSpace ? table.exact : "\(table.exact)|\(table.plusAsSpace)"
    }

    // MARK: who and whether

    func caller(token: String) -> Caller? {
        state.withLock { $0.lines.append("caller") }
        return Self.tokens[token].map {
            Caller(user: Self.user, token: TokenID(text: IdentifierText(time: 0, counter: 0)), scopes: $0, bases: nil)
        }
    }
    func users() -> UserDirectory { UserDirectory(version: 1, users: [Self.user]) }
    func admit(_ caller: Caller, base: BaseID?) throws(APIError) {
        try note("admit \(base?.description ?? "-")", "admit")
    }
    func check(base: BaseID, table: TableReference?, scope: Scope, as caller: Caller) throws(APIError) {
        try note("check \(base) \(table.map(text) ?? "-") \(scope.rawValue)", "check")
    }

    // MARK: files

    final class Receiver: FileReceiver {
        let bytes = Mutex<[UInt8]>([])
        func take(_ piece: borrowing Span<UInt8>) throws(APIError) {
            var taken: [UInt8] = []
            for index in 0..<piece.count { taken.append(piece[index]) }
            bytes.withLock { $0 += taken }
        }
    }
    func receiver(
        for request: UploadAttachmentRequest, limit: Int, as caller: Caller
    ) throws(APIError) -> any FileReceiver {
        try note("receive \(request.record) \(request.field) \(limit)", "receive")
        return Receiver()
    }
    func uploadAttachment(
        _ request: UploadAttachmentRequest, _ file: any FileReceiver, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<WrittenRecords> {
        let bytes = (file as? Receiver)?.bytes.withLock { $0 } ?? []
        let line = "upload \(request.filename) \(request.contentType ?? "-") \(String(decoding: bytes, as: UTF8.self))"
        return try write(line, idempotency, WrittenRecords(batch: page.batch, users: users()))
    }
    func file(of attachment: AttachmentID, size: ThumbnailSize?) throws(APIError) -> ServedFile {
        try note("file \(attachment) \(size?.rawValue ?? "-")", "call")
        return state.withLock { $0.file }
    }

    func earlierAnswer(_ idempotency: Idempotency, as caller: Caller) throws(APIError) -> [UInt8]? {
        state.withLock { $0.earlier }
    }

    // MARK: records

    func listRecordsNow(_ request: ListRecordsRequest, as caller: Caller) throws(APIError) -> RecordPage? {
        guard state.withLock({ $0.answersAtOnce }) else { return nil }
        try note("list now \(text(request.table))", "call")
        return page
    }
    func getRecordNow(_ request: GetRecordRequest, as caller: Caller) throws(APIError) -> RecordPage? {
        guard state.withLock({ $0.answersAtOnce }) else { return nil }
        try note("get now \(text(request.table)) \(request.record)", "call")
        return page
    }
    func listRecords(_ request: ListRecordsRequest, as caller: Caller) async throws(APIError) -> RecordPage {
        state.withLock { $0.list = request }
        try note("list \(text(request.table))", "call")
        return page
    }
    func getRecord(_ request: GetRecordRequest, as caller: Caller) async throws(APIError) -> RecordPage {
        try note("get \(text(request.table)) \(request.record)", "call")
        return page
    }
    func createRecords(
        _ request: CreateRecordsRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<WrittenRecords> {
        let line = "create \(request.records.count) \(request.isSingle ? "single" : "batch") \(text(request.table))"
        return try write(line, idempotency, WrittenRecords(batch: page.batch, users: users()))
    }
    func updateRecords(
        _ request: UpdateRecordsRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<WrittenRecords> {
        let ids = request.records.map { $0.id ?? "-" }.joined(separator: ",")
        let line =
            "update \(ids) \(request.unnamed) \(request.isSingle ? "single" : "batch") "
            + "\(request.fieldsToMergeOn?.joined(separator: ",") ?? "-") \(text(request.table))"
        return try write(line, idempotency, WrittenRecords(batch: page.batch, users: users()))
    }
    func deleteRecords(
        _ request: DeleteRecordsRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<[RecordID]> {
        let ids = request.records.map(\.description).joined(separator: ",")
        let line = "delete \(ids) \(request.isSingle ? "single" : "batch") \(text(request.table))"
        return try write(line, idempotency, request.records)
    }

    // MARK: comments

    private func written(_ text: String) -> WrittenComment {
        WrittenComment(
            comment: Comment(
                id: CommentID(text: IdentifierText(time: 0, counter: 0)), author: Self.user.id, text: text,
                createdTime: Instant(milliseconds: 1_234)), users: users())
    }
    func listComments(_ request: ListCommentsRequest, as caller: Caller) async throws(APIError) -> CommentPage {
        let line = "listComments \(text(request.table)) \(request.record) \(request.pageSize) \(request.offset ?? "-")"
        try note(line, "call")
        return CommentPage(comments: [written("a").comment], users: users())
    }
    func createComment(
        _ request: CreateCommentRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<WrittenComment> {
        let parent = request.parent?.description ?? "-"
        let line = "createComment \(text(request.table)) \(request.record) \(request.text) \(parent)"
        return try write(line, idempotency, written(request.text))
    }
    func updateComment(
        _ request: UpdateCommentRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<WrittenComment> {
        let line = "updateComment \(text(request.table)) \(request.record) \(request.comment) \(request.text)"
        return try write(line, idempotency, written(request.text))
    }
    func deleteComment(
        _ request: DeleteCommentRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<CommentID> {
        let line = "deleteComment \(text(request.table)) \(request.record) \(request.comment)"
        return try write(line, idempotency, request.comment)
    }

    // MARK: trash and history

    func listTrash(
        of base: BaseID?, pageSize: Int, offset: String?, as caller: Caller
    ) async throws(APIError) -> TrashPage {
        try note("listTrash \(base?.description ?? "-") \(pageSize) \(offset ?? "-")", "call")
        return TrashPage(entries: [], offset: nil, users: users(), tableNames: [:], days: 30)
    }
    func restore(
        _ reference: TrashReference, in base: BaseID?, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<Restoration> {
        try write(
            "restore \(reference.text) \(base?.description ?? "-")", idempotency,
            Restoration(reference: reference, entries: []))
    }
    func recordHistory(_ request: RecordHistoryRequest, as caller: Caller) async throws(APIError) -> RecordHistoryPage {
        try note("history \(text(request.table)) \(request.record) \(request.pageSize)", "call")
        return RecordHistoryPage(entries: [], offset: nil, users: users())
    }
    func restoreCell(
        _ request: RestoreCellRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<WrittenRecords> {
        let line = "restoreCell \(text(request.table)) \(request.record) \(request.entry) \(request.field)"
        return try write(
            "\(line) \(request.value)", idempotency, WrittenRecords(batch: page.batch, users: users()))
    }

    // MARK: schemas

    func listBases(as caller: Caller) async throws(APIError) -> [BaseSchema] {
        try note("listBases", "call")
        return state.withLock { $0.bases }
    }
    func baseSchema(_ base: BaseID, as caller: Caller) async throws(APIError) -> BaseSchema {
        try note("baseSchema \(base)", "call")
        return Self.base
    }
    func createBase(
        _ request: CreateBaseRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<BaseSchema> { try write("createBase \(request.name)", idempotency, Self.base) }
    func deleteBase(
        _ base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<BaseID> { try write("deleteBase \(base)", idempotency, base) }
    func createTable(
        _ table: TableInput, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<TableSchema> { try write("createTable \(table.name)", idempotency, Self.table) }
    func updateTable(
        _ request: UpdateTableRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<TableSchema> {
        try write("updateTable \(text(request.table)) \(request.name ?? "-")", idempotency, Self.table)
    }
    func deleteTable(
        _ table: TableReference, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<TableID> { try write("deleteTable \(text(table))", idempotency, Self.table.id) }
    func createField(
        _ field: FieldInput, table: TableReference, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<Field> {
        try write("createField \(field.name) \(text(table))", idempotency, Self.field)
    }
    func updateField(
        _ request: UpdateFieldRequest, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<Field> {
        try write("updateField \(request.field) \(text(request.table)) \(request.name ?? "-")", idempotency, Self.field)
    }
    func previewRetyping(_ request: UpdateFieldRequest, as caller: Caller) async throws(APIError) -> RetypingReport {
        try note("previewRetyping \(request.field) \(request.type ?? "-")", "call")
        return RetypingReport()
    }
    func createView(
        _ view: ViewInput, table: TableReference, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<TableView> {
        try write("createView \(view.name ?? "-") \(text(table))", idempotency, Self.view)
    }
    func updateView(
        _ view: ViewReference, _ change: ViewInput, table: TableReference, in base: BaseID, as caller: Caller,
        idempotency: Idempotency?
    ) async throws(APIError) -> Written<TableView> {
        try write("updateView \(view.exact)|\(view.plusAsSpace) \(text(table))", idempotency, Self.view)
    }
    func deleteView(
        _ view: ViewReference, table: TableReference?, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<ViewID> {
        try write("deleteView \(view.exact) \(table.map(text) ?? "-")", idempotency, Self.view.view.id)
    }
    func deleteField(
        _ field: FieldID, table: TableReference, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) async throws(APIError) -> Written<FieldID> {
        try write("deleteField \(field) \(text(table))", idempotency, Self.field.id)
    }
}

/// A door over recorded floors, and shorthand for knocking at it.
struct Door {
    let services = RecordingServices()
    var acceptsLegacyKey = false

    static let links = AttachmentLinks(secret: [1, 2, 3], address: "https://example.org")
    static let base = "app00000000000000"
    static let record = "rec00000000000000"

    func send(
        _ method: String, _ target: String, token: String? = "all", headers: [(name: String, value: String)] = [],
        body: String = ""
    ) async -> Response {
        let handler = APIHandler(
            services: APIHandler.Services(
                records: services, immediate: services, access: services, schemas: services, comments: services,
                attachments: services, trash: services, history: services, callers: services, answers: services,
                limits: services),
            zones: TimeZoneDatabase { _ in nil }, links: Self.links, acceptsLegacyKey: acceptsLegacyKey, log: { _ in })
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let authorization = token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        let request = Request(
            method: Method(rawValue: method), rawPath: String(parts[0]),
            rawQuery: parts.count > 1 ? String(parts[1]) : "",
            headers: HTTPHeaders(authorization + headers), body: Array(body.utf8))
        switch handler.handle(request) {
        case .now(let response): return response
        case .later(let work): return await work()
        }
    }

    /// The lines noted since the last look.
    func lines() -> [String] {
        services.state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
    }

    func fail(_ step: String, _ error: APIError?) { services.state.withLock { $0.failures[step] = error } }
}

extension Response {
    var text: String { String(decoding: body.bytes, as: UTF8.self) }

    /// The word of an error answer in either shape.
    var errorType: String? {
        guard let error = (try? JSONParser.parse(body.bytes))?.objectValue?["error"] else { return nil }
        return error.stringValue ?? error.objectValue?["type"]?.stringValue
    }
}
