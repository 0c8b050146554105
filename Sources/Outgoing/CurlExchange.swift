import CCurl
import Glibc
import RowhouseModel

/// What happens between the library's callbacks during one call, all on the caller's thread.
final class CurlExchange {
    private let call: OutgoingCall
    private let wants: (AnswerHead) -> Bool
    private let take: (borrowing Span<UInt8>) -> Bool
    let isStopped: () -> Bool

    private var head = AnswerHead(status: 0)
    private var headBytes = 0
    private var bodyBytes = 0
    private var stage = Stage.head
    /// Why we ended the call; nil when we did not, and when the head was all that was wanted.
    private var failure: RemoteFileError?

    private enum Stage {
        case head, body, refused
    }

    init(
        _ call: OutgoingCall, _ wants: @escaping (AnswerHead) -> Bool,
        _ take: @escaping (borrowing Span<UInt8>) -> Bool, isStopped: @escaping () -> Bool
    ) {
        self.call = call
        self.wants = wants
        self.take = take
        self.isStopped = isStopped
    }

    /// One line of a head, with its end; false ends the call.
    func addHead(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        headBytes += line.count
        guard headBytes <= call.limits.head else { return end(.failed("The headers are too long.")) }
        // What follows a body are trailers.
        guard stage == .head else { return stage == .body }
        let text = HeaderLine.text(line)
        if text.isEmpty { return endHead() }
        if let status = HeaderLine.status(text) { head = AnswerHead(status: status) } else { head.add(text) }
        return true
    }

    private func endHead() -> Bool {
        // Interim answers (100, 103) come before the one that counts.
        guard head.status >= 200 else { return true }
        stage = wants(head) ? .body : .refused
        return stage == .body
    }

    /// A piece of the body; false ends the call.
    func addBody(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
        guard stage == .body else { return false }
        bodyBytes += piece.count
        guard bodyBytes <= call.limits.body else { return end(.tooLarge) }
        return take(piece.span) || end(.stopped)
    }

    /// Whether a connection may be made: the last guard, over what the system is about to be handed.
    func permits(_ address: UnsafePointer<sockaddr>, length: Int) -> Bool {
        guard let endpoint = NetworkAddress(address, length: length), call.endpoints.contains(endpoint) else {
            return end(.refusedAddress)
        }
        // The port lies at the same place for both kinds of address.
        let port = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            UInt16(bigEndian: $0.pointee.sin_port)
        }
        return Int(port) == call.address.place.port || end(.refusedAddress)
    }

    private func end(_ reason: RemoteFileError) -> Bool {
        failure = failure ?? reason
        return false
    }

    /// What the call came to.
    func result(of code: CURLcode, _ library: CurlLibrary) -> Result<AnswerHead, RemoteFileError> {
        if let failure { return .failure(failure) }
        if stage == .refused || (stage == .body && code == CURLE_OK) { return .success(head) }
        switch code {
        case CURLE_ABORTED_BY_CALLBACK: return .failure(.stopped)
        case CURLE_OPERATION_TIMEDOUT: return .failure(.tooSlow)
        case CURLE_FILESIZE_EXCEEDED: return .failure(.tooLarge)
        case CURLE_COULDNT_CONNECT: return .failure(.unreachable)
        case CURLE_OK: return .failure(.failed("There was no answer."))
        default: return .failure(.failed(library.explanation(code)))
        }
    }
}
