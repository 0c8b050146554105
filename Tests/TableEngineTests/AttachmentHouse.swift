import Blobs
import CivilTime
import Platform
import RowhouseJSON
import RowhouseModel
import RowhouseWire
import SQLiteStorage
import Storage
import Synchronization
import TableEngine
import Testing

/// Files elsewhere, by their addresses; all may be held back, and some drip for ever.
final class Shelf: RemoteFiles {
    struct State {
        var files: [String: [UInt8]] = [:]
        var asked: [String] = []
        var isStopped = false
        /// What addresses begin with that send a byte now and then, and how many are doing so.
        var dripping = "drip:"
        var drips = 0
        /// What addresses begin with from which nobody fetches.
        var refused = "refused:"
    }
    let state = Guarded(State())
    let gate = Semaphore(value: 1)

    func accepts(_ url: String) -> Bool { state.withLock { !url.hasPrefix($0.refused) } }

    func fetch(
        _ url: String, limit: Int, take: (borrowing Span<UInt8>) -> Bool
    ) throws(RemoteFileError) -> RemoteFileFacts {
        gate.wait()
        gate.signal()
        let (file, isStopped, drips) = state.withLock { state in
            state.asked.append(url)
            let drips = url.lowercased().hasPrefix(state.dripping)
            if drips { state.drips += 1 }
            return (state.files[url], state.isStopped, drips)
        }
        if isStopped { throw .stopped }
        if drips {
            defer { state.withLock { $0.drips -= 1 } }
            while take([0].span) {
                if state.withLock(\.isStopped) { throw .stopped }
                _ = Semaphore().wait(milliseconds: 5)
            }
            throw .stopped
        }
        guard let file else { throw .status(404) }
        for byte in file { guard take([byte].span) else { throw .stopped } }
        return RemoteFileFacts(type: nil, filename: nil)
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        gate.signal()
    }
}

/// A time that tests move.
final class Hands: Sendable {
    let milliseconds = Atomic<Int64>(SystemClock.milliseconds())
    var now: Instant { Instant(milliseconds: milliseconds.load(ordering: .relaxed)) }
    func move(days: Int64) { milliseconds.add(days * 86_400_000, ordering: .relaxed) }
    func move(minutes: Int64) { milliseconds.add(minutes * 60_000, ordering: .relaxed) }
}

/// A house with an attachment field, files elsewhere and a clock of its own.
final class AttachmentHouse {
    let house: House
    let shelf = Shelf()
    let hands = Hands()
    let files: Field
    private(set) var fetcher: AttachmentFetcher?

    init(pace: AttachmentFetcher.Pace = .init(), trashDays: Int = 30) throws {
        house = try House()
        files = try house.makeField(#"{"name":"Files","type":"multipleAttachments"}"#)
        try open(pace, trashDays: trashDays)
    }

    deinit { fetcher?.stop() }

    func open(
        _ pace: AttachmentFetcher.Pace = .init(), trashDays: Int = 30, space: FileSystemSpace? = nil
    ) throws {
        let (hands, shelf) = (hands, shelf)
        shelf.state.withLock { $0.isStopped = false }
        try house.keepFiles(trashDays: trashDays, clock: { hands.now }, space: { _ in space }) { storage, blobs in
            fetcher = AttachmentFetcher(
                storage: storage, blobs: blobs, remote: shelf, images: nil, pace: pace, clock: { hands.now },
                log: { _ in })
            return fetcher
        }
    }

    func put(_ url: String, _ text: String) { shelf.state.withLock { $0.files[url] = Array(text.utf8) } }

    func items(_ record: String) throws -> [JSONObject] {
        try house.get(record)["Files"]?.arrayValue?.compactMap(\.objectValue) ?? []
    }

    /// Waits for something that other threads do.
    func wait(_ isDone: () throws -> Bool) throws {
        for _ in 0..<2_000 {
            if try isDone() { return }
            _ = Semaphore().wait(milliseconds: 5)
        }
        Issue.record("it did not happen")
    }

    /// Whether nothing is to be fetched, now or later.
    func isQueueEmpty() throws -> Bool {
        try house.storage.read { (reader) throws(APIError) in try reader.waitingBase(after: nil) } == nil
    }

    func path(_ hash: String) -> String { "\(house.folder)/files/\(hash.prefix(2))/\(hash)" }

    // MARK: other bases

    /// A base with a table `T` of one attachment field, `Files`.
    func makeBase() throws -> BaseID {
        let body = #"""
            {"name":"Other","workspaceId":"wsp00000000000000","tables":[{"name":"T","fields":[
            {"name":"Name","type":"singleLineText"},{"name":"Files","type":"multipleAttachments"}]}]}
            """#
        let request = try SchemaDecoder.createBase(try House.object(body))
        guard case .now(let made) = try house.engine.createBase(request, as: house.owner, idempotency: nil) else {
            throw APIError.internalError
        }
        return made.id
    }

    /// A record of `T` with these addresses.
    func attach(_ urls: [String], in base: BaseID) throws -> RecordID {
        let items = urls.map { "{\"url\":\"\($0)\"}" }.joined(separator: ",")
        let request = try RecordDecoder.create(
            try House.object("{\"fields\":{\"Files\":[\(items)]}}"), base: base, table: TableReference("T"),
            query: RecordPresentation())
        guard case .now(let made) = try house.engine.createRecords(request, as: house.owner, idempotency: nil) else {
            throw APIError.internalError
        }
        return made.batch.ids[0]
    }

    /// The items of such a record.
    func attached(to record: RecordID, in base: BaseID) throws -> [RowhouseModel.Attachment] {
        let request = GetRecordRequest(base: base, table: TableReference("T"), record: record)
        let page = try house.engine.getRecord(request, as: house.owner)
        return page.batch.cell(record: 0, field: 1).attachments ?? []
    }
}

extension RowhouseModel.Attachment {
    var isHere: Bool { if case .file = content { true } else { false } }
}
