import CivilTime
import Platform
import RowhouseModel
import Storage
import Synchronization

/// A thread of its own that builds the indexes readers ask for and forgets what is too old, all by small writes.
final class Housekeeper: Sendable {
    private let queue: CommitQueue
    private let indexes: IndexRegistry
    private let options: SQLiteStorage.Options
    private let isStopped: StopSign
    private let thread: OwnThread

    private static let pause = 60_000
    /// How many old entries one write removes, and how many such writes follow each other.
    private static let portion = 500
    private static let portions = 20
    /// How many writes look for cells with choices that are gone, each at some thousand records.
    private static let clearings = 10_000

    init?(
        _ session: RecordSession, _ queue: CommitQueue, _ indexes: IndexRegistry, _ latest: LatestState,
        _ options: SQLiteStorage.Options
    ) {
        self.queue = queue
        self.indexes = indexes
        self.options = options
        let stop = StopSign()
        isStopped = stop
        let builder = IndexBuilder(session, queue, indexes, latest, stop)
        let thread = OwnThread(name: "rowhouse-keeper") {
            Self.tidy(queue, options)
            while !stop.isSet {
                let isAsked = indexes.wishes.wait(milliseconds: Self.pause)
                if stop.isSet { break }
                builder.fulfilRequests()
                if !isAsked { Self.tidy(queue, options) }
            }
            builder.close()
        }
        guard let thread else { return nil }
        self.thread = thread
    }

    /// Whether there are requests for indexes that are not yet fulfilled.
    var isBusy: Bool { indexes.nextRequest() != nil }

    /// Ends the thread; an index half built is forgotten.
    func stop() {
        isStopped.set()
        indexes.wishes.signal()
        thread.join()
    }

    func tidy() { Self.tidy(queue, options) }

    /// Forgets answers and changes beyond their time; what is too much for now waits for the next time.
    private static func tidy(_ queue: CommitQueue, _ options: SQLiteStorage.Options) {
        let now = options.clock().milliseconds
        let oldestChange = now - Int64(max(0, options.changeLogDays)) * 86_400_000
        forget([.oldRecordChanges, .oldChanges], before: oldestChange, queue)
        forget([.oldAnswers], before: now - RecordSession.answerLifetime, queue)
        purge(queue) { (transaction) throws(APIError) in try transaction.purgeAbandonedBase(portion: portion) }
        clearChoices(removedBefore: now - Int64(pause), queue)
        guard options.purgesTrash else { return }
        let oldestTrash = now - Int64(max(0, options.trashDays)) * 86_400_000
        purge(queue) { (transaction) throws(APIError) in
            try transaction.purge(before: oldestTrash, portion: portion)
        }
    }

    /// Takes some steps, each of which tells whether there may be more to do.
    private static func purge(
        _ queue: CommitQueue, _ step: @escaping @Sendable (WriteTransaction) throws(APIError) -> Bool
    ) {
        for _ in 0..<portions {
            guard (try? queue.write(step)) == true else { return }
        }
    }

    /// Takes choices that are gone out of cells, where what began it was cut off.
    private static func clearChoices(removedBefore time: Int64, _ queue: CommitQueue) {
        var next: Int64? = 0
        for _ in 0..<clearings {
            guard let after = next else { return }
            let written = try? queue.write { (transaction) throws(APIError) in
                try transaction.clearGoneChoices(removedBefore: time, after: after)
            }
            next = written ?? nil
        }
    }

    /// Runs the statements, the last of which tells by how much it removes whether there is more.
    private static func forget(_ statements: [FixedStatement], before time: Int64, _ queue: CommitQueue) {
        for _ in 0..<portions {
            let count = try? queue.write { (transaction) throws(APIError) in
                for fixed in statements {
                    let statement = try transaction.connection.statement(fixed)
                    statement.bind(1, time)
                    statement.bind(2, portion)
                    try statement.run()
                }
                return transaction.connection.changes
            }
            guard let count, count == portion else { return }
        }
    }
}

/// Tells a thread to end.
final class StopSign: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .acquiring) }
    func set() { flag.store(true, ordering: .releasing) }
}
