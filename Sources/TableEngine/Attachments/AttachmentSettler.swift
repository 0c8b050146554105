import Platform
import RowhouseModel
import Storage

/// Puts files that came in the cells that wait for them, and takes out what could not be had, on a thread of its own.
///
/// All that ended meanwhile for one cell is one write; and since each write writes the whole cell, a large one has to
/// wait a little after each.
final class AttachmentSettler: Sendable {
    /// The end of one job: the attachment with its file, nil when it could not be had.
    struct Outcome: Sendable {
        let job: FetchJob
        let fetched: Attachment?
    }
    private typealias Place = StoredAttachment.Place
    private struct State {
        var outcomes: [Place: [Outcome]] = [:]
        /// Until when cells are left alone.
        var pauses: [Place: UInt64] = [:]
        var isStopped = false
    }

    private let storage: any Storage
    private let log: @Sendable (String) -> Void
    private let state = Guarded(State())
    private let bell = Semaphore()

    /// How long a cell is left alone for each of its bytes, in nanoseconds: two seconds for the largest.
    private static let pausePerByte: UInt64 = 2_000
    /// How long when it could not be written.
    private static let pauseAfterFailure: UInt64 = 10_000_000_000

    init(storage: any Storage, log: @escaping @Sendable (String) -> Void) {
        self.storage = storage
        self.log = log
    }

    func add(_ outcome: Outcome) {
        state.withLock { $0.outcomes[outcome.job.stored.place, default: []].append(outcome) }
        bell.signal()
    }

    /// Lets ``run(_:)`` end, after what was added.
    func stop() {
        state.withLock { $0.isStopped = true }
        bell.signal()
    }

    /// The work of the thread.
    ///
    /// - Parameter whenSettled: gets the jobs of a cell after it was written.
    func run(_ whenSettled: ([FetchJob]) -> Void) {
        while true {
            let (due, next, isStopped) = take()
            for outcomes in due {
                if settle(outcomes) || isStopped { whenSettled(outcomes.map(\.job)) }
            }
            if !due.isEmpty { continue }
            if isStopped { return }
            _ = bell.wait(milliseconds: next)
        }
    }

    /// What is to be written now, by cells, and else in how many milliseconds there will be something.
    private func take() -> (due: [[Outcome]], next: Int, isStopped: Bool) {
        state.withLock { state in
            let now = SystemClock.monotonicNanoseconds()
            state.pauses = state.pauses.filter { $0.value > now }
            var due: [[Outcome]] = []
            var next = UInt64(60_000_000_000)
            for (place, outcomes) in state.outcomes {
                if let end = state.pauses[place], !state.isStopped {
                    next = min(next, end - now)
                } else {
                    due.append(outcomes)
                }
            }
            for outcomes in due { state.outcomes[outcomes[0].job.stored.place] = nil }
            return (due, Int(next / 1_000_000) + 1, state.isStopped)
        }
    }

    /// Writes outcomes of one cell; false when that has to be done again.
    private func settle(_ outcomes: [Outcome]) -> Bool {
        let place = outcomes[0].job.stored.place
        do throws(APIError) {
            let bytes = try storage.write { (writer) throws(APIError) in try writer.settle(outcomes, at: place) }
            pause(place, UInt64(clamping: bytes) &* Self.pausePerByte)
            return true
        } catch {
            log("attachments of record \(place.record) wait: \(error.message ?? error.type)")
            // At the end they are left to the next start, which fetches again what still waits.
            state.withLock { state in
                if !state.isStopped { state.outcomes[place] = outcomes + (state.outcomes[place] ?? []) }
            }
            pause(place, Self.pauseAfterFailure)
            return false
        }
    }

    private func pause(_ place: Place, _ time: UInt64) {
        state.withLock { $0.pauses[place] = SystemClock.monotonicNanoseconds() &+ time }
    }
}

extension StorageWriter {
    /// Puts what was fetched in the place of what was waiting, and takes out what could not be had; what the cell does
    /// not hold any more waits until it does. Tells how many bytes were written for the cell.
    fileprivate func settle(
        _ outcomes: [AttachmentSettler.Outcome], at place: StoredAttachment.Place
    ) throws(APIError) -> Int {
        let held = try attachments(at: place, in: schema)
        let ids = Set(held.map(\.id))
        var settled: [AttachmentID: StoredAttachment] = [:]
        var fetched: [AttachmentID: Attachment] = [:]
        for outcome in outcomes {
            guard var current = try attachment(outcome.job.stored.attachment.id) else { continue }
            let id = current.attachment.id
            if ids.contains(id) {
                settled[id] = current
                guard let file = outcome.fetched else {
                    try remove(id)
                    continue
                }
                fetched[id] = file
                current.attachment = file
            }
            current.dueTime = nil
            try update(current)
        }
        guard let user = settled.values.first?.user, let table = schema.base(place.base)?.table(place.table),
            let field = table.index(of: place.field)
        else { return 0 }
        let after = StoredCell.attachments(held.compactMap { settled[$0.id] == nil ? $0 : fetched[$0.id] })
        try settle(place.record, in: table, cell: (field, after))
        let items = held.filter { settled[$0.id] != nil }
        let change = RecordChange(
            record: place.record,
            cells: [(place.field, .attachments(items), .attachments(items.compactMap { fetched[$0.id] }))])
        try append(
            Change(
                kind: .settleAttachments, base: place.base, table: place.table, user: user, token: nil,
                records: [change]))
        guard case .text(let text) = after else { return 0 }
        return text.utf8.count
    }
}
