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
                if isPastTime(&phase, connection.descriptor, now) { end(phase, connection.descriptor) }
            }
        }
    }

    private func end(_ phase: Connection.Phase, _ descriptor: Int32) {
        if case .answering = phase {
            // What the socket still holds of the answer would stay in the kernel for as long as the client drips.
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func isPastTime(_ phase: inout Connection.Phase, _ descriptor: Int32, _ now: UInt64) -> Bool {
        switch phase {
        case .storing, .working, .waiting, .closed:
            return false
        case .receivingBody(let since, let bytes, var window):
            guard !isTooSlow(bytes, now.since(since)) else { return true }
            let isStalled = isStalled(&window, UInt64(clamping: bytes), now)
            phase = .receivingBody(since: since, bytes: bytes, window: window)
            return isStalled
        case .answering(let since, let bytes, var window):
            // What fits into the socket's buffers leaves at once, so this judges long answers only.
            guard now.since(since) <= limits.slowTime.nanoseconds &+ time(for: bytes) else { return true }
            guard let taken = TCPInformation.bytesAcknowledged(descriptor) else { return false }
            let isStalled = isStalled(&window, taken, now)
            phase = .answering(since: since, bytes: bytes, window: window)
            return isStalled
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

    /// Whether the last stretch alone was too slow: a whole file would else buy a client that drips the time of days.
    private func isStalled(_ window: inout Connection.Window?, _ bytes: UInt64, _ now: UInt64) -> Bool {
        let last = window ?? Connection.Window(since: now, bytes: bytes)
        let elapsed = now.since(last.since)
        guard window == nil || elapsed > limits.idleTime.nanoseconds else { return false }
        window = Connection.Window(since: now, bytes: bytes)
        return elapsed > time(for: Int(clamping: bytes.since(last.bytes)))
    }

    private func isTooSlow(_ bytes: Int, _ elapsed: UInt64) -> Bool {
        elapsed > limits.slowTime.nanoseconds && elapsed > time(for: bytes)
    }

    /// The longest time that many bytes may take, in nanoseconds.
    private func time(for bytes: Int) -> UInt64 {
        UInt64(min(Double(max(bytes, 0)) / Double(max(limits.slowestRate, 1)) * 1e9, 1e18))
    }
}

extension UInt64 {
    /// How much later this moment is than an earlier one; zero if it is not.
    func since(_ earlier: UInt64) -> UInt64 { self > earlier ? self &- earlier : 0 }
}
