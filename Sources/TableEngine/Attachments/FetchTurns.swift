import CivilTime
import RowhouseModel
import Storage

/// One attachment that is being fetched.
struct FetchJob: Sendable {
    let number: Int64
    let url: String
    let stored: StoredAttachment
}

/// Says which attachment is fetched next: the bases take turns, and neither a base nor a server has more than two at once,
/// so that nobody's slow or many files keep all others out.
struct FetchTurns {
    private struct Work {
        let base: BaseID
        let server: String
    }

    /// How many are fetched at once from one server, and for one base.
    private static let mostAlike = 2
    /// How many of a base may have been fetched and not be in their cells yet.
    private static let mostEnded = 64

    private var running: [Int64: Work] = [:]
    private var ended: [BaseID: Set<Int64>] = [:]
    private var last: BaseID?

    /// How many are being fetched.
    var count: Int { running.count }

    /// Takes the next; nil when there is none that may be fetched now.
    mutating func take(_ reader: any StorageReader, at time: Instant) throws(APIError) -> FetchJob? {
        guard let job = try next(reader, at: time) else { return nil }
        running[job.number] = Work(base: job.stored.place.base, server: RemoteAddress.place(of: job.url))
        last = job.stored.place.base
        return job
    }

    /// Looks for the next, base by base; each costs two searches.
    func next(_ reader: any StorageReader, at time: Instant) throws(APIError) -> FetchJob? {
        var seen: Set<BaseID> = []
        var next = try reader.waitingBase(after: last)
        while true {
            // After the last the first again.
            if next == nil { next = try reader.waitingBase(after: nil) }
            guard let base = next, seen.insert(base).inserted else { return nil }
            if let job = try first(of: base, reader, at: time) { return job }
            next = try reader.waitingBase(after: base)
        }
    }

    private func first(
        of base: BaseID, _ reader: any StorageReader, at time: Instant
    ) throws(APIError) -> FetchJob? {
        let ended = ended[base] ?? []
        let working = running.values.count { $0.base == base }
        guard working < Self.mostAlike, ended.count < Self.mostEnded else { return nil }
        let numbers = try reader.waitingAttachments(of: base, at: time, limit: working + ended.count + 1)
        guard let number = numbers.first(where: { running[$0] == nil && !ended.contains($0) }),
            let found = try reader.attachments(after: number &- 1, limit: 1).first, found.number == number,
            case .remote(let url) = found.attachment.attachment.content
        else { return nil }
        let server = RemoteAddress.place(of: url)
        guard running.values.count(where: { $0.server == server }) < Self.mostAlike else { return nil }
        return FetchJob(number: number, url: url, stored: found.attachment)
    }

    /// The file is there, or cannot be had, but its cell does not tell of it yet.
    mutating func end(_ job: FetchJob) {
        running[job.number] = nil
        ended[job.stored.place.base, default: []].insert(job.number)
    }

    /// The job is no longer at work.
    mutating func leave(_ job: FetchJob) { running[job.number] = nil }

    /// The cell of an ended job tells of it.
    mutating func forget(_ job: FetchJob) {
        let base = job.stored.place.base
        ended[base]?.remove(job.number)
        if ended[base]?.isEmpty ?? false { ended[base] = nil }
    }
}
