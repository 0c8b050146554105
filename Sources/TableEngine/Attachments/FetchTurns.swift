import CivilTime
import RowhouseModel
import Storage

/// One attachment that is being fetched.
struct FetchJob: Sendable {
    let number: Int64
    let url: String
    let stored: StoredAttachment
}

/// Says which attachment is fetched next: the bases take turns, and no base has more than three at once and no server
/// more than two, so that nobody's slow or many files keep all others out.
struct FetchTurns {
    private struct Work {
        let base: BaseID
        let server: String
    }

    /// How many are fetched at once for one base, and from one server.
    private static let mostOfBase = 3
    private static let mostOfServer = 2
    /// How many of a base are looked at for one whose server is free.
    private static let mostLookedAt = 8
    /// How many of a base may have been fetched and not be in their cells yet.
    private static let mostEnded = 64

    private var running: [Int64: Work] = [:]
    private var ended: [BaseID: Set<Int64>] = [:]
    private var last: BaseID?

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
        guard working < Self.mostOfBase, ended.count < Self.mostEnded else { return nil }
        let limit = working + ended.count + Self.mostLookedAt
        for number in try reader.waitingAttachments(of: base, at: time, limit: limit) {
            guard running[number] == nil, !ended.contains(number),
                let found = try reader.attachments(after: number &- 1, limit: 1).first, found.number == number,
                case .remote(let url) = found.attachment.attachment.content
            else { continue }
            let server = RemoteAddress.place(of: url)
            guard running.values.count(where: { $0.server == server }) < Self.mostOfServer else { continue }
            return FetchJob(number: number, url: url, stored: found.attachment)
        }
        return nil
    }

    /// Whether something waits that could be fetched if only this job were not at work.
    func waits(for job: FetchJob, threads: Int, _ reader: any StorageReader, at time: Instant) throws(APIError) -> Bool
    {
        if running.count < threads, try next(reader, at: time) != nil { return false }
        var others = self
        others.leave(job)
        // Its own place in the queue is not what waits.
        others.ended[job.stored.place.base, default: []].insert(job.number)
        return try others.next(reader, at: time) != nil
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
