import CMicrohttpd
import HTTPCore
import Platform
import Synchronization

/// A body on its way to a sink: pieces gather in memory and are handed over by a worker, while the connection is
/// suspended.
///
/// The event thread thus never waits for a disk, a slow client holds no worker, and a slow disk slows its own clients
/// only: their windows close, because nobody reads from them.
extension Exchange {
    /// Bytes that are gathered before a worker is asked.
    private static let pieceSize = 256 * 1024

    func isPieceDue(atEnd: Bool) -> Bool {
        guard sink != nil, keepsBody, bodyRefusal == nil else { return false }
        return request.body.count >= (atEnd ? 1 : Exchange.pieceSize)
    }

    /// Suspends the connection until the sink has taken what has gathered.
    func storePiece() {
        guard let sink else { return }
        let piece = request.body
        request.body = []
        core.suspended.wrappingAdd(1, ordering: .relaxed)
        MHD_suspend_connection(library)
        connection.pauseBody()
        let isSubmitted = core.team.trySubmit {
            if self.core.isAbandoned.load(ordering: .relaxed) {
                self.refuseBody(.noRoom)
            } else if !sink.receive(piece.span) {
                self.keepsBody = false
            }
            self.resumeBody()
        }
        if !isSubmitted {
            refuseBody(.noRoom)
            resumeBody()
        }
    }

    private func resumeBody() {
        dropBody()
        connection.continueBody()
        MHD_resume_connection(library)
        core.suspended.wrappingSubtract(1, ordering: .releasing)
    }

    /// Decides that the body is answered with a refusal as soon as it has been read to its end.
    func refuseBody(_ refusal: Refusal) {
        bodyRefusal = refusal
        cancelSink()
    }

    /// Tells the sink, if the handler has not got it, that the rest will not come; on a worker, since it may block.
    func cancelSink() {
        guard let sink = sink.take() else { return }
        if !core.team.trySubmit({ sink.cancel() }) { sink.cancel() }
    }
}
