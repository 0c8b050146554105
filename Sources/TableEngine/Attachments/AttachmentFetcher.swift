package import Blobs
import Platform
package import RowhouseModel
package import Storage

/// Fetches the bytes of attachments that were given by address, after the writes that named them: on threads of its
/// own, in the order in which they were attached. What is not done when the program ends is done after its next start.
package final class AttachmentFetcher: Sendable {
    private struct State {
        /// The numbers of those at work.
        var running: Set<Int64> = []
        /// Those that cannot be shown now, and until when they are left alone.
        var putOff: [Int64: UInt64] = [:]
        var sleeping = 0
        var isStopped = false
        /// Those who wait for the files of a record.
        var waiting: [(record: RecordID, semaphore: Semaphore)] = []
    }
    private struct Job {
        let number: Int64
        let stored: StoredAttachment
    }

    private let storage: any Storage
    private let blobs: Blobs
    private let remote: any RemoteFiles
    private let images: (any ImageOperations)?
    private let log: @Sendable (String) -> Void
    private let state = Guarded(State())
    private let bell = Semaphore()
    private let threads = Guarded<[OwnThread]>([])

    /// How many are fetched at once.
    private static let most = 4
    /// The largest file, in bytes.
    package static let largest = 1 << 30
    /// How long to pause when a file cannot be kept, in milliseconds.
    private static let pause = 10_000
    /// How long what cannot be shown is left alone, in nanoseconds.
    private static let delay: UInt64 = 60_000_000_000
    /// How often a thread without work looks for some, in milliseconds.
    private static let watch = 30_000
    /// How long someone waits for the files of a record, in milliseconds, and how many do at once.
    private static let patience = 3_000
    private static let mostWaiting = 4

    /// - Parameter images: nil where images are files like any other.
    package init(
        storage: any Storage, blobs: Blobs, remote: any RemoteFiles, images: (any ImageOperations)?,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.storage = storage
        self.blobs = blobs
        self.remote = remote
        self.images = images
        self.log = log
    }

    /// Begins with what is waiting.
    package func start() {
        threads.withLock { threads in
            for _ in 0..<Self.most {
                if let thread = OwnThread(name: "rowhouse-fetch", { self.work() }) { threads.append(thread) }
            }
        }
    }

    /// Breaks off what is under way, and waits for its end.
    package func stop() {
        let sleeping = state.withLock { state in
            state.isStopped = true
            defer { state.sleeping = 0 }
            return state.sleeping
        }
        for _ in 0..<sleeping { bell.signal() }
        remote.stop()
        let ending = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in ending { thread.join() }
    }

    /// Says that there is something to fetch: called when the write that names it is on the disk.
    func wake() {
        let sleeping = state.withLock { state in
            defer { state.sleeping = 0 }
            return state.sleeping
        }
        for _ in 0..<sleeping { bell.signal() }
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func work() {
        while let job = next() {
            let outcome = perform(job)
            let done = state.withLock { state in
                state.running.remove(job.number)
                if outcome == .putOff {
                    state.putOff[job.number] = SystemClock.monotonicNanoseconds() &+ Self.delay
                }
                return state.waiting.filter { $0.record == job.stored.place.record }
            }
            for waiter in done { waiter.semaphore.signal() }
            if outcome == .failed { pause() }
        }
    }

    private enum Outcome { case done, failed, putOff }

    /// The next to fetch; nil at the end.
    private func next() -> Job? {
        while true {
            let found: Job?? = state.withLock { state in
                if state.isStopped { return .some(nil) }
                // Looked for with the lock held, so that whoever comes after knows that this thread sleeps.
                let now = SystemClock.monotonicNanoseconds()
                state.putOff = state.putOff.filter { $0.value > now }
                let limit = Self.most + state.putOff.count
                let first = try? storage.read { (reader) throws(APIError) in
                    try reader.waitingAttachments(limit: limit)
                }
                let next = first?.first { !state.running.contains($0.number) && state.putOff[$0.number] == nil }
                guard let job = next else {
                    state.sleeping = min(Self.most, state.sleeping + 1)
                    return .none
                }
                state.running.insert(job.number)
                return .some(Job(number: job.number, stored: job.attachment))
            }
            if let found { return found }
            // Looks by itself too, for what was put off.
            _ = bell.wait(milliseconds: Self.watch)
        }
    }

    private func pause() {
        var left = Self.pause
        while left > 0, !isStopped {
            _ = Semaphore().wait(milliseconds: 100)
            left -= 100
        }
    }

    // MARK: one file

    private func perform(_ job: Job) -> Outcome {
        guard case .remote(let url) = job.stored.attachment.content else { return .done }
        do throws(APIError) {
            switch try reach(job.stored) {
            case .held: break
            // What is deleted may come back, and its cells are not to be written until then.
            case .hidden: return .putOff
            case .takenOut:
                let id = job.stored.attachment.id
                try storage.write { (writer) throws(APIError) in try writer.remove(id) }
                return .done
            }
            let fetched = try fetch(url, job.stored)
            if fetched == nil, isStopped { return .done }
            return try settle(job.stored, fetched) ? .done : .putOff
        } catch {
            log("attachment \(job.stored.attachment.id) waits: \(error.message ?? error.type)")
            return .failed
        }
    }

    private enum Reach { case held, hidden, takenOut }

    private func reach(_ stored: StoredAttachment) throws(APIError) -> Reach {
        let (schema, place) = (storage.schema, stored.place)
        return try storage.read { (reader) throws(APIError) in
            if try reader.held(stored, in: schema) != nil { return .held }
            guard let table = schema.base(place.base)?.table(place.table), table.index(of: place.field) != nil,
                try reader.record(place.record, in: table, fields: []) != nil
            else { return .hidden }
            return .takenOut
        }
    }

    /// The attachment with its file; nil when it could not be had.
    private func fetch(_ url: String, _ stored: StoredAttachment) throws(APIError) -> Attachment? {
        let writer = try blobs.writer(limit: Self.largest)
        var failure: APIError?
        let said: RemoteFileFacts
        do throws(RemoteFileError) {
            said = try remote.fetch(url, limit: Self.largest) { piece in
                do throws(APIError) { try writer.take(piece) } catch { failure = error }
                return failure == nil && !isStopped
            }
        } catch {
            if let failure, failure.status != 413 { throw failure }
            if !isStopped { log("attachment \(stored.attachment.id) could not be fetched: \(error)") }
            return nil
        }
        var attachment = stored.attachment
        let facts = try writer.finish().facts(
            in: blobs, images: images, claimed: said.type, filename: attachment.filename)
        if attachment.filename == Filename.unnamed {
            attachment.filename = Self.name(said.filename, FileType(rawValue: facts.type))
        }
        attachment.content = .file(facts)
        return attachment
    }

    /// The name of a file that got none with its address.
    private static func name(_ said: String?, _ type: FileType) -> String {
        if let said = said.flatMap({ Filename.cleaned($0) }) { return said }
        return type.fileExtension.map { "a.\($0)" } ?? Filename.unnamed
    }

    /// Puts what was fetched in the place of what was waiting, or takes that out; false when its cell does not hold it any
    /// more.
    private func settle(_ stored: StoredAttachment, _ fetched: Attachment?) throws(APIError) -> Bool {
        try storage.write { (writer) throws(APIError) in
            guard var current = try writer.attachment(stored.attachment.id),
                try writer.held(current, in: writer.schema) != nil
            else { return false }
            if let fetched {
                current.attachment = fetched
                try writer.update(current)
            } else {
                try writer.remove(current.attachment.id)
            }
            try writer.replace(current.attachment.id, by: fetched, for: current)
            return true
        }
    }

    // MARK: waiting for files

    /// Waits a little for files that are on their way to a record. Blocks.
    func waitForFiles(of record: RecordID) {
        let end = SystemClock.monotonicNanoseconds() + UInt64(Self.patience) * 1_000_000
        let semaphore = Semaphore()
        let isAdmitted = state.withLock { state in
            guard state.waiting.count < Self.mostWaiting else { return false }
            state.waiting.append((record, semaphore))
            return true
        }
        guard isAdmitted else { return }
        defer { state.withLock { $0.waiting.removeAll { $0.semaphore === semaphore } } }
        while isExpected(record) {
            let now = SystemClock.monotonicNanoseconds()
            guard now < end, semaphore.wait(milliseconds: Int((end - now) / 1_000_000) + 1) else { return }
        }
    }

    /// Whether a file of the record is among the next to come.
    private func isExpected(_ record: RecordID) -> Bool {
        let waiting = try? storage.read { (reader) throws(APIError) in
            try reader.waitingAttachments(limit: 100)
        }
        return waiting?.contains { $0.attachment.place.record == record } ?? false
    }
}

extension StorageWriter {
    /// Puts an attachment in the place of another in a cell that holds that one, or takes it out.
    fileprivate func replace(
        _ id: AttachmentID, by new: Attachment?, for stored: StoredAttachment
    ) throws(APIError) {
        let place = stored.place
        guard let table = schema.base(place.base)?.table(place.table), let field = table.index(of: place.field),
            let before = try record(place.record, in: table, fields: [field])?.cell(record: 0, field: 0),
            let held = before.attachments
        else { return }
        let after = StoredCell.attachments(held.compactMap { $0.id == id ? new : $0 })
        try settle(place.record, in: table, cell: (field, after))
        try append(
            Change(
                kind: .updateRecords, base: place.base, table: place.table, user: stored.user, token: nil,
                records: [RecordChange(record: place.record, cells: [(place.field, before, after)])]))
    }
}
