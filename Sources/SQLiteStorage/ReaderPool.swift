import Platform
import RowhouseModel
import Synchronization

/// The reading connections; the one used last, whose memory is warm, is taken first.
final class ReaderPool: Sendable {
    // A session is used by one thread at a time: by whoever took it out of the list.
    private let idle: Guarded<[RecordSession]>
    private let free: Semaphore
    private let count: Int
    private let isClosed = Atomic(false)

    init(_ sessions: sending [RecordSession]) {
        count = sessions.count
        free = Semaphore(value: UInt32(sessions.count))
        idle = Guarded(sessions)
    }

    /// Runs `body` with a session, waiting for one if all are in use.
    func use<Value>(_ body: (RecordSession) throws(APIError) -> Value) throws(APIError) -> Value {
        free.wait()
        guard !isClosed.load(ordering: .acquiring), let session = take() else {
            free.signal()
            throw .retriable
        }
        defer {
            give(session)
            free.signal()
        }
        return try body(session)
    }

    /// Runs `body` with a session if one is free at once; nil otherwise.
    func tryUse<Value>(_ body: (RecordSession) throws(APIError) -> Value) throws(APIError) -> Value? {
        guard free.tryWait() else { return nil }
        guard !isClosed.load(ordering: .acquiring), let session = take() else {
            free.signal()
            return nil
        }
        defer {
            give(session)
            free.signal()
        }
        return try body(session)
    }

    /// Waits for all readers and closes their connections; later uses fail.
    func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        for _ in 0..<count { free.wait() }
        idle.withLock { $0 = [] }
        // Whoever waits now must find the pool closed.
        for _ in 0..<count { free.signal() }
    }

    private func take() -> RecordSession? { idle.withLock { $0.popLast() } }

    private func give(_ session: RecordSession) { idle.withLock { $0.append(session) } }
}
