import Accounts
import RowhouseModel
import Testing

@Suite struct RateLimiterTests {
    let lin = UserID(random: (1, 1))
    let mei = UserID(random: (2, 2))

    private func base(_ number: UInt64) -> BaseID { BaseID(random: (number, number)) }

    @Test func `Five calls a second to a base pass, the sixth begins 30 seconds of refusal`() {
        let limiter = Probe()
        for time in 0..<5 { #expect(limiter.admit(user: lin, base: base(1), at: Int64(time))) }
        #expect(!limiter.admit(user: lin, base: base(1), at: 999))
        for time: Int64 in [1000, 5000, 30_998] { #expect(!limiter.admit(user: lin, base: base(1), at: time)) }
        #expect(limiter.admit(user: lin, base: base(1), at: 30_999))
    }

    @Test func `A steady pace at the limit always passes`() {
        let limiter = Probe()
        for step in 0..<1000 { #expect(limiter.admit(user: lin, base: base(1), at: Int64(step) * 200)) }
    }

    @Test func `The second counts from each call, not from the clock's full seconds`() {
        let limiter = Probe()
        for _ in 0..<5 { #expect(limiter.admit(user: lin, base: base(1), at: 900)) }
        #expect(!limiter.admit(user: lin, base: base(1), at: 1100))
    }

    @Test func `A base's refusal holds for every user, and other bases go on`() {
        let limiter = Probe()
        for _ in 0..<5 { #expect(limiter.admit(user: lin, base: base(1), at: 0)) }
        #expect(!limiter.admit(user: lin, base: base(1), at: 0))
        #expect(!limiter.admit(user: mei, base: base(1), at: 0))
        #expect(limiter.admit(user: lin, base: base(2), at: 0))
    }

    @Test func `Fifty calls a second of a user pass over all bases, then all are refused for 30 seconds`() {
        let limiter = Probe()
        for number in 0..<50 { #expect(limiter.admit(user: lin, base: base(UInt64(number / 5)), at: 0)) }
        #expect(!limiter.admit(user: lin, base: base(100), at: 999))
        #expect(!limiter.admit(user: lin, base: nil, at: 30_998))
        #expect(limiter.admit(user: mei, base: base(100), at: 999))
        #expect(limiter.admit(user: lin, base: nil, at: 30_999))
    }

    @Test func `Refused calls do not count`() {
        let limiter = Probe()
        for _ in 0..<6 { _ = limiter.admit(user: lin, base: base(1), at: 0) }
        for time in 0..<100 { #expect(!limiter.admit(user: lin, base: base(1), at: Int64(time))) }
        #expect(limiter.admit(user: lin, base: base(2), at: 99))
        for _ in 0..<5 { #expect(limiter.admit(user: lin, base: base(1), at: 30_000)) }
    }

    @Test func `What is idle is forgotten when there is much to watch`() {
        var limits = RateLimiter.Limits()
        limits.subjects = 10
        let limiter = Probe(limits: limits)
        for number in 0..<1000 {
            #expect(limiter.admit(user: lin, base: base(UInt64(number)), at: Int64(number) * 1001))
            #expect(limiter.watched <= 10)
        }
        for number in 0..<40 { #expect(limiter.admit(user: mei, base: base(UInt64(number)), at: 2_000_000)) }
        #expect(limiter.watched <= 10)
    }

    /// Compared with the definition itself: a list of every accepted call.
    @Test func `Random calls are judged as the definition says`() {
        let seed = UInt64.random(in: .min ... .max)
        var random = Seeded(state: seed)
        var limits = RateLimiter.Limits()
        (limits.callsPerBase, limits.callsPerUser, limits.penaltyMilliseconds) = (2, 3, 3000)
        let limiter = Probe(limits: limits)
        var accepted: [(subject: String, time: Int64)] = []
        var refusedUntil: [String: Int64] = [:]
        var now: Int64 = 0
        for step in 0..<3000 {
            now += Int64(random.next() % 700)
            accepted.removeAll { $0.time <= now - 1000 }
            let user = random.next() % 2 == 0 ? lin : mei
            let base = base(random.next() % 3)
            let limitOf = ["\(user)": 3, "\(base)": 2]
            var expected = limitOf.keys.allSatisfy { now >= refusedUntil[$0] ?? 0 }
            if expected {
                for (subject, limit) in limitOf
                where accepted.count(where: { $0.subject == subject }) >= limit {
                    refusedUntil[subject] = now + 3000
                    expected = false
                }
            }
            if expected { accepted += limitOf.keys.map { ($0, now) } }
            #expect(limiter.admit(user: user, base: base, at: now) == expected, "seed \(seed), step \(step)")
        }
    }
}

/// A limiter that can stand inside an expectation.
private final class Probe {
    private var limiter: RateLimiter
    init(limits: RateLimiter.Limits = .init()) { limiter = RateLimiter(limits: limits) }
    var watched: Int { limiter.watched }
    func admit(user: UserID, base: BaseID?, at now: Int64) -> Bool { limiter.admit(user: user, base: base, at: now) }
}

private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
