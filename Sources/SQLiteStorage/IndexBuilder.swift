import CivilTime
import Platform
import RowhouseModel
import Storage
import Synchronization

/// Builds sort indexes beside the running store.
///
/// First the empty index is committed: from then on every write keeps it. Then the keys of all records are read from
/// a snapshot, sorted and inserted in their order by small writes, leaving out records written in the meantime.
final class IndexBuilder: @unchecked Sendable {
    // Made by the opening thread, then used by the housekeeping thread alone.
    private let session: RecordSession
    private let queue: CommitQueue
    private let indexes: IndexRegistry
    private let latest: LatestState
    private let stop: StopSign

    /// How many keys one write inserts.
    private static let portion = 2000
    /// How many bytes of keys are sorted in memory at once; more are done in several passes.
    private static let memory = 48 << 20
    /// How many indexes a table has at most; the one longest unused gives way.
    static let indexesATable = 16

    init(
        _ session: RecordSession, _ queue: CommitQueue, _ indexes: IndexRegistry, _ latest: LatestState,
        _ stop: StopSign
    ) {
        self.session = session
        self.queue = queue
        self.indexes = indexes
        self.latest = latest
        self.stop = stop
    }

    func close() { session.connection.close() }

    /// Builds what was asked for; an index that fails is asked for again by the next reader.
    func fulfilRequests() {
        while !stop.isSet, let request = indexes.nextRequest() {
            defer { indexes.finish(request) }
            guard let index = try? begin(request) else { continue }
            do throws(APIError) {
                try fill(index, request)
            } catch {
                abandon(index)
            }
        }
    }

    /// Commits the empty index; nil when there is no need of it.
    private func begin(_ request: IndexRegistry.Request) throws(APIError) -> SortIndex? {
        let indexes = indexes
        return try queue.write { (transaction) throws(APIError) in
            guard let table = transaction.schema.base(request.base)?.table(request.table),
                let fingerprint = request.definition.fingerprint(in: table, users: transaction.users)
            else { return nil }
            let physical = try transaction.physical(table)
            let present = indexes.indexes(ofTable: physical.number).filter { $0.definition == request.definition }
            if present.contains(where: { $0.fingerprint == fingerprint }) { return nil }
            try transaction.makeRoom(physical, Self.indexesATable)
            let index = try transaction.create(request.definition, fingerprint, table.id, physical)
            transaction.addedIndexes.append(index)
            return index
        }
    }

    private func fill(_ index: SortIndex, _ request: IndexRegistry.Request) throws(APIError) {
        var after: [UInt8]?
        repeat {
            let (entries, isLast) = try read(index, request, after: after)
            for start in stride(from: 0, to: entries.count, by: Self.portion) {
                let part = Array(entries[start..<min(start + Self.portion, entries.count)])
                if stop.isSet { throw .retriable }
                try queue.write { (transaction) throws(APIError) in try transaction.load(part, into: index) }
            }
            after = isLast ? nil : entries.last?.key
        } while after != nil
        try queue.write { (transaction) throws(APIError) in
            try transaction.check(index)
            try transaction.connection.execute("UPDATE sort_indexes SET is_ready = 1 WHERE number = \(index.number)")
            transaction.afterCommit.append { index.becomeReady() }
        }
    }

    /// The first keys after a key, as many as memory allows, in order.
    private func read(
        _ index: SortIndex, _ request: IndexRegistry.Request, after: [UInt8]?
    ) throws(APIError) -> (entries: [FirstKeys.Entry], isLast: Bool) {
        session.state = latest.value
        guard let table = session.state.schema.base(request.base)?.table(request.table),
            let order = index.definition.order(in: table),
            index.definition.fingerprint(in: table, users: session.state.users) == index.fingerprint
        else { throw .retriable }
        let encoder = SortKeyEncoder(table: table, order: order, users: session.state.users)
        try session.connection.run(.beginRead)
        defer { try? session.connection.run(.commit) }
        var collector = KeyCollector(after: after, memory: Self.memory)
        try session.scan(table, encoder) { key, number in collector.add(key, number) }
        return collector.finish()
    }

    private func abandon(_ index: SortIndex) {
        try? queue.write { (transaction) throws(APIError) in
            guard index.status == .building else { return }
            try transaction.drop(index)
        }
    }
}

/// Collects the smallest keys after one, as many as fit into memory.
private struct KeyCollector {
    private let after: [UInt8]?
    private let memory: Int
    private var entries: [FirstKeys.Entry] = []
    private var bytes = 0
    private var end: [UInt8]?

    init(after: [UInt8]?, memory: Int) {
        self.after = after
        self.memory = memory
    }

    mutating func add(_ key: [UInt8], _ number: Int64) {
        if let after, !after.isBefore(key) { return }
        if let end, !key.isBefore(end) { return }
        entries.append((key, number))
        bytes += Self.size(key)
        if bytes > 2 * memory { cut() }
    }

    mutating func finish() -> (entries: [FirstKeys.Entry], isLast: Bool) {
        entries.sort { $0.key.isBefore($1.key) }
        return (entries, end == nil)
    }

    private mutating func cut() {
        entries.sort { $0.key.isBefore($1.key) }
        while bytes > memory, entries.count > 1, let last = entries.popLast() {
            bytes -= Self.size(last.key)
            end = last.key
        }
    }

    private static func size(_ key: [UInt8]) -> Int { key.count + 64 }
}

extension WriteTransaction {
    /// Drops the index that was not used for the longest time, when the table has as many as it may.
    fileprivate func makeRoom(_ physical: PhysicalTable, _ limit: Int) throws(APIError) {
        let present = indexes.indexes(ofTable: physical.number)
        guard present.count >= limit else { return }
        let oldest = present.min { $0.lastUse.load(ordering: .relaxed) < $1.lastUse.load(ordering: .relaxed) }
        if let oldest { try drop(oldest) }
    }

    fileprivate func create(
        _ definition: SortDefinition, _ fingerprint: String, _ table: TableID, _ physical: PhysicalTable
    ) throws(APIError) -> SortIndex {
        let insert = try connection.prepare(
            "INSERT INTO sort_indexes (table_number, definition, fingerprint, last_used) VALUES (?1, ?2, ?3, ?4)")
        insert.bind(1, physical.number)
        insert.bind(2, definition.text)
        insert.bind(3, fingerprint)
        insert.bind(4, time)
        try insert.run()
        let number = connection.lastRow
        try connection.execute(
            "CREATE TABLE s_\(number) (key BLOB PRIMARY KEY, record INTEGER NOT NULL) STRICT, WITHOUT ROWID")
        return SortIndex(
            number: number, table: table, tableNumber: physical.number, definition: definition,
            fingerprint: fingerprint, status: .building, lastUse: time)
    }

    /// Whether the index is still wanted by what this transaction sees.
    fileprivate func check(_ index: SortIndex) throws(APIError) {
        guard index.status == .building, !droppedIndexes.contains(where: { $0 === index }) else { throw .retriable }
    }

    /// Inserts keys of a snapshot, but for records written since.
    fileprivate func load(_ entries: [FirstKeys.Entry], into index: SortIndex) throws(APIError) {
        try check(index)
        let written = Set(indexed.filter { $0.index === index }.map(\.record))
        let statement = try connection.prepare("INSERT OR REPLACE INTO s_\(index.number) (key, record) VALUES (?1, ?2)")
        for entry in index.notWritten(entries) where !written.contains(entry.number) {
            statement.bind(1, blob: entry.key)
            statement.bind(2, entry.number)
            try statement.run()
        }
    }
}
