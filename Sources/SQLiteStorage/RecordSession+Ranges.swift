import Platform
import RowhouseModel
import Storage
import Synchronization

// How many records a condition leaves, as the indexes on its fields tell, and which way to a page that makes the best.

/// A part of an index on one field that holds all records that can match, and how many it holds.
struct RangeInIndex {
    let index: SortIndex
    let low: [UInt8]
    let high: [UInt8]
    let count: Int
}

/// What the indexes tell of a condition: the smallest part that holds all matches, and the share of all records that
/// match if the parts have nothing to do with each other.
struct NarrowedCondition {
    let smallest: RangeInIndex
    let share: Double
    /// The numbers of records in the parts, by field; counting ends where there are many.
    let counts: [Int: Int]
}

/// The ways to a page of the records that match, with the work of each.
struct FilterWays {
    enum Way { case walk, among, sort }
    let best: Way
    let work: Double

    // The work for one record, in units of about a tenth of a microsecond: passing its entry in an index, reading it
    // where a walk comes to it, reading it and making its sort key.
    static let passing = 1.0
    static let reading = 8.0
    static let sorting = 15.0

    /// - Parameter inOrder: how many records can be gone through in the order asked for to meet all that match; nil when
    ///   none can.
    init(_ known: NarrowedCondition, _ plan: PagePlan, records: Int, inOrder: Int?) {
        let (part, page) = (Double(known.smallest.count), Double(plan.limit) + 1)
        let matches = max(1, known.share * Double(records))
        let sort = part * Self.reading + min(part, matches) * (Self.sorting - Self.reading)
        guard let inOrder else {
            let scan = Double(records) * Self.reading + matches * (Self.sorting - Self.reading)
            (best, work) = sort < scan ? (.sort, sort) : (.walk, scan)
            return
        }
        let share = min(1, page / matches)
        let walk = share * Double(inOrder) * Self.reading
        // In the order of record numbers no others are passed. The links of a page are filled in for one statement's rows.
        let passed = part + (plan.order.isEmpty ? 0 : share * Double(inOrder))
        let among =
            plan.table.hasLinks(plan.fields) ? .infinity : passed * Self.passing + share * part * Self.reading
        let least = min(walk, among, sort)
        (best, work) = least == among ? (.among, among) : least == sort ? (.sort, sort) : (.walk, walk)
    }
}

/// How many records the parts of an index held when they were counted lately.
struct RangeCounts {
    private struct Part: Hashable {
        let low: [UInt8]
        let high: [UInt8]
    }
    private struct Count {
        let count: Int
        /// Whether that is all of them, rather than where counting ended.
        let isWhole: Bool
        let moment: Moment
    }
    /// How many records a table has, and how many commits have changed some of them.
    struct Moment {
        let records: Int
        let changes: Int

        init(_ counters: TableCounters, records: Int) {
            self.records = records
            changes = counters.changes.load(ordering: .relaxed)
        }

        /// Whether what was counted then is still about right; a commit changes ten records or so.
        func isNear(_ then: Moment) -> Bool {
            abs(records - then.records) * 4 <= then.records && changes - then.changes <= 64 + then.records / 64
        }
    }
    private static let limit = 512
    private var counts: [Part: Count] = [:]

    /// The number in a part, or one more than `limit` where there are more; nil when that is not known.
    func count(_ low: [UInt8], _ high: [UInt8], limit: Int, at moment: Moment) -> Int? {
        guard let found = counts[Part(low: low, high: high)], moment.isNear(found.moment),
            found.isWhole || found.count > limit
        else { return nil }
        return min(found.count, limit + 1)
    }

    mutating func note(_ count: Int, _ low: [UInt8], _ high: [UInt8], limit: Int, at moment: Moment) {
        if counts.count >= Self.limit { counts = [:] }
        counts[Part(low: low, high: high)] = Count(count: count, isWhole: count <= limit, moment: moment)
    }
}

extension RecordSession {
    /// What the indexes that are ready tell of a condition; nil where every part is greater than `limit`, or no index tells.
    ///
    /// - Parameter counts: whether a part that was not counted lately is counted now.
    func narrowed(
        _ ranges: [KeyRange], _ plan: PagePlan, _ physical: PhysicalTable, limit: Int, counts: Bool
    ) -> NarrowedCondition? {
        let records = approximateCount(physical)
        let moment = RangeCounts.Moment(physical.counters, records: records)
        var smallest: RangeInIndex?
        var share = 1.0
        var all: [Int: Int] = [:]
        for range in ranges {
            guard let order = resolve([SortKey(field: range.field, direction: .asc)], of: plan.table),
                let index = order.readyIndex(of: physical, in: indexes)
            else { continue }
            let (low, high) = (range.low, range.high)
            var known = index.counts.withLock { $0.count(low, high, limit: limit, at: moment) }
            if known == nil, counts {
                // An index that went away meanwhile tells nothing.
                guard let counted = try? count(low, high, index, plan.table, limit: limit) else { continue }
                index.counts.withLock { $0.note(counted, low, high, limit: limit, at: moment) }
                known = counted
            }
            guard let count = known else { return nil }
            all[range.field] = count
            share *= min(1, Double(count) / Double(max(1, records)))
            if count <= smallest.map({ $0.count - 1 }) ?? limit {
                smallest = RangeInIndex(index: index, low: low, high: high, count: count)
            }
        }
        return smallest.map { NarrowedCondition(smallest: $0, share: share, counts: all) }
    }

    /// The number of records in a part of an index, or one more than `limit`.
    private func count(
        _ low: [UInt8], _ high: [UInt8], _ index: SortIndex, _ table: TableSchema, limit: Int
    ) throws(APIError) -> Int {
        let sql = "SELECT count(*) FROM (SELECT 1 FROM s_\(index.number) WHERE key > ?2 AND key < ?3 LIMIT ?1)"
        let count = try number(sql, of: table) {
            $0.bind(1, limit + 1)
            $0.bind(2, blob: low)
            $0.bind(3, blob: high)
        }
        return count.map { Int($0) } ?? limit + 1
    }
}
