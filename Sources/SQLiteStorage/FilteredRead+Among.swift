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
    // The work for one record, in units of about a tenth of a microsecond: passing its entry in an index, reading it
    // where a walk comes to it, reading it and making its sort key.
    private static let passing = 1
    private static let reading = 8
    private static let sorting = 15

    /// The greatest part of an index that is read for one page.
    private static let mostInRange = 20_000
    /// A walk over fewer records is not worth a shortcut.
    private static let shortWalk = 500

    /// The shortcut that takes less than walking on as far as the walk leads at the rate of its matches so far.
    func shortcut(after looked: Int) throws(APIError) -> Shortcut? {
        let ahead = looked / max(1, page.batch.count) * (plan.limit - page.batch.count + 1)
        guard ahead > Self.shortWalk, !isShortcutSought else { return nil }
        isShortcutSought = true
        let limit = min(Self.mostInRange, ahead * Self.reading)
        guard let range = try session.smallestRange(of: filter, plan, physical, limit: limit) else { return nil }
        // The links of a page are filled in for the records of one statement.
        let canTake = !plan.table.hasLinks(plan.fields)
        let among = canTake ? (range.count + ahead) * Self.passing : .max
        let sort = range.count * Self.sorting
        guard min(among, sort) < ahead * Self.reading else { return nil }
        return among < sort ? .among(range) : .sort(range)
    }

    /// The numbers of the records in a part of an index; nil when one is too great.
    private func numbers(in range: RangeInIndex) throws(APIError) -> NumberSet? {
        let cached = try connectionStatement(.numbersInRange(range.index.number)) {
            "SELECT record FROM s_\(range.index.number) WHERE key > ?1 AND key < ?2"
        }
        guard let statement = cached else { return nil }
        defer { statement.reset() }
        statement.bind(1, blob: range.low)
        statement.bind(2, blob: range.high)
        range.index.lastUse.store(session.time, ordering: .relaxed)
        var numbers = NumberSet()
        while try statement.step() {
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
        _ walk: IndexWalk, after place: [UInt8], among range: RangeInIndex, key: inout [UInt8]
    ) throws(APIError) -> Bool {
        guard let numbers = try numbers(in: range) else { return false }
        let rows = try rows()
        defer { rows.statement.reset() }
        let (beyond, before, direction) = walk.isBackwards ? ("<", ">", "DESC") : (">", "<", "ASC")
        let entries = try connectionStatement(.entries(walk.index.number, backwards: walk.isBackwards)) {
            """
            SELECT record, key FROM s_\(walk.index.number) WHERE key \(beyond) ?1 AND key \(before) ?2
            ORDER BY key \(direction)
            """
        }
        guard let entries else { return false }
        defer { entries.reset() }
        entries.bind(1, blob: place)
        entries.bind(2, blob: walk.isBackwards ? walk.low : walk.high)
        var left = range.count * Self.sorting
        while try entries.step() {
            left -= Self.passing
            if left < 0 { return false }
            let number = entries.integer(0)
            guard numbers.contains(number) else { continue }
            let count = page.batch.count
            if try take(number, rows) { break }
            if page.batch.count > count { entries.read(1, into: &key) }
        }
        return true
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
        if page.batch.count >= plan.limit || page.batch.text.count >= session.pageBytes {
            page.hasMore = true
            return true
        }
        try session.append(rows, to: &page.batch)
        return false
    }
}
