import Outgoing
import Platform
import RowhouseModel

/// A name service of the test's own: each look-up of a name gives its next answer, the last one again and again.
final class ScriptedResolver: Resolver {
    private let answers: Guarded<[String: [[String]]]>

    init(_ answers: [String: [[String]]] = [:]) { self.answers = Guarded(answers) }

    func addresses(of name: String) throws(RemoteFileError) -> [NetworkAddress] {
        let found: [String]? = answers.withLock { answers in
            guard var list = answers[name], let next = list.first else { return nil }
            if list.count > 1 { list.removeFirst() }
            answers[name] = list
            return next
        }
        guard let found else { throw .unknownHost }
        return found.compactMap { NetworkAddress($0) }
    }
}

/// Notes calls in place of making them.
final class RecordingConnector: Connector {
    private let answers: [String: AnswerHead]
    private let noted = Guarded<[OutgoingCall]>([])

    /// - Parameter answers: by URL; all others get a file of three bytes.
    init(_ answers: [String: AnswerHead] = [:]) { self.answers = answers }

    var calls: [OutgoingCall] { noted.withLock { $0 } }

    func get(
        _ call: OutgoingCall, wants: (AnswerHead) -> Bool, take: (borrowing Span<UInt8>) -> Bool
    ) throws(RemoteFileError) -> AnswerHead {
        noted.withLock { $0.append(call) }
        let head = answers[call.address.description] ?? AnswerHead(status: 200, contentType: "image/png")
        let body: [UInt8] = [1, 2, 3]
        if wants(head), !take(body.span) { throw .stopped }
        return head
    }

    func stop() {}
}

extension RemoteFileFetcher {
    /// What a fetch comes to: the bytes, or why there are none.
    func outcome(_ url: String, limit: Int = 1 << 20) -> Outcome {
        var bytes: [UInt8] = []
        do throws(RemoteFileError) {
            let facts = try fetch(url, limit: limit) { piece in
                for index in piece.indices { bytes.append(piece[index]) }
                return true
            }
            return .file(bytes, facts)
        } catch {
            return .failure(error)
        }
    }

    enum Outcome: Equatable {
        case file([UInt8], RemoteFileFacts)
        case failure(RemoteFileError)

        var text: String? {
            guard case .file(let bytes, _) = self else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
