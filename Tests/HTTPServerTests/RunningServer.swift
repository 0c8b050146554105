import HTTPCore
import HTTPServer

/// A started server that stops with its owner.
final class RunningServer {
    let server: HTTPServer
    let port: Int

    init(_ handler: any RequestHandler = EchoHandler(), _ change: (inout ServerConfiguration) -> Void = { _ in }) throws
    {
        var configuration = ServerConfiguration()
        change(&configuration)
        server = try HTTPServer(configuration: configuration, handler: handler)
        port = try server.start()
    }

    deinit { server.stop(gracePeriod: .zero) }

    func client(timeout: Int = 5) -> RawClient { RawClient(port: port, timeout: timeout) }
}
