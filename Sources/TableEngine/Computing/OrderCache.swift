import CivilTime
import Platform
import RowhouseModel
import Storage
import Synchronization

/// The computed orders of tables asked for lately, each good until one of the tables it comes from changes.
final class OrderCache: Sendable {
    /// The memory that all lists may take together.
    private static let limit = 96 << 20
    /// How long a list is good that depends on the time of day.
    private static let lifetimeOfNow: Int64 = 60_000
    /// How long a walk that has begun goes on in its list, whatever is written meanwhile: a walk over a busy table
    /// would otherwise sort the table anew for each page.
    private static let lifetimeOfWalk: Int64 = 30_000

    private struct Key: Hashable {
        let base: ObjectIdentifier
        let table: TableID
        let keys: [SortKey]

        init(_ order: ComputedOrder) {
            base = ObjectIdentifier(order.base)
            table = order.table.id
            keys = order.keys
        }
    }
    private struct Entry {
        /// Kept alive so that its identity can stand for its version.
        let base: BaseSchema
        let records: OrderedRecords
        let changes: [Int]
        let users: UserDirectory
        let made: Instant
        var lastUse: Int
    }
    private struct State {
        var entries: [Key: Entry] = [:]
        var size = 0
        var clock = 0
    }
    private let state = Mutex(State())
    /// One list is made at a time: whoever waits may find his own made, and others keep a processor.
    private let turn = Semaphore(value: 1)

    /// The list for an order, made by `make` unless there is one that is good.
    func records(
        _ order: ComputedOrder, isContinued: Bool, storage: any Storage, now: Instant,
        make: () throws(APIError) -> OrderedRecords
    ) throws(APIError) -> OrderedRecords {
        if let found = find(order, isContinued, storage, now) { return found }
        turn.wait()
        defer { turn.signal() }
        if let found = find(order, isContinued, storage, now) { return found }
        // Asked before the records are read: a change in between makes the list old, never new.
        let (changes, users) = (Self.changes(order, storage), storage.users)
        let records = try make()
        keep(
            Entry(base: order.base, records: records, changes: changes, users: users, made: now, lastUse: 0),
            as: Key(order))
        return records
    }

    private static func changes(_ order: ComputedOrder, _ storage: any Storage) -> [Int] {
        order.plan.tables.map { storage.changeNumber(of: $0) }
    }

    private func find(
        _ order: ComputedOrder, _ isContinued: Bool, _ storage: any Storage, _ now: Instant
    ) -> OrderedRecords? {
        let (changes, users) = (Self.changes(order, storage), storage.users)
        return state.withLock { state in
            let key = Key(order)
            guard let entry = state.entries[key] else { return nil }
            let age = now.milliseconds - entry.made.milliseconds
            let isSame = entry.changes == changes && entry.users === users
            let isGood = isSame && (!order.plan.dependsOnNow || (0..<Self.lifetimeOfNow).contains(age))
            guard isGood || (isContinued && (0..<Self.lifetimeOfWalk).contains(age)) else { return nil }
            state.clock += 1
            state.entries[key]?.lastUse = state.clock
            return entry.records
        }
    }

    private func keep(_ entry: Entry, as key: Key) {
        guard entry.records.size <= Self.limit else { return }
        state.withLock { state in
            state.clock += 1
            state.size += entry.records.size - (state.entries[key]?.records.size ?? 0)
            state.entries[key] = entry
            state.entries[key]?.lastUse = state.clock
            while state.size > Self.limit, let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                state.size -= oldest.value.records.size
                state.entries[oldest.key] = nil
            }
        }
    }
}
