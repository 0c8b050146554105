package import CivilTime
import Cryptography
package import HTTPCore
package import RowhouseModel
package import RowhouseWire

/// Airtable's Web API over HTTP: one request in, one typed call, one answer out.
///
/// The order of checks is Airtable's: route and shape of ids (404), token (401), limits (429), base, table and grant
/// (403), scope (403), then body and parameters (422).
package struct APIHandler: RequestHandler {
    /// What the door needs from the floors below.
    package struct Services: Sendable {
        package var records: any RecordOperations
        package var immediate: (any ImmediateReads)?
        package var access: any AccessChecks
        package var schemas: any SchemaOperations
        package var trash: any TrashOperations
        package var history: any HistoryOperations
        package var comments: any CommentOperations
        package var attachments: any AttachmentOperations
        package var callers: any CallerOperations
        package var answers: any EarlierAnswers
        package var limits: (any CallAdmission)?

        package init(
            records: any RecordOperations, immediate: (any ImmediateReads)?, access: any AccessChecks,
            schemas: any SchemaOperations, comments: any CommentOperations,
            attachments: any AttachmentOperations, trash: any TrashOperations, history: any HistoryOperations,
            callers: any CallerOperations, answers: any EarlierAnswers, limits: (any CallAdmission)?
        ) {
            self.records = records
            self.immediate = immediate
            self.access = access
            self.schemas = schemas
            self.trash = trash
            self.history = history
            self.comments = comments
            self.attachments = attachments
            self.callers = callers
            self.answers = answers
            self.limits = limits
        }
    }

    let services: Services
    let zones: TimeZoneDatabase
    let encoder: AnswerEncoder
    let links: AttachmentLinks
    /// Whether `?api_key=` is taken as a token, as Airtable did until 2024.
    let acceptsLegacyKey: Bool
    let log: @Sendable (String) -> Void

    package init(
        services: Services, zones: TimeZoneDatabase, links: AttachmentLinks, acceptsLegacyKey: Bool,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.services = services
        self.zones = zones
        self.links = links
        encoder = AnswerEncoder(zones: zones, links: links)
        self.acceptsLegacyKey = acceptsLegacyKey
        self.log = log
    }

    package func handle(_ request: Request) -> Handling {
        if request.method == .options {
            return .now(Response(status: .noContent, headers: CrossOrigin.preflight))
        }
        guard let segments = try? PathSegments.splitBothWays(request.rawPath) else {
            return .now(Self.failure(.notFound))
        }
        if let page = FrontPage.answer(request.method, segments) { return .now(page) }
        if segments.first?.exact == "f" { return file(request, segments) }
        do throws(APIError) {
            guard let route = Route(method: request.method, segments: segments) else { throw .notFound }
            // A query that cannot be read is a mistake in the parameters: told only after token, limits and rights.
            let query = Self.query(request)
            guard let caller = caller(of: request, query ?? []) else { throw .authenticationRequired }
            try services.limits?.admit(caller, base: route.base)
            let call = Call(request: request, query: query ?? [], caller: caller)
            return answeredBefore(call, or: handling(of: route, call, hasQuery: query != nil))
        } catch {
            return .now(Self.failure(error))
        }
    }

    private func handling(of route: Route, _ call: Call, hasQuery: Bool) -> Handling {
        do throws(APIError) {
            try checkAccess(route, call.caller)
            guard hasQuery else { throw .invalidRequest }
            return try handle(route, call)
        } catch {
            return .now(Self.failure(error))
        }
    }

    private func handle(_ route: Route, _ call: Call) throws(APIError) -> Handling {
        switch route {
        case .record(let route, let base, let table): return try handle(route, base, table, call)
        case .comment(let route, let record, let base, let table):
            return later { () throws(APIError) in try await answer(route, of: record, base, table, call) }
        case .base(let route, let base): return later { () throws(APIError) in try await answer(route, base, call) }
        case .uploadAttachment(let base, let record, let field):
            return later { () throws(APIError) in try await upload(base, record, field, call) }
        case .whoami: return .now(whoami(call))
        case .listBases: return later { () throws(APIError) in try await listBases(call) }
        case .createBase: return later { () throws(APIError) in try await createBase(call) }
        case .listDeletedBases: return later { () throws(APIError) in try await listTrash(of: nil, call) }
        case .restoreBase(let base):
            return later { () throws(APIError) in try await restore(.base(base), in: nil, call) }
        }
    }

    /// A write that cannot be done, because it is: what its path names may be deleted since, or be called otherwise. It
    /// is answered as it was then, under its `Idempotency-Key` and to the same token.
    private func answeredBefore(_ call: Call, or handling: Handling) -> Handling {
        guard call.request.headers["Idempotency-Key"] != nil else { return handling }
        switch handling {
        case .now(let response):
            guard response.isFailure else { return handling }
            return .later { earlierAnswer(to: call) ?? response }
        case .later(let work):
            return .later {
                let response = await work()
                return response.isFailure ? earlierAnswer(to: call) ?? response : response
            }
        }
    }

    private func earlierAnswer(to call: Call) -> Response? {
        let sink = call.request.sink as? UploadSink
        guard let sent = sink.map({ $0.fingerprint() }) ?? call.request.body,
            let idempotency = try? call.idempotency(body: sent),
            let body = try? services.answers.earlierAnswer(idempotency, as: call.caller)
        else { return nil }
        return .json(body)
    }

    /// Only who has a token may make the server hold a body.
    package func bodyHandling(of request: Request) -> BodyHandling {
        guard let caller = caller(of: request, Self.query(request) ?? []) else { return .drop }
        return uploadHandling(of: request, caller) ?? .keep(limit: BodyHandling.usualLimit)
    }

    /// Runs the work on the team and turns its error into an answer.
    func later(_ work: @escaping @Sendable () async throws(APIError) -> Response) -> Handling {
        .later {
            do throws(APIError) {
                return try await work()
            } catch {
                return Self.failure(error)
            }
        }
    }

    /// An error as an answer. A call that may be tried again says when.
    static func failure(_ error: APIError) -> Response {
        var response = Response.json(ErrorEncoder.encode(error), status: Status(rawValue: error.status))
        if error.status == 503 { response.headers.append(("Retry-After", "1")) }
        return response
    }

    private func checkAccess(_ route: Route, _ caller: Caller) throws(APIError) {
        switch route {
        case .record(let route, let base, let table):
            try services.access.check(base: base, table: table, scope: route.scope, as: caller)
        case .comment(let route, _, let base, let table):
            try services.access.check(base: base, table: table, scope: route.scope, as: caller)
        case .base(let route, let base):
            try services.access.check(base: base, table: route.table, scope: route.scope(of: caller), as: caller)
        case .uploadAttachment(let base, _, _):
            try services.access.check(base: base, table: nil, scope: .recordsWrite, as: caller)
        case .createBase: guard caller.holds(.schemaWrite) else { throw .invalidPermissions }
        // A deleted base is in no schema: whether there is one the store tells.
        case .whoami, .listBases, .listDeletedBases, .restoreBase: return
        }
    }

    /// The decoded parameters; nil where they cannot be decoded.
    private static func query(_ request: Request) -> [(name: String, value: String)]? {
        (try? QueryItems.parse(request.rawQuery))?.map { ($0.name, $0.value) }
    }

    private func caller(of request: Request, _ query: [(name: String, value: String)]) -> Caller? {
        if let header = request.headers.bytes("Authorization") {
            guard let token = Self.bearer(header) else { return nil }
            return services.callers.caller(token: token)
        }
        guard acceptsLegacyKey, let key = query.first(where: { $0.name == "api_key" })?.value else { return nil }
        return services.callers.caller(token: key)
    }

    /// What follows `Bearer` and spaces, the word in any case.
    private static func bearer(_ header: ArraySlice<UInt8>) -> String? {
        let word = "bearer ".utf8Span.span
        guard header.count > word.count else { return nil }
        var place = header.startIndex
        for index in word.indices {
            guard header[place] | 0x20 == word[index] | 0x20 else { return nil }
            place += 1
        }
        while place < header.endIndex, header[place] == UInt8(ascii: " ") { place += 1 }
        return String(decoding: header[place...], as: UTF8.self)
    }
}

/// A request on its way: what it says and who sent it.
struct Call: Sendable {
    let request: Request
    let query: [(name: String, value: String)]
    let caller: Caller

    /// The `Idempotency-Key` tied to this very request.
    /// - Throws: `INVALID_REQUEST_UNKNOWN` for a key of more than 255 characters.
    func idempotency() throws(APIError) -> Idempotency? { try idempotency(body: request.body) }

    /// The same, where the body went elsewhere and something stands for it.
    func idempotency(body: [UInt8]) throws(APIError) -> Idempotency? {
        guard let key = request.headers["Idempotency-Key"], !key.isEmpty else { return nil }
        guard key.utf8.count <= 1_020, key.unicodeScalars.count <= 255 else {
            throw .invalidRequest("An Idempotency-Key has at most 255 characters.")
        }
        let head = "\(request.method.rawValue) \(request.rawPath)?\(request.rawQuery)\n"
        return Idempotency(key: key, fingerprint: SHA256.hash(Array(head.utf8) + body))
    }
}

extension Response {
    /// Whether the call was refused or went wrong.
    fileprivate var isFailure: Bool { status.rawValue >= 400 }
}
