import CivilTime
import Platform
import RowhouseModel
import Storage

/// A store that counts the links it reads, does something of the test's own before a read, and may refuse writes.
final class CountingStorage: Storage {
    private let store: any Storage
    /// The links read so far.
    let links = Guarded(0)
    /// How often a page or its records were read so far.
    let reads = Guarded(0)
    /// Whether writes are refused as on a full disk.
    let isFull = Guarded(false)
    private let before: @Sendable (Int) -> Void

    init(_ store: any Storage, before: @escaping @Sendable (_ read: Int) -> Void = { _ in }) {
        self.store = store
        self.before = before
    }

    var schema: Schema { store.schema }
    var users: UserDirectory { store.users }
    var secret: [UInt8] { store.secret }
    var trashDays: Int { store.trashDays }
    func changeNumber(of table: TableID) -> Int { store.changeNumber(of: table) }
    func moment() throws(APIError) -> any Storage { try store.moment() }

    func read<Value>(_ body: (any StorageReader) throws(APIError) -> Value) throws(APIError) -> Value {
        let number = reads.withLock { reads in
            reads += 1
            return reads
        }
        before(number)
        return try store.read { (reader) throws(APIError) in try body(CountingReader(reader: reader, links: links)) }
    }

    func readEach<Value>(_ body: (any StorageReader) throws(APIError) -> Value) throws(APIError) -> Value {
        try store.readEach(body)
    }

    func readNow<Value>(_ body: (any StorageReader) throws(APIError) -> Value) throws(APIError) -> Value? {
        try store.readNow(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageWriter) throws(APIError) -> Value
    ) throws(APIError) -> Value {
        if isFull.withLock({ $0 }) { throw .storageFull }
        return try store.write(body)
    }
}

private struct CountingReader: StorageReader {
    let reader: any StorageReader
    let links: Guarded<Int>

    func record(_ id: RecordID, in table: TableSchema, fields: [Int]) throws(APIError) -> RecordBatch? {
        try reader.record(id, in: table, fields: fields)
    }
    func records(_ ids: [RecordID], in table: TableSchema, fields: [Int]) throws(APIError) -> RecordBatch {
        try reader.records(ids, in: table, fields: fields)
    }
    func firstRecords(
        of ids: [RecordID], in table: TableSchema, fields: [Int]
    ) throws(APIError) -> (batch: RecordBatch, taken: Int) {
        try reader.firstRecords(of: ids, in: table, fields: fields)
    }
    func page(_ plan: PagePlan) throws(APIError) -> StoredPage { try reader.page(plan) }
    func isImmediate(_ plan: PagePlan) -> Bool { reader.isImmediate(plan) }
    func requestIndex(for plan: PagePlan) { reader.requestIndex(for: plan) }
    func find(
        _ cells: [(field: Int, value: StoredCell)], in table: TableSchema, limit: Int
    ) throws(APIError) -> [RecordID] { try reader.find(cells, in: table, limit: limit) }
    func answer(idempotencyKey: String, token: TokenID) throws(APIError) -> StoredAnswer? {
        try reader.answer(idempotencyKey: idempotencyKey, token: token)
    }
    func linked(
        from records: RecordBatch, through field: Int, in table: TableSchema, fields: [Int], of linked: TableSchema,
        limit: Int
    ) throws(APIError) -> LinkedRecords? {
        let found = try reader.linked(
            from: records, through: field, in: table, fields: fields, of: linked, limit: limit)
        links.withLock { $0 += found?.places.count ?? 0 }
        return found
    }
    func linkCounts(of records: [RecordID], in field: Int, of table: TableSchema) throws(APIError) -> [Int] {
        try reader.linkCounts(of: records, in: field, of: table)
    }
    func modifiedTimes(of records: [RecordID], in table: TableSchema) throws(APIError) -> [Instant?] {
        try reader.modifiedTimes(of: records, in: table)
    }
    func recordCount(of table: TableID) throws(APIError) -> Int { try reader.recordCount(of: table) }
    func name(ofField field: FieldID, of table: TableID) throws(APIError) -> String? {
        try reader.name(ofField: field, of: table)
    }
    func comments(
        of record: RecordID, in table: TableID, after: Int64?, limit: Int
    ) throws(APIError) -> StoredComments {
        try reader.comments(of: record, in: table, after: after, limit: limit)
    }
    func comment(_ id: CommentID, of record: RecordID, in table: TableID) throws(APIError) -> Comment? {
        try reader.comment(id, of: record, in: table)
    }
    func commentCounts(of records: [RecordID], in table: TableID) throws(APIError) -> [Int] {
        try reader.commentCounts(of: records, in: table)
    }
    func tokens() throws(APIError) -> [StoredToken] { try reader.tokens() }
    func attachment(_ id: AttachmentID) throws(APIError) -> StoredAttachment? { try reader.attachment(id) }
    func waitingBase(after base: BaseID?) throws(APIError) -> BaseID? { try reader.waitingBase(after: base) }
    func waitingAttachments(of base: BaseID, at time: Instant, limit: Int) throws(APIError) -> [Int64] {
        try reader.waitingAttachments(of: base, at: time, limit: limit)
    }
    func isWaitingForAttachments(_ record: RecordID, at time: Instant) throws(APIError) -> Bool {
        try reader.isWaitingForAttachments(record, at: time)
    }
    func attachments(after: Int64, limit: Int) throws(APIError) -> [(number: Int64, attachment: StoredAttachment)] {
        try reader.attachments(after: after, limit: limit)
    }
    func isAttached(_ file: FileHash) throws(APIError) -> Bool { try reader.isAttached(file) }
    func trash(_ query: TrashQuery, since: Instant, limit: Int) throws(APIError) -> [TrashEntry] {
        try reader.trash(query, since: since, limit: limit)
    }
    func history(
        of record: RecordID, in table: TableSchema, before: ChangeID?, limit: Int
    ) throws(APIError) -> (entries: [RecordHistoryEntry], hasMore: Bool) {
        try reader.history(of: record, in: table, before: before, limit: limit)
    }
}
