import Glibc
import Platform

/// Cuts off connections that are too slow.
///
/// The library's own time limit counts inactivity only: a head or body that drips one byte a second stays open for ever.
struct ConnectionWatch {
    let limits: ServerLimits

    /// How often the connections are looked at: often enough for the smallest limit, at most every second.
    var interval: Duration {
        let smallest = min(limits.headTime, limits.slowTime, limits.idleTime)
        return max(min(smallest / 4, .seconds(1)), .milliseconds(10))
    }

    /// Looks at each connection once; those past their time are shut down, and the library then closes them.
    func look(at connections: some Collection<Connection>, now: UInt64) {
        for connection in connections {
            connection.phase.withLock { phase in
                // Under the lock, because the descriptor is another connection's as soon as this one is closed.
                if isPastTime(&phase, connection.descriptor, now) { shutdown(connection.descriptor, Int32(SHUT_RDWR)) }
            }
        }
    }

    private func isPastTime(_ phase: inout Connection.Phase, _ descriptor: Int32, _ now: UInt64) -> Bool {
        switch phase {
        case .storing, .working, .waiting, .closed:
            return false
        case .receivingBody(let since, let bytes):
            return isTooSlow(bytes, now.since(since))
        case .answering(let since, let bytes):
            // What fits into the socket's buffers leaves at once, so this judges long answers only.
            return now.since(since) > limits.slowTime.nanoseconds &+ time(for: bytes)
        case .idle(let since, let baseline, let headSince):
            guard let received = TCPInformation.bytesReceived(descriptor) else { return false }
            let start = baseline ?? received
            guard received != start else {
                phase = .idle(since: since, received: start, headSince: nil)
                return now.since(since) > limits.idleTime.nanoseconds
            }
            let began = headSince ?? now
            phase = .idle(since: since, received: start, headSince: began)
            return now.since(began) > limits.headTime.nanoseconds
        }
    }

    private func isTooSlow(_ bytes: Int, _ elapsed: UInt64) -> Bool {
        elapsed > limits.slowTime.nanoseconds && elapsed > time(for: bytes)
    }

    /// The longest time that many bytes may take, in nanoseconds.
    private func time(for bytes: Int) -> UInt64 {
        UInt64(clamping: bytes).multipliedReportingOverflow(by: 1_000_000_000).partialValue
            / UInt64(clamping: max(limits.slowestRate, 1))
    }
}

extension UInt64 {
    /// How much later this moment is than an earlier one; zero if it is not.
    func since(_ earlier: UInt64) -> UInt64 { self > earlier ? self &- earlier : 0 }
}
