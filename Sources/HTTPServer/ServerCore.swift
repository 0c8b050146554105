import HTTPCore
import Platform
import Synchronization

/// What the callbacks of all connections share.
final class ServerCore: Sendable {
    let configuration: ServerConfiguration
    let limits: ServerLimits
    let hasAccessLog: Bool
    let handler: any RequestHandler
    let writer: AnswerWriter
    let team: WorkerTeam
    let trustedProxies: Set<String>
    /// Nil without TLS.
    let certificates: CertificateStore?
    let registry = Guarded(ConnectionRegistry())
    let isDraining = Atomic(false)
    /// Whether requests that wait for a worker are answered 503, because the server ends.
    let isAbandoned = Atomic(false)
    /// Requests between their request line and the end of their answer.
    let inFlight = Atomic(0)
    /// Connections that wait for a worker: the library must not be stopped before they are resumed.
    let suspended = Atomic(0)
    private let bodyBytes = Atomic(0)
    private let requestNumber = Atomic<UInt64>(0)
    private let seed = UInt64.random(in: .min ... .max)

    init(
        _ configuration: ServerConfiguration, _ handler: any RequestHandler, _ team: WorkerTeam
    ) throws(ServerError) {
        certificates = try configuration.tls.map { (files) throws(ServerError) in try CertificateStore(files) }
        self.configuration = configuration
        limits = configuration.limits
        hasAccessLog = configuration.accessLog != nil
        writer = AnswerWriter(configuration)
        self.handler = handler
        self.team = team
        trustedProxies = Set(configuration.trustedProxies.compactMap(NumericAddress.canonical))
    }

    func nextRequestID() -> String {
        let number = requestNumber.wrappingAdd(1, ordering: .relaxed).newValue
        return RequestIdentifier.text(number: number, seed: seed)
    }

    /// Sets room aside for bytes of a body; false, and nothing set aside, if there is none.
    func reserveBody(_ count: Int) -> Bool {
        let total = bodyBytes.wrappingAdd(count, ordering: .relaxed).newValue
        guard total > limits.bodyBytesInFlight else { return true }
        releaseBody(count)
        return false
    }

    func releaseBody(_ count: Int) {
        bodyBytes.wrappingSubtract(count, ordering: .relaxed)
    }

    func open(descriptor: Int32, peer: String) -> Connection {
        let isTrusted = trustedProxies.contains(peer)
        return registry.withLock {
            var isOverLimit = false
            if let limit = configuration.connectionsPerAddress, !isTrusted {
                isOverLimit = !$0.begin(peer, limit: limit)
            }
            let connection = Connection(
                core: self, descriptor: descriptor, peer: peer, isTrustedProxy: isTrusted, isOverLimit: isOverLimit)
            $0.insert(connection)
            return connection
        }
    }

    /// Answers every request that waits for a worker, and every one that will, with 503.
    func abandonWaiting() {
        isAbandoned.store(true, ordering: .sequentiallyConsistent)
        for connection in registry.withLock({ Array($0.connections.values) }) {
            // Not under the lock: finishing takes the library's own lock.
            let exchange = connection.phase.withLock { phase -> Exchange? in
                guard case .waiting(let exchange) = phase else { return nil }
                return exchange
            }
            exchange?.finish(.retriable)
        }
    }

    func close(_ connection: Connection) {
        connection.enter(.closed)
        registry.withLock {
            $0.remove(connection)
            if configuration.connectionsPerAddress != nil, !connection.isTrustedProxy { $0.end(connection.peer) }
        }
    }
}
