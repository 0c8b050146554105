import CMicrohttpd
import Glibc
package import HTTPCore
import Platform

/// HTTP/1.1 on one address, with or without TLS; each request is handed to one handler.
package final class HTTPServer: Sendable {
    private enum State {
        case ready
        case running(Daemon)
        case stopped
    }

    private let core: ServerCore
    private let state = Guarded(State.ready)

    /// Makes a server that does not listen yet.
    ///
    /// - Throws: ``ServerError`` if the certificate or its key cannot be used.
    package init(configuration: ServerConfiguration, handler: any RequestHandler) throws(ServerError) {
        let team = WorkerTeam(
            name: "http-worker", workers: configuration.workers, waitingLimit: configuration.waitingLimit)
        core = try ServerCore(configuration, handler, team)
    }

    deinit { stop(gracePeriod: .zero) }

    /// Starts to listen, and returns the port.
    ///
    /// - Throws: ``ServerError`` if it cannot listen, or was started before.
    package func start() throws(ServerError) -> Int {
        try state.withLock { (state) throws(ServerError) in
            guard case .ready = state else { throw .cannotStart }
            let socket = try ListeningSocket(host: core.configuration.host, port: core.configuration.port)
            state = .running(try Daemon(core, socket))
            return socket.port
        }
    }

    /// Reads certificate and key again; connections that are open keep theirs, new ones get the new one.
    ///
    /// Does nothing without TLS.
    /// - Throws: ``ServerError`` if they cannot be used; the old ones then stay.
    package func reloadTLS() throws(ServerError) {
        try core.certificates?.reload()
    }

    /// Stops to listen, lets running requests end for at most `gracePeriod`, then closes every connection.
    ///
    /// Requests that still wait for a worker after that are answered 503.
    package func stop(gracePeriod: Duration) {
        let daemon = state.withLock { state -> Daemon? in
            defer { state = .stopped }
            guard case .running(let daemon) = state else { return nil }
            return daemon
        }
        daemon?.stop(gracePeriod)
        core.team.shutDown(gracePeriod: daemon == nil ? .zero : .seconds(1))
    }
}
