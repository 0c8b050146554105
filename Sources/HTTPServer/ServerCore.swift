import HTTPCore
import Platform
import Synchronization

/// What the callbacks of all connections share.
final class ServerCore: Sendable {
    let configuration: ServerConfiguration
    let handler: any RequestHandler
    let team: WorkerTeam
    let trustedProxies: Set<String>
    let registry = Mutex(ConnectionRegistry())
    let isDraining = Atomic(false)
    /// Requests between their request line and the end of their answer.
    let inFlight = Atomic(0)
    /// Connections that wait for a worker: the library must not be stopped before they are resumed.
    let suspended = Atomic(0)
    private let bodyBytes = Atomic(0)
    private let requestNumber = Atomic<UInt64>(0)
    private let seed = UInt64.random(in: .min ... .max)

    init(_ configuration: ServerConfiguration, _ handler: any RequestHandler, _ team: WorkerTeam) {
        self.configuration = configuration
        self.handler = handler
        self.team = team
        trustedProxies = Set(configuration.trustedProxies.compactMap(NumericAddress.canonical))
    }

    var limits: ServerLimits { configuration.limits }

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
                descriptor: descriptor, peer: peer, isTrustedProxy: isTrusted, isOverLimit: isOverLimit)
            $0.insert(connection)
            return connection
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
