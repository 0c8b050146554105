import Platform

/// One connection, as the server's own watch and counts know it.
final class Connection: Sendable {
    /// What a connection is doing, for judging whether it is too slow.
    enum Phase {
        /// Between requests, or in the middle of a head; `received` is what the socket had received when this began.
        case idle(since: UInt64, received: UInt64?, headSince: UInt64?)
        case receivingBody(since: UInt64, bytes: Int, window: Window? = nil)
        /// Suspended while a sink takes a piece; `spent` is the time that receiving had taken before, in nanoseconds.
        case storing(spent: UInt64, bytes: Int)
        case working
        /// Suspended until a worker has the answer.
        case waiting(Exchange)
        case answering(since: UInt64, bytes: Int, window: Window? = nil)
        case closed
    }

    /// How far a body or an answer was when the watch last took note of it.
    struct Window {
        let since: UInt64
        let bytes: UInt64
    }

    unowned let core: ServerCore
    let descriptor: Int32
    /// The numeric address of the other end.
    let peer: String
    let isTrustedProxy: Bool
    /// Whether the address already had as many connections as it may.
    let isOverLimit: Bool
    let phase: Guarded<Phase>

    init(core: ServerCore, descriptor: Int32, peer: String, isTrustedProxy: Bool, isOverLimit: Bool) {
        self.core = core
        self.descriptor = descriptor
        self.peer = peer
        self.isTrustedProxy = isTrustedProxy
        self.isOverLimit = isOverLimit
        phase = Guarded(.idle(since: MonotonicClock.coarse(), received: 0, headSince: nil))
    }

    func enter(_ next: Phase) {
        phase.withLock { $0 = next }
    }

    /// Stops the clock of a body, because its client must wait now.
    func pauseBody() {
        phase.withLock {
            if case .receivingBody(let since, let bytes, _) = $0 {
                $0 = .storing(spent: MonotonicClock.coarse().since(since), bytes: bytes)
            }
        }
    }

    /// Lets the clock of a body go on.
    func continueBody() {
        phase.withLock {
            if case .storing(let spent, let bytes) = $0 {
                $0 = .receivingBody(since: MonotonicClock.coarse() &- spent, bytes: bytes)
            }
        }
    }

    func receivedBody(_ count: Int) {
        phase.withLock {
            if case .receivingBody(let since, let bytes, let window) = $0 {
                $0 = .receivingBody(since: since, bytes: bytes &+ count, window: window)
            }
        }
    }
}
