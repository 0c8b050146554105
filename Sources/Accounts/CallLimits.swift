import Platform
package import RowhouseModel

/// The limits of calls a second for a whole server, if it has any.
package final class CallLimits: CallAdmission, Sendable {
    private let limiter: Guarded<RateLimiter>
    private let milliseconds: @Sendable () -> Int64

    /// - Parameter milliseconds: a clock that never goes back.
    package init(limits: RateLimiter.Limits = .init(), milliseconds: @escaping @Sendable () -> Int64) {
        limiter = Guarded(RateLimiter(limits: limits))
        self.milliseconds = milliseconds
    }

    /// Notes a call; answers at once.
    ///
    /// - Throws: `rateLimitReached` (429) when the base or the user had too many.
    package func admit(_ caller: Caller, base: BaseID?) throws(APIError) {
        let now = milliseconds()
        let user = caller.user.id
        guard limiter.withLock({ $0.admit(user: user, base: base, at: now) }) else { throw .rateLimitReached }
    }
}
