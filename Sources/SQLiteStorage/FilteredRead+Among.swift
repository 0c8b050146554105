import RowhouseModel
import Storage
import Synchronization

// What an index says of the records that can match at all, used by a walk that leads far: their numbers, so that all
// others are passed over without being read; or all of them read and sorted, where that is less still.

/// What is done instead of walking on over all records.
enum Shortcut {
    case among(RangeInIndex)
    case sort(RangeInIndex)
}

extension FilteredRead {
    /// A walk over fewer records is not worth a shortcut.
    private static let shortWalk = 500

    /// The shortcut that takes less than walking on as far as the walk leads at the rate of its matches so far.
    func shortcut(after looked: Int) -> Shortcut? {
        let ahead = looked / max(1, page.batch.count) * (plan.limit - page.batch.count + 1)
        guard ahead > Self.shortWalk, !isShortcutSought else { return nil }
        isShortcutSought = true
        let walk = Double(ahead) * FilterWays.reading
        let ranges = KeyRange.ranges(of: filter, plan.table)
        let limit = Int(min(Double(RecordSession.mostInRange), walk))
        let narrowed = session.narrowed(ranges, plan, physical, limit: limit, counts: true)
        guard let range = narrowed?.smallest else { return nil }
        // The links of a page are filled in for the records of one statement.
        let canTake = !plan.table.hasLinks(plan.fields)
        let among = canTake ? Double(range.count + ahead) * FilterWays.passing : .infinity
        let sort = Double(range.count) * FilterWays.sorting
        guard min(among, sort) < walk else { return nil }
        return among < sort ? .among(range) : .sort(range)
    }

    /// The numbers of the records in a part of an index; nil when one is too great.
    private func numbers(in range: RangeInIndex) throws(APIError) -> NumberSet? {
        // Comparing every entry with an end that is none would cost as much as reading it.
        let toEnd = range.high == KeyRange.end
        let cached = try connectionStatement(.numbersInRange(range.index.number, toEnd: toEnd)) {
            "SELECT record FROM s_\(range.index.number) WHERE key > ?1\(toEnd ? "" : " AND key < ?2")"
        }
        guard let statement = cached else { return nil }
        defer { statement.reset() }
        statement.bind(1, blob: range.low)
        if !toEnd { statement.bind(2, blob: range.high) }
        range.index.lastUse.store(session.time, ordering: .relaxed)
        var numbers = NumberSet()
        while try statement.step() {
            passed += 1
            let number = statement.integer(0)
            guard number >= 0, number <= NumberSet.greatest else { return nil }
            numbers.insert(number)
        }
        return numbers
    }

    private func connectionStatement(
        _ shape: StatementShape, _ sql: () -> String
    ) throws(APIError) -> Statement? {
        try session.connection.statements.statement(shape, of: plan.table, fields: []) { () throws(APIError) in
            session.connection.tryPrepare(sql()).map {
                CachedStatement(table: plan.table, fields: [], statement: $0)
            }
        }?.statement
    }

    /// Goes on in the order of record numbers, reading only records that an index knows; false when it cannot.
    func takeByNumber(after number: Int64, among range: RangeInIndex) throws(APIError) -> Bool {
        guard let numbers = try numbers(in: range) else { return false }
        let rows = try rows()
        defer { rows.statement.reset() }
        var place = number
        while let next = numbers.next(after: place) {
            place = next
            if try take(next, rows) { break }
        }
        return true
    }

    /// Goes on in a stored order, reading only records that an index knows; false when it cannot, or when so many entries
    /// were passed that sorting would have been less.
    func takeInOrder(
        _ walk: IndexWalk, after place: [UInt8], among range: RangeInIndex
    ) throws(APIError) -> Bool {
        guard let numbers = try numbers(in: range) else { return false }
        let rows = try rows()
        defer { rows.statement.reset() }
        guard let entries = try entries(walk, after: place) else { return false }
        defer { entries.reset() }
        walk.index.lastUse.store(session.time, ordering: .relaxed)
        var left = Int(Double(range.count) * FilterWays.sorting / FilterWays.passing)
        while try entries.step() {
            passed += 1
            left -= 1
            if left < 0 { return false }
            let number = entries.integer(0)
            if numbers.contains(number), try take(number, rows) { break }
        }
        return true
    }

    /// The records of a stored order from a place on; only their numbers, since nearly all of them are passed over.
    private func entries(_ walk: IndexWalk, after place: [UInt8]) throws(APIError) -> Statement? {
        let (beyond, before, direction) = walk.isBackwards ? ("<", ">", "DESC") : (">", "<", "ASC")
        let end = walk.isBackwards ? walk.low : walk.high
        let toEnd = end == (walk.isBackwards ? [] : KeyRange.end)
        let shape = StatementShape.entries(walk.index.number, backwards: walk.isBackwards, toEnd: toEnd)
        let entries = try connectionStatement(shape) {
            """
            SELECT record FROM s_\(walk.index.number) WHERE key \(beyond) ?1 \(toEnd ? "" : "AND key \(before) ?2")
            ORDER BY key \(direction)
            """
        }
        entries?.bind(1, blob: place)
        if !toEnd { entries?.bind(2, blob: end) }
        return entries
    }

    /// The statement that reads one record, if it matches: `?2` its number.
    private func rows() throws(APIError) -> CachedStatement {
        let rows = try select(.number, plan.fields) { "t_\($0) AS t WHERE t.n = ?2 AND \(condition.sql)" }
        condition.bind(to: rows.statement)
        return rows
    }

    /// Adds a record if it matches; true when the page was full before.
    private func take(_ number: Int64, _ rows: CachedStatement) throws(APIError) -> Bool {
        defer { rows.statement.rewind() }
        rows.statement.bind(2, number)
        guard try rows.statement.step() else { return false }
        if session.isFull(page.batch, plan) {
            page.hasMore = true
            return true
        }
        try session.append(rows, to: &page.batch)
        return false
    }
}
