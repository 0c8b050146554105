package import Blobs
package import CivilTime
import Platform
package import RowhouseModel
package import Storage

/// Fetches the bytes of attachments that were given by address, after the writes that named them: on threads of its
/// own, by turns of their bases. What is not done when the program ends is done after its next start.
package final class AttachmentFetcher: Sendable {
    /// How slow a file may be while others wait.
    package struct Pace: Sendable {
        /// From when on it counts, in milliseconds.
        package var patience: UInt64 = 10_000
        /// In bytes a second, since the beginning.
        package var lowestSpeed = 65_536

        package init() {}
    }
    private struct State {
        var turns = FetchTurns()
        var sleeping = 0
        var isStopped = false
        /// Those who wait for the files of a record.
        var waiting: [(record: RecordID, semaphore: Semaphore)] = []
    }
    private enum Outcome {
        /// The attachment with its file; nil when it cannot be had.
        case fetched(Attachment?)
        /// Its cell does not hold it now.
        case unheld
        /// To be tried again.
        case putOff
        case stopped
    }

    private let storage: any Storage
    private let blobs: Blobs
    private let remote: any RemoteFiles
    private let images: (any ImageOperations)?
    private let pace: Pace
    private let clock: @Sendable () -> Instant
    private let log: @Sendable (String) -> Void
    private let settler: AttachmentSettler
    private let state = Guarded(State())
    private let bell = Semaphore()
    private let threads = Guarded<[OwnThread]>([])
    private let settling = Guarded<OwnThread?>(nil)

    /// How many are fetched at once.
    private static let most = 4
    /// The largest file, in bytes.
    package static let largest = 1 << 30
    /// How long to pause when the store cannot take note of something, in milliseconds.
    private static let pause = 10_000
    /// How often a file is tried that cannot be kept or makes way for others, and how long to wait before the second
    /// time, in milliseconds; four times as long each time.
    private static let mostTries = 5
    private static let delay: Int64 = 60_000
    /// How many that no cell holds are put to sleep by one write, and how many cells are read for that.
    private static let portion = 500
    private static let mostCells = 20
    /// How often a thread without work looks for some, in milliseconds.
    private static let watch = 30_000
    /// How long someone waits for the files of a record, in milliseconds, and how many do at once.
    private static let patience = 3_000
    private static let mostWaiting = 4

    /// - Parameter images: nil where images are files like any other.
    package init(
        storage: any Storage, blobs: Blobs, remote: any RemoteFiles, images: (any ImageOperations)?,
        pace: Pace = Pace(), clock: @escaping @Sendable () -> Instant, log: @escaping @Sendable (String) -> Void
    ) {
        self.storage = storage
        self.blobs = blobs
        self.remote = remote
        self.images = images
        self.pace = pace
        self.clock = clock
        self.log = log
        settler = AttachmentSettler(storage: storage, log: log)
    }

    /// Begins with what is waiting.
    package func start() {
        settling.withLock { $0 = OwnThread(name: "rowhouse-settle") { self.settler.run { self.noteSettled($0) } } }
        threads.withLock { threads in
            for _ in 0..<Self.most {
                if let thread = OwnThread(name: "rowhouse-fetch", { self.work() }) { threads.append(thread) }
            }
        }
    }

    /// Breaks off what is under way, and waits for its end.
    package func stop() {
        state.withLock { $0.isStopped = true }
        wake()
        remote.stop()
        let ending = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in ending { thread.join() }
        settler.stop()
        settling.withLock { $0.take() }?.join()
    }

    /// Says that there is something to fetch: called when the write that names it is on the disk.
    func wake() {
        let sleeping = state.withLock { state in
            defer { state.sleeping = 0 }
            return state.sleeping
        }
        for _ in 0..<sleeping { bell.signal() }
    }

    /// Whether an address could be fetched from, as far as that is known at once.
    func accepts(_ url: String) -> Bool { remote.accepts(url) }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func work() {
        while let job = next() {
            do throws(APIError) {
                switch perform(job) {
                case .fetched(let attachment): settle(job, attachment)
                case .unheld: try putAsleep(job)
                case .putOff: try putOff(job)
                case .stopped: break
                }
            } catch {
                log("attachment \(job.stored.attachment.id) waits: \(error.message ?? error.type)")
                pause()
            }
            state.withLock { $0.turns.leave(job) }
        }
    }

    /// The next to fetch; nil at the end.
    private func next() -> FetchJob? {
        while true {
            let found: FetchJob?? = state.withLock { state in
                if state.isStopped { return .some(nil) }
                // Looked for with the lock held, so that whoever comes after knows that this thread sleeps.
                let time = clock()
                let job = try? storage.read { (reader) throws(APIError) in try state.turns.take(reader, at: time) }
                if let job { return .some(job) }
                state.sleeping = min(Self.most, state.sleeping + 1)
                return .none
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

    private func perform(_ job: FetchJob) -> Outcome {
        do throws(APIError) {
            let schema = storage.schema
            let isHeld = try storage.read { (reader) throws(APIError) in try reader.held(job.stored, in: schema) != nil
            }
            return isHeld ? try fetch(job) : .unheld
        } catch {
            log("attachment \(job.stored.attachment.id) is put off: \(error.message ?? error.type)")
            return .putOff
        }
    }

    private func fetch(_ job: FetchJob) throws(APIError) -> Outcome {
        let writer = try blobs.writer(limit: Self.largest)
        var failure: APIError?
        var progress = Progress()
        var makesWay = false
        let said: RemoteFileFacts
        do throws(RemoteFileError) {
            said = try remote.fetch(job.url, limit: Self.largest) { piece in
                do throws(APIError) { try writer.take(piece) } catch { failure = error }
                progress.bytes += piece.count
                makesWay = progress.isSlow(pace) && isInTheWay(job)
                return failure == nil && !makesWay && !isStopped
            }
        } catch {
            if let failure, failure.status != 413 { throw failure }
            if isStopped { return .stopped }
            let end = makesWay ? "makes way for others" : "could not be fetched: \(error.reason)"
            log("attachment \(job.stored.attachment.id) \(end)")
            return makesWay ? .putOff : .fetched(nil)
        }
        var attachment = job.stored.attachment
        let facts = try writer.finish().facts(
            in: blobs, images: images, claimed: said.type, filename: attachment.filename)
        if attachment.filename == Filename.unnamed {
            attachment.filename = Self.name(said.filename, FileType(rawValue: facts.type))
        }
        attachment.content = .file(facts)
        return .fetched(attachment)
    }

    /// The name of a file that got none with its address.
    private static func name(_ said: String?, _ type: FileType) -> String {
        if let said = said.flatMap({ Filename.cleaned($0) }) { return said }
        return type.fileExtension.map { "a.\($0)" } ?? Filename.unnamed
    }

    /// How far a file is.
    private struct Progress {
        var bytes = 0
        private let start = SystemClock.monotonicNanoseconds()
        private var lastLook = SystemClock.monotonicNanoseconds()

        /// Asked for each piece; says so once in a while only.
        mutating func isSlow(_ pace: Pace) -> Bool {
            let now = SystemClock.monotonicNanoseconds()
            let patience = pace.patience &* 1_000_000
            guard now - start > patience, now - lastLook > patience / 8 else { return false }
            lastLook = now
            return Double(bytes) < Double(now - start) / 1e9 * Double(pace.lowestSpeed)
        }
    }

    /// Whether another file could be fetched if this one were not.
    private func isInTheWay(_ job: FetchJob) -> Bool {
        state.withLock { state in
            let time = clock()
            let waits = try? storage.read { (reader) throws(APIError) in
                try state.turns.waits(for: job, threads: Self.most, reader, at: time)
            }
            return waits ?? false
        }
    }

    // MARK: its end

    private func settle(_ job: FetchJob, _ attachment: Attachment?) {
        state.withLock { $0.turns.end(job) }
        settler.add(AttachmentSettler.Outcome(job: job, fetched: attachment))
    }

    private func noteSettled(_ jobs: [FetchJob]) {
        let records = Set(jobs.map(\.stored.place.record))
        let done = state.withLock { state in
            for job in jobs { state.turns.forget(job) }
            return state.waiting.filter { records.contains($0.record) }
        }
        for waiter in done { waiter.semaphore.signal() }
        wake()
    }

    /// Lets it be tried again later; what was tried often enough cannot be had.
    private func putOff(_ job: FetchJob) throws(APIError) {
        let tries = job.stored.tries + 1
        guard tries < Self.mostTries else { return settle(job, nil) }
        let delay = Self.delay << Int64(2 * (tries - 1))
        let time = Instant(milliseconds: clock().milliseconds + delay)
        try storage.write { (writer) throws(APIError) in
            guard var current = try writer.attachment(job.stored.attachment.id), current.dueTime != nil else { return }
            current.tries = tries
            current.dueTime = time
            try writer.update(current)
        }
    }

    /// Takes it out of the queue until its cell holds it again, and those after it that no cell holds either.
    private func putAsleep(_ job: FetchJob) throws(APIError) {
        let time = clock()
        try storage.write { (writer) throws(APIError) in
            var held: [StoredAttachment.Place: Set<AttachmentID>] = [:]
            let base = job.stored.place.base
            let numbers = try writer.waitingAttachments(of: base, at: time, limit: Self.portion)
            for number in numbers.drop(while: { $0 != job.number }) {
                guard var stored = try writer.attachments(after: number &- 1, limit: 1).first?.attachment else {
                    return
                }
                if held[stored.place] == nil {
                    guard held.count < Self.mostCells else { return }
                    held[stored.place] = Set(try writer.attachments(at: stored.place, in: writer.schema).map(\.id))
                }
                guard held[stored.place]?.contains(stored.attachment.id) == false else { continue }
                stored.dueTime = nil
                try writer.update(stored)
            }
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

    /// Whether a file of the record is still to come.
    private func isExpected(_ record: RecordID) -> Bool {
        let time = clock()
        let isWaiting = try? storage.read { (reader) throws(APIError) in
            try reader.isWaitingForAttachments(record, at: time)
        }
        return isWaiting ?? false
    }
}
