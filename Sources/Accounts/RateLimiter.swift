package import RowhouseModel

/// Airtable's limits of calls a second, as a state machine without a clock.
///
/// At most 5 calls within any second to a base and 50 of a user; who exceeds a limit is refused for 30 seconds.
/// Refused calls neither count nor prolong the wait.
package struct RateLimiter: Sendable {
    package struct Limits: Sendable {
        package var callsPerBase = 5
        package var callsPerUser = 50
        package var windowMilliseconds: Int64 = 1000
        package var penaltyMilliseconds: Int64 = 30_000
        /// How many bases and users are watched at once; beyond it new ones pass unwatched.
        package var subjects = 20_000
        package init() {}
    }

    private enum Subject: Hashable {
        case base(BaseID)
        case user(UserID)
    }

    fileprivate struct Record {
        /// The times of the latest accepted calls, oldest at `next` once the ring is full.
        var calls: [Int64] = []
        var next = 0
        var refusedUntil = Int64.min
    }

    private let limits: Limits
    private var records: [Subject: Record] = [:]

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Whether the call may go on, and notes it; `now` in milliseconds of any clock that never goes back.
    package mutating func admit(user: UserID, base: BaseID?, at now: Int64) -> Bool {
        sweepIfFull(at: now)
        let subjects = [Subject.user(user)] + (base.map { [.base($0)] } ?? [])
        if subjects.contains(where: { now < records[$0]?.refusedUntil ?? .min }) { return false }
        let exceeded = subjects.filter { isFull($0, at: now) }
        for subject in exceeded {
            records[subject, default: Record()].refusedUntil = now &+ limits.penaltyMilliseconds
        }
        guard exceeded.isEmpty else { return false }
        for subject in subjects { note(subject, at: now) }
        return true
    }

    /// The number of bases and users that are watched now.
    package var watched: Int { records.count }

    private func limit(of subject: Subject) -> Int {
        switch subject {
        case .base: limits.callsPerBase
        case .user: limits.callsPerUser
        }
    }

    private func isFull(_ subject: Subject, at now: Int64) -> Bool {
        let limit = limit(of: subject)
        guard limit > 0 else { return true }
        guard let record = records[subject], record.calls.count >= limit else { return false }
        return now &- record.calls[record.next] < limits.windowMilliseconds
    }

    private mutating func note(_ subject: Subject, at now: Int64) {
        guard records[subject] != nil || records.count < limits.subjects else { return }
        let limit = limit(of: subject)
        records[subject, default: Record()].note(now, limit: limit)
    }

    private mutating func sweepIfFull(at now: Int64) {
        guard records.count >= limits.subjects else { return }
        let window = limits.windowMilliseconds
        records = records.filter { _, record in
            now < record.refusedUntil || now &- record.latest < window
        }
    }
}

extension RateLimiter.Record {
    fileprivate var latest: Int64 {
        guard let last = calls.indices.last else { return .min / 2 }
        return calls[next > 0 ? next - 1 : last]
    }

    fileprivate mutating func note(_ time: Int64, limit: Int) {
        if calls.count < limit {
            calls.append(time)
        } else {
            calls[next] = time
            next = (next + 1) % limit
        }
    }
}
