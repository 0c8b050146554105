import CMicrohttpd
import HTTPCore
import Synchronization

/// One request and its answer, from the request line to the last byte sent.
///
/// `@unchecked Sendable`: everything but `isClaimed` is touched by the connection's event thread, or, while the connection
/// is suspended, by the one worker that has it: what a worker writes comes before the library's own lock in
/// `MHD_resume_connection`, which hands the connection back to the event thread. `prepared` is written by whoever wins
/// the claim.
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
    /// Whether what comes of the body is wanted.
    var keepsBody = true
    /// Takes the body in pieces, which gather in the request; nil once the handler has it.
    var sink: (any BodySink)?
    /// Bytes of the body that were wanted.
    var receivedBody = 0
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
        prepared = prepare(response, closing: closing)
        MHD_resume_connection(library)
        core.suspended.wrappingSubtract(1, ordering: .releasing)
    }

    /// Brings an answer into the library's form; one with a file may wait for the disk.
    func prepare(_ response: Response, closing: Bool) -> PreparedAnswer? {
        switch response.body {
        case .bytes: core.writer.prepare(response, traits, closing: closing)
        case .file(let file): core.writer.prepare(file, response, traits, request.headers, closing: closing)
        }
    }

    private func claim() -> Bool {
        isClaimed.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }

    /// The answer ``finish(_:)`` left, for the event thread after the connection was resumed.
    func takePrepared() -> PreparedAnswer? {
        prepared.take()
    }
}
