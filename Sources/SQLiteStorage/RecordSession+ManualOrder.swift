import RowhouseModel
import Storage

/// An order by hand is the order of ids in which some records stand elsewhere: a page is made of two lists, of those
/// that were moved by their places and of those that were not by their ids, taken in turn.
extension RecordSession {
    func pageByHand(_ plan: PagePlan, _ view: Int) throws(APIError) -> StoredPage {
        let after = try plan.after.map { (after) throws(APIError) in try place(after, view, plan.table) } ?? []
        var page = StoredPage(batch: RecordBatch(fields: []), last: nil, hasMore: false)
        let lists = try PlacedLists(self, plan.fields, of: plan.table, view: view, condition: nil)
        page.batch = RecordBatch(fields: lists.fields)
        page.hasMore = try lists.take(after: after, upTo: nil, plan, into: &page)
        try lists.finish(&page)
        return page
    }

    /// The place to go on after; that of the record itself when the caller has none.
    func place(_ after: PagePosition, _ view: Int, _ table: TableSchema) throws(APIError) -> [UInt8] {
        after.key.isEmpty ? try place(of: after.record, view, table) : after.key
    }

    /// Where a record stands in the order by hand.
    func place(of record: RecordID, _ view: Int, _ table: TableSchema) throws(APIError) -> [UInt8] {
        let number = "(SELECT n FROM t_\(try physical(table).number) WHERE id = ?1)"
        let sql = "SELECT place FROM places WHERE view = \(view) AND record = \(number)"
        return try bytes(sql, of: table) { $0.bind(1, record.text) } ?? Array(record.placeText.utf8)
    }
}

/// The two lists of an order by hand, maybe of those records only for which a condition holds.
struct PlacedLists {
    private let session: RecordSession
    private let condition: ConditionSQL?
    private let unmoved: CachedStatement
    private let moved: CachedStatement

    /// What no place comes after.
    static let end = Array("\u{7F}".utf8)

    var fields: [Field] { unmoved.fields }

    /// `condition` has its parameters from `?4` on.
    init(
        _ session: RecordSession, _ fields: [Int], of table: TableSchema, view: Int, condition: ConditionSQL?
    ) throws(APIError) {
        self.session = session
        self.condition = condition
        let and = condition.map { "AND \($0.sql)" } ?? ""
        func select(_ shape: StatementShape, _ place: String, _ rest: (Int) -> String) throws(APIError)
            -> CachedStatement
        {
            // What is long is seldom asked again, and would fill the memory of what is kept.
            let cached =
                and.utf8.count > 2_000
                ? try session.makeSelect(shape, fields, of: table, extra: ", \(place)") { rest($0.number) }
                : try session.select(shape, fields, of: table, extra: ", \(place)") { rest($0.number) }
            guard let cached else { throw .retriable }
            return cached
        }
        unmoved = try select(.unmoved(view: view, and), "t.id") { table in
            """
            t_\(table) AS t INDEXED BY sqlite_autoindex_t_\(table)_1 WHERE t.id > ?2 AND t.id <= ?3
            AND NOT EXISTS (SELECT 1 FROM places AS p WHERE p.view = \(view) AND p.record = t.n) \(and)
            ORDER BY t.id LIMIT ?1
            """
        }
        moved = try select(.moved(view: view, and), "p.place") { table in
            """
            places AS p CROSS JOIN t_\(table) AS t NOT INDEXED ON t.n = p.record
            WHERE p.view = \(view) AND p.place > ?2 AND p.place <= ?3 \(and) ORDER BY p.place LIMIT ?1
            """
        }
    }

    /// Adds the records after one place and up to another until the page is full; true when there is one more.
    func take(
        after: [UInt8], upTo end: [UInt8]?, _ plan: PagePlan, into page: inout StoredPage
    ) throws(APIError) -> Bool {
        defer {
            unmoved.statement.reset()
            moved.statement.reset()
        }
        var lists = [unmoved, moved].map { PlacedList($0) }
        for index in lists.indices {
            let statement = lists[index].cached.statement
            condition?.bind(to: statement)
            statement.bind(1, plan.limit &- page.batch.count &+ 1)
            statement.bind(2, text: after)
            statement.bind(3, text: end ?? Self.end)
            try lists[index].advance()
        }
        while let index = Self.next(of: lists) {
            if session.isFull(page.batch, plan) { return true }
            try session.append(lists[index].cached, to: &page.batch)
            page.places.append(lists[index].place)
            try lists[index].advance()
        }
        return false
    }

    /// Fills in links, by one statement for all, and says where the last record stands.
    func finish(_ page: inout StoredPage) throws(APIError) {
        try session.fillLinks(of: unmoved, in: &page)
        page.places.removeSubrange(min(page.batch.count, page.places.count)...)
        page.last = page.batch.ids.last.map { PagePosition(record: $0, key: page.places.last ?? []) }
    }

    private static func next(of lists: [PlacedList]) -> Int? {
        let open = lists.indices.filter { !lists[$0].isAtEnd }
        return open.min { lists[$0].place.isBefore(lists[$1].place) }
    }
}

/// A list of records being read, with the place of the one it stands on.
private struct PlacedList {
    let cached: CachedStatement
    private(set) var place: [UInt8] = []
    private(set) var isAtEnd = false

    init(_ cached: CachedStatement) { self.cached = cached }

    mutating func advance() throws(APIError) {
        isAtEnd = try !cached.statement.step()
        if !isAtEnd { cached.statement.read(Int32(cached.fields.count + 2), into: &place) }
    }
}
