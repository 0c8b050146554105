package import CivilTime
package import RowhouseModel

/// The contract of a store: one writer that commits in groups, many readers, nothing acknowledged before it is durable.
///
/// Every failure of the store itself is already an `APIError` here (full disk 507, busy 503, anything else 500).
package protocol Storage: AnyObject, Sendable {
    /// The committed schema. Never blocks.
    var schema: Schema { get }
    /// The committed users. Never blocks.
    var users: UserDirectory { get }

    /// Thirty-two random bytes made with the folder and kept in it, for signing what is handed out.
    var secret: [UInt8] { get }

    /// How many days after its deletion something goes for good.
    var trashDays: Int { get }

    /// A number that is another after each commit that changed records of the table or links of its fields; it begins
    /// anew with the store. Whoever asks before reading never takes an older state for a newer one. Never blocks.
    func changeNumber(of table: TableID) -> Int

    /// Runs `body` on a reader that sees one committed state. Waits for no writer.
    func read<Value>(_ body: (any StorageReader) throws(APIError) -> Value) throws(APIError) -> Value

    /// The store as it is now, schema and all, for reads only: what is written later is not in it. It holds a place in
    /// the store's memory of changes until it is let go, or the store is closed.
    func moment() throws(APIError) -> any Storage

    /// Runs `body` on a reader each of whose calls sees its own committed state, the newest at that moment: cheaper
    /// where one call is all that is needed. Waits for no writer.
    func readEach<Value>(_ body: (any StorageReader) throws(APIError) -> Value) throws(APIError) -> Value

    /// The same on one of the readers set aside for short reads; nil, and nothing done, when none is free. Never blocks.
    func readNow<Value>(_ body: (any StorageReader) throws(APIError) -> Value) throws(APIError) -> Value?

    /// Runs `body` on the writer inside a transaction and returns after the commit is durable.
    ///
    /// The transaction may hold other callers' writes too; each is undone alone when its body throws.
    /// `body` may run more than once (the transaction is tried again when a neighbour breaks it) and must have no
    /// effect but through the writer. Blocks the calling thread.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageWriter) throws(APIError) -> Value
    ) throws(APIError) -> Value
}

/// Reads of one committed state (or, on the writer, of the transaction so far).
package protocol StorageReader {
    /// The record with its cells of `fields` (positions in `table.fields`), or nil.
    func record(_ id: RecordID, in table: TableSchema, fields: [Int]) throws(APIError) -> RecordBatch?
    /// The records with these ids, in their order; missing ones are left out.
    func records(_ ids: [RecordID], in table: TableSchema, fields: [Int]) throws(APIError) -> RecordBatch
    /// The same of as many of the first ids as one page holds, and of how many that is: of one at least, if there is any.
    func firstRecords(
        of ids: [RecordID], in table: TableSchema, fields: [Int]
    ) throws(APIError) -> (batch: RecordBatch, taken: Int)
    /// One page of the table in an order; shorter than asked for when its cells are very long.
    func page(_ plan: PagePlan) throws(APIError) -> StoredPage
    /// Whether `page` would be answered from an index (or a small table), without a scan, and without links to read.
    func isImmediate(_ plan: PagePlan) -> Bool
    /// Asks for what makes pages in the order of a plan immediate; it will be there later.
    func requestIndex(for plan: PagePlan)
    /// Up to `limit` ids of records whose cells equal all of `cells` (field position, value; no value is `empty`).
    func find(_ cells: [(field: Int, value: StoredCell)], in table: TableSchema, limit: Int) throws(APIError)
        -> [RecordID]
    /// What was answered under an idempotency key of this token in the last 24 hours.
    func answer(idempotencyKey: String, token: TokenID) throws(APIError) -> StoredAnswer?
    /// What these records of a table link to through one of its link fields (by position), with cells of `fields`
    /// (positions in `linked.fields`; the links of a link field among them come as its cell's text).
    ///
    /// Nil when there are more links than `limit`, or more text than is held at a time. A batch read in the same `read` spares a search for its records.
    func linked(
        from records: RecordBatch, through field: Int, in table: TableSchema, fields: [Int], of linked: TableSchema,
        limit: Int
    ) throws(APIError) -> LinkedRecords?
    /// How many links each of these records has in a link field.
    func linkCounts(of records: [RecordID], in field: Int, of table: TableSchema) throws(APIError) -> [Int]
    /// When cells of each of these records were last changed by someone; nil for those never changed since they were
    /// made.
    func modifiedTimes(of records: [RecordID], in table: TableSchema) throws(APIError) -> [Instant?]
    /// The number of records of a table.
    func recordCount(of table: TableID) throws(APIError) -> Int
    /// The name that a field of a table, there or deleted, has or last had.
    func name(ofField field: FieldID, of table: TableID) throws(APIError) -> String?
    /// The comments of a record, whether or not there is the record now, newest first: up to `limit` of those that come
    /// after a place; fewer when they are very long.
    func comments(
        of record: RecordID, in table: TableID, after: Int64?, limit: Int
    ) throws(APIError) -> StoredComments
    /// One comment of a record, or nil.
    func comment(_ id: CommentID, of record: RecordID, in table: TableID) throws(APIError) -> Comment?
    /// How many comments each of these records has; costs one search a record, however many comments there are.
    func commentCounts(of records: [RecordID], in table: TableID) throws(APIError) -> [Int]
    /// Every token of the folder.
    func tokens() throws(APIError) -> [StoredToken]
    /// An attachment, whether or not its cell still holds it.
    func attachment(_ id: AttachmentID) throws(APIError) -> StoredAttachment?
    /// The next base, in the order of ids, with attachments that are to be fetched now or later; nil at the end.
    func waitingBase(after base: BaseID?) throws(APIError) -> BaseID?
    /// The numbers of the first attachments of a base that are to be fetched by then: new ones in the order of their
    /// making, then those that are tried again.
    func waitingAttachments(of base: BaseID, at time: Instant, limit: Int) throws(APIError) -> [Int64]
    /// Whether attachments of a record are to be fetched by then.
    func isWaitingForAttachments(_ record: RecordID, at time: Instant) throws(APIError) -> Bool
    /// Attachments in the order of their making, after one with this number.
    func attachments(
        after: Int64, limit: Int
    ) throws(APIError) -> [(number: Int64, attachment: StoredAttachment)]
    /// Whether an attachment has this file.
    func isAttached(_ file: FileHash) throws(APIError) -> Bool
    /// Entries of the trash deleted since then and not on their way out.
    func trash(_ query: TrashQuery, since: Instant, limit: Int) throws(APIError) -> [TrashEntry]
    /// What was done to a record (also one that is deleted) as far as the change log tells, the newest first, from
    /// before an entry on, and whether there is more; fewer than `limit` when the entries are very long.
    func history(
        of record: RecordID, in table: TableSchema, before: ChangeID?, limit: Int
    ) throws(APIError) -> (entries: [RecordHistoryEntry], hasMore: Bool)
}

/// Writes of one transaction.
package protocol StorageWriter: StorageReader {
    /// The schema as this transaction (and those grouped with it) have made it so far.
    var schema: Schema { get }
    /// The users as this transaction has made them so far.
    var users: UserDirectory { get }
    /// The time of this transaction.
    var now: Instant { get }

    /// Makes a base with its tables; one that is being made still is so for everyone, until it is finished.
    func createBase(_ base: BaseSchema) throws(APIError)
    /// Makes a base that was being made a whole one.
    func finishBase(_ base: BaseID) throws(APIError)
    /// Hides a base that was being made, for good; what it holds is removed in time. So are those that are still being
    /// made when the store is opened.
    func abandonBase(_ base: BaseID) throws(APIError)
    /// Hides a base and all it holds; kept for the trash.
    func deleteBase(_ base: BaseID) throws(APIError)
    /// Makes a table (its fields and views too) at the end of its base.
    func createTable(_ table: TableSchema) throws(APIError)
    /// Replaces a table's schema: new fields get a place for cells, missing ones are hidden and kept for the trash.
    func updateTable(_ table: TableSchema) throws(APIError)
    /// Hides a table; kept for the trash.
    func deleteTable(_ table: TableID, in base: BaseID) throws(APIError)

    /// A new record id, later than every one before it.
    func newRecordID() -> RecordID
    /// Adds records with the cells of writable fields (field position, value).
    ///
    /// A link cell is the ids of records of the linked table; each linked record's cell in the inverse field gets the
    /// record added at its end.
    /// - Throws: `recordDoesNotExist` for a link to a record that is not in the linked table.
    func insert(_ records: [NewRecord], in table: TableSchema, by user: UserID) throws(APIError)
    /// Changes cells of one record that exists; keeps `lastModified…` fields and indexes in step.
    ///
    /// A link cell replaces the links there were, on both sides; the linked records do not count as modified.
    /// - Throws: `recordDoesNotExist` for a record, or a linked record, that is not in its table.
    func update(
        _ id: RecordID, in table: TableSchema, cells: [(field: Int, value: StoredCell)], by user: UserID
    ) throws(APIError)
    /// Removes records that exist, also from every cell that links to them, and notes them in the trash under these
    /// names.
    func delete(_ records: [(id: RecordID, name: String)], in table: TableSchema, by user: UserID) throws(APIError)
    /// Puts deleted records back, with their cells, links (on both sides, in their places) and places.
    ///
    /// - Throws: `modelNotFound` for an entry that is not in the trash any more.
    func restore(_ records: [TrashEntry], in table: TableSchema) throws(APIError)

    /// Notes in the trash what was hidden by this transaction.
    func addToTrash(_ entry: NewTrashEntry) throws(APIError)
    /// The hidden fields that come back with an entry.
    func hiddenFields(of entry: TrashEntry) throws(APIError) -> [HiddenField]
    /// Lets hidden fields come back with another entry than the one they were hidden for.
    func leave(_ fields: [FieldPlace], with entry: TrashEntry) throws(APIError)
    /// Shows a hidden table again, as it was but for its name.
    func restoreTable(_ id: TableID, in base: BaseID, named name: String) throws(APIError) -> TableSchema
    /// Shows a hidden base again.
    func restoreBase(_ id: BaseID) throws(APIError) -> BaseSchema
    /// Marks an entry as restored under a name.
    func noteRestored(_ entry: TrashEntry, named name: String) throws(APIError)
    /// Takes choices (by number) that the field does not have any more out of the cells of some records: a single
    /// choice becomes empty, a list shorter. Goes on after the record of this number, for a short time; tells what
    /// changed and where to go on, nil at the end.
    func removeChoices(
        _ numbers: Set<Int>, of field: FieldID, in table: TableSchema, after: Int64
    ) throws(APIError) -> (changes: [RecordChange], next: Int64?)

    /// Puts records, in the order given, directly before another (nil: after all) in a view's order by hand, which is
    /// the order of ids but for records that were put somewhere.
    ///
    /// - Returns: for each record its place before (nil: that of its id) and now.
    func move(
        _ records: [RecordID], before: RecordID?, in view: ViewID, of table: TableSchema
    ) throws(APIError) -> [RecordPlacement]

    /// Makes room for the cells that a field will have under another type; those it has stay what everybody reads.
    ///
    /// - Throws: `retriable` while another change of the field's type is under way.
    func beginRetyping(
        _ field: FieldID, to type: FieldType, in table: TableSchema
    ) throws(APIError) -> FieldRetyping
    /// Converts the cells of some records, up to `limit`: those not looked at before and those changed since; whether
    /// none is left.
    func convert(
        _ retyping: FieldRetyping, in table: TableSchema, limit: Int, _ convert: (StoredCell) -> StoredCell
    ) throws(APIError) -> Bool
    /// Puts the converted cells in place; to be followed by `updateTable` with the new type in the same transaction.
    /// What the field held before stays in the file, out of sight.
    func finishRetyping(_ retyping: FieldRetyping, in table: TableSchema) throws(APIError)
    /// Forgets the converted cells.
    func abandonRetyping(_ retyping: FieldRetyping) throws(APIError)

    /// Adds a comment to a record.
    func insert(_ comment: Comment, of record: RecordID, in table: TableID) throws(APIError)
    /// Changes the text and the last time of change of a comment that exists.
    func update(_ comment: Comment) throws(APIError)
    /// Removes a comment that exists; replies to it stay.
    func delete(_ comment: CommentID, of record: RecordID, in table: TableID) throws(APIError)
    /// Keeps a new attachment.
    func insert(_ attachment: StoredAttachment) throws(APIError)
    /// Puts what an attachment has become in place of what it was.
    func update(_ attachment: StoredAttachment) throws(APIError)
    /// Lets attachments of a record that were not fetched while no cell held them be fetched; whether there are any.
    func wakeAttachments(of record: RecordID, in base: BaseID) throws(APIError) -> Bool
    /// The same for all of a base, one of its tables or one field, up to `limit` of them.
    func wakeAttachments(in base: BaseID, table: TableID?, field: FieldID?, limit: Int) throws(APIError) -> Bool
    /// Forgets an attachment.
    func remove(_ attachment: AttachmentID) throws(APIError)
    /// Puts a value in one cell without a person having done so: the record does not count as modified.
    func settle(
        _ id: RecordID, in table: TableSchema, cell: (field: Int, value: StoredCell)
    ) throws(APIError)

    /// Appends to the change log; every write does, in its own transaction.
    func append(_ change: Change) throws(APIError)
    /// Keeps an answer under an idempotency key for 24 hours.
    func save(_ answer: StoredAnswer, idempotencyKey: String, token: TokenID) throws(APIError)

    func insert(_ user: User) throws(APIError)
    func insert(_ token: StoredToken) throws(APIError)
    /// Marks a token as revoked; false when there is no such token.
    func revoke(_ token: TokenID) throws(APIError) -> Bool
    /// Notes when tokens were last used.
    func touch(_ uses: [(token: TokenID, time: Instant)]) throws(APIError)
}
