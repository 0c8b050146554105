import Blobs
import CSQLite
import CivilTime
import Glibc
import Platform
import RowhouseJSON
import RowhouseModel
import RowhouseWire
import SQLiteStorage
import Storage
import TableEngine
import Testing

/// The engine over a real store in a temporary folder, with one base of two tables.
final class House {
    /// A record as an answer shows it.
    struct Row: Equatable {
        let id: String
        let createdTime: String
        let fields: JSONObject
        subscript(name: String) -> JSONValue? { fields[name] }
    }

    /// The answer to a write.
    struct Answer {
        let rows: [Row]
        let json: JSONObject
        let bytes: [UInt8]
        /// Whether it was given before under the same key.
        let isRepeated: Bool
        func ids(_ key: String) -> [String]? { json[key]?.arrayValue?.compactMap(\.stringValue) }
    }

    let folder: String
    private(set) var storage: SQLiteStorage
    private(set) var engine: Engine
    let base: BaseID
    let owner: Caller
    static let ada = user(1, "ada@example.org", "Ada")
    static let bob = user(2, "bob@example.org", "Bob")
    static let zones = TimeZoneDatabase { try? ReadFile.bytes(of: "/usr/share/zoneinfo/\($0)", limit: 1 << 20) }
    static let everyField = #"""
        {"name":"Tasks","fields":[
        {"name":"Name","type":"singleLineText"},{"name":"Notes","type":"multilineText"},
        {"name":"Count","type":"number","options":{"precision":0}},
        {"name":"Done","type":"checkbox","options":{"icon":"check","color":"greenBright"}},
        {"name":"Status","type":"singleSelect","options":{"choices":[{"name":"todo"},{"name":"doing"},{"name":"done"}]}},
        {"name":"Tags","type":"multipleSelects","options":{"choices":[{"name":"red"},{"name":"green"}]}},
        {"name":"Due","type":"date","options":{"dateFormat":{"name":"iso"}}},
        {"name":"Owner","type":"singleCollaborator"},{"name":"Number","type":"autoNumber"},
        {"name":"Made","type":"createdTime"},{"name":"Changed","type":"lastModifiedTime"},
        {"name":"Maker","type":"createdBy"}]}
        """#
    static let other = #"{"name":"Other","fields":[{"name":"Name","type":"singleLineText"}]}"#

    /// - Parameter indexes: whether the store makes sort indexes.
    init(indexes: Bool = true) throws {
        var template = Array("/tmp/rowhouse-engine-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
        }
        storage = try Self.open(folder, indexes: indexes)
        engine = Engine(storage: storage, zones: Self.zones)
        try storage.write { (writer) throws(APIError) in
            try writer.insert(Self.ada)
            try writer.insert(Self.bob)
        }
        owner = Self.caller(Self.ada)
        let body =
            "{\"name\":\"Base\",\"workspaceId\":\"wsp00000000000000\",\"tables\":[\(Self.everyField),\(Self.other)]}"
        let request = try SchemaDecoder.createBase(try Self.object(body))
        guard case .now(let made) = try engine.createBase(request, as: owner, idempotency: nil) else {
            throw APIError.internalError
        }
        base = made.id
    }

    /// Made at an address that nobody can fetch from.
    private static let links = AttachmentLinks(address: "http://here")

    deinit {
        storage.close()
        Self.remove(folder)
    }

    private static func remove(_ path: String) {
        for name in (try? FolderEntries.names(in: path)) ?? [] { remove("\(path)/\(name)") }
        _ = Glibc.remove(path)
    }

    private static func open(
        _ folder: String, indexes: Bool = true, trashDays: Int = 30, clock: (@Sendable () -> Instant)? = nil
    ) throws -> SQLiteStorage {
        var options = SQLiteStorage.Options()
        if let clock { options.clock = clock }
        options.synchronous = .off
        options.readers = 2
        options.makesIndexes = indexes
        options.trashDays = trashDays
        return try SQLiteStorage(folder: folder, options: options)
    }

    /// Opens the store anew, at a time of its own, with a place for files.
    func keepFiles(
        trashDays: Int = 30, clock: @escaping @Sendable () -> Instant,
        space: @escaping @Sendable (String) -> FileSystemSpace?,
        _ fetcher: (SQLiteStorage, Blobs) -> AttachmentFetcher?
    ) throws {
        storage.close()
        storage = try Self.open(folder, trashDays: trashDays, clock: clock)
        let blobs = try Blobs(in: folder, space: space) { _ in }
        let files = AttachmentFiles(blobs: blobs, images: nil, fetcher: fetcher(storage, blobs))
        engine = Engine(storage: storage, zones: Self.zones, links: Self.links, files: files, clock: clock)
    }

    /// Closes the store and opens it again, as a new start of the program does.
    func restart() throws {
        storage.close()
        storage = try Self.open(folder)
        engine = Engine(storage: storage, zones: Self.zones)
    }

    private static func user(_ number: UInt64, _ email: String, _ name: String) -> User {
        User(
            id: UserID(text: IdentifierText(time: 0, counter: number)), email: email, name: name,
            createdTime: Instant(milliseconds: 0))
    }

    static func caller(_ user: User, scopes: [Scope] = Scope.all, bases: Set<BaseID>? = nil) -> Caller {
        Caller(
            user: user, token: TokenID(text: IdentifierText(time: 0, counter: user.id.text.counter)),
            scopes: Set(scopes), bases: bases)
    }

    static func object(_ text: String) throws -> JSONObject {
        try #require(try JSONParser.parse(Array(text.utf8)).objectValue)
    }

    func table(_ name: String = "Tasks") throws -> TableSchema {
        try #require(storage.schema.base(base)?.table(named: name))
    }

    // MARK: calls, with the bodies that clients send

    func create(
        _ body: String, table: String = "Tasks", as caller: Caller? = nil, key: String? = nil
    ) throws -> Answer {
        let request = try RecordDecoder.create(
            try Self.object(body), base: base, table: TableReference(table), query: RecordPresentation())
        return try answer(
            engine.createRecords(request, as: caller ?? owner, idempotency: Self.idempotency(key, body)))
    }

    func update(
        _ body: String, _ unnamed: UpdateRecordsRequest.Unnamed = .kept, table: String = "Tasks",
        as caller: Caller? = nil, key: String? = nil
    ) throws -> Answer {
        let request = try RecordDecoder.updateBatch(
            try Self.object(body), base: base, table: TableReference(table), unnamed: unnamed,
            query: RecordPresentation())
        return try answer(
            engine.updateRecords(request, as: caller ?? owner, idempotency: Self.idempotency(key, body)))
    }

    func updateOne(
        _ id: String, _ body: String, _ unnamed: UpdateRecordsRequest.Unnamed = .kept, table: String = "Tasks",
        as caller: Caller? = nil
    ) throws -> Row {
        let request = try RecordDecoder.updateOne(
            try Self.object(body), record: try #require(RecordID(id)), base: base, table: TableReference(table),
            unnamed: unnamed, query: RecordPresentation())
        return try #require(
            try answer(engine.updateRecords(request, as: caller ?? owner, idempotency: nil)).rows.first)
    }

    @discardableResult
    func delete(
        _ ids: [String], table: String = "Tasks", single: Bool = false, as caller: Caller? = nil, key: String? = nil
    ) throws -> [String] {
        let request = DeleteRecordsRequest(
            base: base, table: TableReference(table), records: try ids.map { try #require(RecordID($0)) },
            isSingle: single)
        switch try engine.deleteRecords(
            request, as: caller ?? owner, idempotency: Self.idempotency(key, ids.joined(separator: ",")))
        {
        case .now(let ids): return ids.map(\.description)
        case .before(let bytes): return [String(decoding: bytes, as: UTF8.self)]
        }
    }

    func list(
        _ query: [(name: String, value: String)] = [], table: String = "Tasks", as caller: Caller? = nil
    ) throws -> (rows: [Row], offset: String?) {
        var request = ListRecordsRequest(base: base, table: TableReference(table))
        try ListRecordsDecoder.decode(query: query, acceptsLimit: true, into: &request)
        let page = try engine.listRecordsHere(request, as: caller ?? owner)
        let encoder = AnswerEncoder(zones: Self.zones, links: Self.links)
        guard case .whole(let bytes) = try encoder.list(page, request.presentation, limit: .max) else {
            throw APIError.internalError
        }
        let json = try #require(try JSONParser.parse(bytes, limits: .init(bytes: .max)).objectValue)
        return (try Self.rows(json), json["offset"]?.stringValue)
    }

    /// The pages of a walk to its end.
    func walk(_ query: [(name: String, value: String)], table: String = "Tasks") throws -> [[Row]] {
        var pages: [[Row]] = []
        var offset: String?
        repeat {
            let page = try list(query + (offset.map { [("offset", $0)] } ?? []), table: table)
            pages.append(page.rows)
            offset = page.offset
        } while offset != nil && pages.count < 1_000
        return pages
    }

    func get(_ id: String, table: String = "Tasks", as caller: Caller? = nil) throws -> Row {
        let request = GetRecordRequest(base: base, table: TableReference(table), record: try #require(RecordID(id)))
        let page = try engine.getRecord(request, as: caller ?? owner)
        let json = try JSONParser.parse(
            AnswerEncoder(zones: Self.zones, links: Self.links).record(page, RecordPresentation()))
        return try Self.row(json)
    }

    private func answer(_ written: Written<WrittenRecords>) throws -> Answer {
        let bytes: [UInt8]
        var isRepeated = false
        switch written {
        case .now(let written):
            bytes = try AnswerEncoder(zones: Self.zones, links: Self.links).written(
                written, single: false, RecordPresentation())
        case .before(let before):
            bytes = before
            isRepeated = true
        }
        let json = try #require(try JSONParser.parse(bytes).objectValue)
        return Answer(rows: try Self.rows(json), json: json, bytes: bytes, isRepeated: isRepeated)
    }

    private static func rows(_ json: JSONObject) throws -> [Row] {
        guard let records = json["records"]?.arrayValue else { return [try row(.object(json))] }
        return try records.map(row)
    }

    private static func row(_ value: JSONValue) throws -> Row {
        let object = try #require(value.objectValue)
        return Row(
            id: try #require(object["id"]?.stringValue), createdTime: try #require(object["createdTime"]?.stringValue),
            fields: try #require(object["fields"]?.objectValue))
    }

    static func idempotency(_ key: String?, _ body: String) -> Idempotency? {
        key.map { Idempotency(key: $0, fingerprint: Array(body.utf8)) }
    }

    // MARK: the change log, as it lies in the file

    func changes() throws -> [(kind: String, user: String, table: String?, payload: JSONObject)] {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        try #require(sqlite3_open_v2("\(folder)/rowhouse.db", &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = "SELECT kind, user, table_id, payload FROM changes ORDER BY seq"
        try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
        var changes: [(kind: String, user: String, table: String?, payload: JSONObject)] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            let columns = (0..<4).map { sqlite3_column_text(statement, Int32($0)).map { String(cString: $0) } }
            changes.append(
                (columns[0] ?? "", columns[1] ?? "", columns[2], try Self.object(columns[3] ?? "")))
        }
        return changes
    }
}

/// The error that the work ends in; nil when it does not.
func failure(_ work: () throws -> Void) -> APIError? {
    do {
        try work()
        return nil
    } catch {
        if let error = error as? APIError { return error }
        Issue.record(error)
        return nil
    }
}
