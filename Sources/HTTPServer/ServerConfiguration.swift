/// Everything a server is told when it is made.
package struct ServerConfiguration: Sendable {
    /// A numeric IPv4 or IPv6 address; `::` takes both kinds.
    package var host = "127.0.0.1"
    /// 0 chooses a free one.
    package var port = 0
    /// Encrypts every connection if given.
    package var tls: TLSFiles?
    /// Threads that move bytes; each takes a share of the connections.
    package var eventThreads = 1
    /// Threads that run ``Handling/later(_:)``.
    package var workers = 2
    /// Requests that may wait for a worker; one more is answered 503.
    package var waitingLimit = 1_024
    /// Open connections altogether.
    package var connectionLimit = 4_096
    /// Open connections of one address, or running requests of one address behind a trusted proxy; nil for no limit.
    package var connectionsPerAddress: Int?
    /// Numeric addresses whose X-Forwarded-For and X-Forwarded-Proto are believed.
    package var trustedProxies: [String] = []
    /// Headers of every answer, those the server makes included.
    package var extraHeaders: [(name: String, value: String)] = []
    package var limits = ServerLimits()
    /// Called once a request has ended, on the thread that moves bytes: it must not block.
    package var accessLog: (@Sendable (AccessLogEntry) -> Void)?

    package init() {}
}

/// Where the certificate and its key lie, both PEM.
package struct TLSFiles: Sendable {
    /// The server's certificate first, then those that lead to its root.
    package var certificatePath: String
    package var keyPath: String

    package init(certificatePath: String, keyPath: String) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
    }
}
