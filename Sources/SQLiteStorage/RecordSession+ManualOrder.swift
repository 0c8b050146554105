import RowhouseModel
import Storage

/// An order by hand is the order of ids in which some records stand elsewhere: a page is made of two lists, of those
/// that were moved by their places and of those that were not by their ids, taken in turn.
extension RecordSession {
    func pageByHand(_ plan: PagePlan, _ view: Int, _ table: Int) throws(APIError) -> StoredPage {
        let after = try plan.after.map { (position) throws(APIError) in try place(position, view, table) } ?? []
        var unmoved = try list(.unmoved(view: view), "t.id", plan, after) { table in
            """
            t_\(table.number) AS t WHERE t.id > ?2
            AND NOT EXISTS (SELECT 1 FROM places AS p WHERE p.view = \(view) AND p.record = t.n) ORDER BY t.id LIMIT ?1
            """
        }
        defer { unmoved.close() }
        var moved = try list(.moved(view: view), "p.place", plan, after) { table in
            """
            places AS p CROSS JOIN t_\(table.number) AS t ON t.n = p.record
            WHERE p.view = \(view) AND p.place > ?2 ORDER BY p.place LIMIT ?1
            """
        }
        defer { moved.close() }
        var page = StoredPage(batch: RecordBatch(fields: unmoved.cached.fields), last: nil, hasMore: false)
        unmoved.cached.reserve(&page.batch, records: plan.limit)
        while !unmoved.isAtEnd || !moved.isAtEnd {
            if page.batch.count >= plan.limit || page.batch.text.count >= Self.pageBytes {
                page.hasMore = true
                break
            }
            let isMoved = unmoved.isAtEnd || (!moved.isAtEnd && moved.place.isBefore(unmoved.place))
            try append(isMoved ? moved.cached : unmoved.cached, to: &page.batch)
            page.last = page.batch.ids.last.map {
                PagePosition(record: $0, key: isMoved ? moved.place : unmoved.place)
            }
            if isMoved { try moved.advance() } else { try unmoved.advance() }
        }
        return page
    }

    /// The place to go on after; that of the record itself when the caller has none.
    private func place(_ after: PagePosition, _ view: Int, _ table: Int) throws(APIError) -> [UInt8] {
        guard after.key.isEmpty else { return after.key }
        let statement = try connection.prepare(
            "SELECT place FROM places WHERE view = \(view) AND record = (SELECT n FROM t_\(table) WHERE id = ?1)")
        statement.bind(1, after.record.text)
        return try statement.step() ? statement.bytes(0) : Array(after.record.placeText.utf8)
    }

    private func list(
        _ shape: StatementShape, _ place: String, _ plan: PagePlan, _ after: [UInt8],
        _ rest: (PhysicalTable) -> String
    ) throws(APIError) -> PlacedRecords {
        guard let cached = try select(shape, plan.fields, of: plan.table, extra: ", \(place)", rest) else {
            throw .internalError
        }
        cached.statement.bind(1, plan.limit &+ 1)
        cached.statement.bind(2, text: after)
        return try PlacedRecords(cached)
    }
}

/// A list of records being read, with the place of the one it stands on.
private struct PlacedRecords {
    let cached: CachedStatement
    private(set) var place: [UInt8] = []
    private(set) var isAtEnd = false

    init(_ cached: CachedStatement) throws(APIError) {
        self.cached = cached
        do throws(APIError) {
            try advance()
        } catch {
            cached.statement.reset()
            throw error
        }
    }

    mutating func advance() throws(APIError) {
        isAtEnd = try !cached.statement.step()
        if !isAtEnd { cached.statement.read(Int32(cached.fields.count + 2), into: &place) }
    }

    func close() { cached.statement.reset() }
}
