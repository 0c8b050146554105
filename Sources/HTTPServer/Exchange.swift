import CMicrohttpd
import HTTPCore
import Synchronization

/// One request and its answer, from the request line to the last byte sent.
///
/// `@unchecked Sendable`: everything but `isClaimed` and `prepared` is touched by the connection's event thread only.
/// `prepared` is written by whoever wins the claim, before the library's own lock in `MHD_resume_connection` hands the
/// connection back to the event thread.
final class Exchange: @unchecked Sendable {
    enum Stage {
        case head
        case body
        case working
        case answered
    }

    let core: ServerCore
    let library: OpaquePointer
    let connection: Connection
    let started: UInt64
    var stage = Stage.head
    /// Where the target lies in the library's buffer, for judging what follows it.
    var targetEnd: UnsafePointer<CChar>?
    var target: RequestTarget?
    var refusal: Refusal?
    var request = Request()
    var expectsBody = false
    var bodyLimit = 0
    var keepsBody = true
    /// The answer to a body that is being dropped.
    var bodyRefusal: Refusal?
    var reservedBody = 0
    var discardedBody = 0
    /// The address counted for this request, if requests are counted.
    var countedAddress: String?
    var traits = AnswerTraits()
    var methodText = ""
    var sent: PreparedAnswer?
    private let isClaimed = Atomic(false)
    private var prepared: PreparedAnswer?

    init(_ core: ServerCore, _ library: OpaquePointer, _ connection: Connection) {
        self.core = core
        self.library = library
        self.connection = connection
        started = core.hasAccessLog ? MonotonicClock.now() : 0
    }

    /// Gives the connection its answer from any thread and wakes it; only the first caller's answer counts.
    func finish(_ response: Response) {
        guard claim() else { return }
        let closing = core.isDraining.load(ordering: .relaxed)
        prepared = core.writer.prepare(response, traits, closing: closing)
        MHD_resume_connection(library)
        core.suspended.wrappingSubtract(1, ordering: .releasing)
    }

    private func claim() -> Bool {
        isClaimed.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }

    /// The answer ``finish(_:)`` left, for the event thread after the connection was resumed.
    func takePrepared() -> PreparedAnswer? {
        prepared.take()
    }
}
