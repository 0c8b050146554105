import CMicrohttpd
import Glibc
import HTTPCore
import Platform
import Synchronization

/// The running library with its listening socket.
///
/// `@unchecked Sendable`: the library's handle is used by `stop`, which is called once.
final class Daemon: @unchecked Sendable {
    private let core: ServerCore
    private let socket: ListeningSocket
    private let library: OpaquePointer
    private let ticker: Ticker

    init(_ core: ServerCore, _ socket: ListeningSocket) throws(ServerError) {
        self.core = core
        self.socket = socket
        let configuration = core.configuration
        var settings = mhd_settings()
        settings.flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ITC.rawValue
            | MHD_USE_TURBO.rawValue
        if core.certificates != nil {
            settings.flags |= MHD_USE_TLS.rawValue
            settings.retrieve_certificate = unsafeBitCast(
                Callbacks.retrieveCertificate, to: UnsafeMutableRawPointer.self)
        }
        settings.listening_socket = socket.descriptor
        settings.connection_memory = max(configuration.limits.headerPool, 4_096)
        settings.connection_limit = UInt32(clamping: max(configuration.connectionLimit, configuration.eventThreads))
        settings.idle_seconds = UInt32(clamping: configuration.limits.idleTime.components.seconds + 1)
        settings.threads = UInt32(clamping: configuration.eventThreads)
        settings.context = Unmanaged.passUnretained(core).toOpaque()
        settings.handle = Callbacks.handle
        settings.begin = Callbacks.begin
        settings.complete = Callbacks.complete
        settings.notify = Callbacks.notify
        settings.unescape = Callbacks.unescape
        guard let library = mhd_start(&settings) else { throw .cannotStart }
        self.library = library
        let watch = ConnectionWatch(limits: configuration.limits)
        ticker = Ticker(watch.interval) { [core] in
            let connections = core.registry.withLock { Array($0.connections.values) }
            watch.look(at: connections, now: MonotonicClock.coarse())
        }
    }

    /// Ends in order: no new connections, the running requests, the waiting ones, the open connections.
    func stop(_ gracePeriod: Duration) {
        core.isDraining.store(true, ordering: .relaxed)
        MHD_quiesce_daemon(library)
        closeIdleConnections()
        wait(gracePeriod) { core.inFlight.load(ordering: .acquiring) == 0 }
        core.abandonWaiting()
        // A worker that has claimed its answer resumes its connection soon; the library must not be gone by then.
        wait(.seconds(10)) { core.suspended.load(ordering: .acquiring) == 0 }
        wait(.milliseconds(200)) { core.inFlight.load(ordering: .acquiring) == 0 }
        ticker.stop()
        MHD_stop_daemon(library)
    }

    /// Lets connections without a request end as if their clients had closed them; bytes already there are still read.
    private func closeIdleConnections() {
        for connection in core.registry.withLock({ Array($0.connections.values) }) {
            connection.phase.withLock {
                if case .idle = $0 { shutdown(connection.descriptor, Int32(SHUT_RD)) }
            }
        }
    }

    private func wait(_ limit: Duration, until isDone: () -> Bool) {
        let end = MonotonicClock.now() &+ limit.nanoseconds
        while !isDone(), MonotonicClock.now() < end { usleep(2_000) }
    }
}
