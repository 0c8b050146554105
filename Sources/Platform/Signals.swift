import Glibc

/// The signals that a server answers to.
package enum Signals {
    package enum Signal: Sendable {
        /// SIGTERM or SIGINT: finish what is in flight and end.
        case terminate
        /// SIGHUP: read certificates again.
        case hangUp
    }

    /// Keeps the signals for `wait` and ignores SIGPIPE; call it first, threads made before would still get them.
    package static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        var set = handled
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for one of them; nil when none came in time.
    package static func wait(atMost limit: Duration) -> Signal? {
        let (seconds, attoseconds) = limit.components
        var time = timespec(tv_sec: Int(max(0, seconds)), tv_nsec: Int(max(0, attoseconds) / 1_000_000_000))
        var set = handled
        switch sigtimedwait(&set, nil, &time) {
        case SIGTERM, SIGINT: return .terminate
        case SIGHUP: return .hangUp
        default: return nil
        }
    }

    private static var handled: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
        return set
    }
}
