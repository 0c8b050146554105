import Cryptography
import HTTPCore
import RowhouseModel
import Synchronization

/// Takes an upload in the form of browsers (`multipart/form-data`) while it arrives: the part that is a file goes to the
/// disk, the parts `filename` and `contentType` may say more of it.
///
/// Nothing is told before all of the body is there: the first mistake is kept until then.
final class UploadSink: BodySink {
    /// The largest file, in bytes.
    static let largest = 50 * 1024 * 1024
    /// The largest body: what surrounds the file is short.
    static let largestBody = largest + 64 * 1024

    private struct State {
        var parser: MultipartParser?
        var parts: Parts
    }
    private let state: Mutex<State>

    /// - Parameter isKeyed: whether the file's hash is wanted for an `Idempotency-Key`.
    init(
        _ request: UploadAttachmentRequest, contentType: String, isKeyed: Bool, caller: Caller,
        attachments: any AttachmentOperations
    ) {
        let parts = Parts(request: request, caller: caller, attachments: attachments, hash: isKeyed ? SHA256() : nil)
        state = Mutex(State(parser: MultipartParser(contentType: contentType), parts: parts))
    }

    func receive(_ bytes: borrowing Span<UInt8>) -> Bool {
        state.withLock { state in
            guard state.parser != nil, state.parts.failure == nil || state.parts.isOnlyHashed else { return false }
            do throws(MultipartError) {
                try state.parser?.read(bytes, into: &state.parts)
                return true
            } catch {
                state.parts.fail(.invalidRequest("The body is not multipart/form-data as it should be."))
                return false
            }
        }
    }

    func cancel() { state.withLock { $0.parts.file = nil } }

    /// What has arrived, once all of the body has.
    ///
    /// - Throws: the first mistake.
    func finish() throws(APIError) -> (request: UploadAttachmentRequest, file: any FileReceiver, hash: [UInt8]) {
        try state.withLock { (state) throws(APIError) in
            if let failure = state.parts.failure { throw failure }
            guard (try? state.parser?.finish()) != nil else {
                state.parts.file = nil
                throw .invalidRequest("The body is not multipart/form-data as it should be.")
            }
            guard let file = state.parts.file else {
                throw state.parts.isUnchosen ? .invalidRequest("No file was chosen.") : .missingField("file")
            }
            return (state.parts.request, file, state.parts.hash?.finish() ?? [])
        }
    }

    /// What stands for all of the body under an `Idempotency-Key`; nil where not all has arrived.
    func fingerprint() -> [UInt8]? {
        state.withLock { state in
            guard state.parts.failure == nil || state.parts.isOnlyHashed, (try? state.parser?.finish()) != nil,
                let hash = state.parts.hash
            else { return nil }
            return Self.fingerprint(hash.finish(), state.parts.request)
        }
    }

    static func fingerprint(_ hash: [UInt8], _ request: UploadAttachmentRequest) -> [UInt8] {
        hash + Array(request.filename.utf8)
    }

    /// The parts as they are read.
    private struct Parts: MultipartSink {
        private enum Current {
            case file, filename, contentType, other
            /// A place for a file, without a name and so far without a byte: so browsers send one in which none was chosen.
            case unnamed(type: String?)
        }

        var request: UploadAttachmentRequest
        let caller: Caller
        let attachments: any AttachmentOperations
        var hash: SHA256?
        var file: (any FileReceiver)?
        private(set) var failure: APIError?
        /// Whether the file is not wanted, but may have been before under the same key.
        private(set) var isOnlyHashed = false
        /// Whether there was a place for a file, and none in it.
        private(set) var isUnchosen = false
        private var current = Current.other
        private var text: [UInt8] = []

        /// The longest text of another part, in bytes.
        private static let longestText = 4_096

        init(
            request: UploadAttachmentRequest, caller: Caller, attachments: any AttachmentOperations, hash: SHA256?
        ) {
            self.request = request
            self.caller = caller
            self.attachments = attachments
            self.hash = hash
        }

        /// Keeps the first mistake; what has arrived of a file goes before anything is answered.
        mutating func fail(_ error: APIError) {
            failure = failure ?? error
            file = nil
        }

        mutating func begin(_ part: MultipartPart) -> Bool {
            text = []
            if let filename = part.filename {
                if !filename.isEmpty { return beginFile(filename, part.type) }
                current = .unnamed(type: part.type)
                return true
            }
            current =
                switch part.name {
                case "filename": .filename
                case "contentType": .contentType
                default: .other
                }
            return true
        }

        private mutating func beginFile(_ filename: String, _ type: String?) -> Bool {
            guard file == nil else {
                fail(.invalidRequest("One file is attached at a time."))
                return false
            }
            current = .file
            if request.filename.isEmpty { request.filename = filename }
            if request.contentType == nil { request.contentType = type }
            do throws(APIError) {
                file = try attachments.receiver(for: request, limit: UploadSink.largest, as: caller)
                return true
            } catch {
                fail(error)
                isOnlyHashed = hash != nil
                return isOnlyHashed
            }
        }

        mutating func receive(_ bytes: borrowing Span<UInt8>) -> Bool {
            switch current {
            case .other: return true
            case .unnamed(let type):
                if bytes.isEmpty { return true }
                return beginFile("", type) && receive(bytes)
            case .file:
                hash?.update(bytes)
                do throws(APIError) {
                    try file?.take(bytes)
                    return true
                } catch {
                    fail(error)
                    return false
                }
            case .filename, .contentType:
                guard bytes.count <= Self.longestText - text.count else {
                    fail(.invalidRequest("A part of the body is too long."))
                    return false
                }
                for index in 0..<bytes.count { text.append(bytes[index]) }
                return true
            }
        }

        mutating func end() -> Bool {
            let value = String(decoding: text, as: UTF8.self)
            switch current {
            case .filename where !value.isEmpty: request.filename = value
            case .contentType where !value.isEmpty: request.contentType = value
            case .unnamed: isUnchosen = true
            default: break
            }
            current = .other
            return true
        }
    }
}
