import CMicrohttpd
import HTTPCore

/// Turns answers into the library's form: entity tag, condition, compression, the headers of every answer.
final class AnswerWriter: Sendable {
    private let configuration: ServerConfiguration
    /// Whether the headers of every answer name the type of its body.
    private let setsType: Bool

    init(_ configuration: ServerConfiguration) {
        self.configuration = configuration
        setsType = configuration.extraHeaders.contains { ASCII.isEqual($0.name, "Content-Type") }
    }

    /// Whether an answer is worth a worker's time: for compressing it, or for opening its file.
    func needsWorker(_ response: Response, _ traits: AnswerTraits) -> Bool {
        switch response.body {
        case .bytes(let body): traits.acceptsGzip && isCompressible(response, body)
        case .file: true
        }
    }

    private func isCompressible(_ response: Response, _ body: [UInt8]) -> Bool {
        body.count >= configuration.limits.compressionThreshold && response["Content-Encoding"] == nil
            && MediaType(rawValue: response["Content-Type"] ?? "").isCompressible
    }

    /// Makes the answer; nil when memory is short, and then the connection can only be closed.
    func prepare(_ response: Response, _ traits: AnswerTraits, closing: Bool) -> PreparedAnswer? {
        let content = response.body.bytes
        let isCompressible = isCompressible(response, content)
        let isTagged = response.status == .ok && traits.isRead
        let ownTag = isTagged ? response["ETag"] : nil
        let newTag = isTagged && ownTag == nil ? EntityTag.weak(of: content) : nil
        var status = response.status
        if let tag = ownTag ?? newTag, let condition = traits.ifNoneMatch, EntityTag.matches(condition, tag) {
            status = .notModified
        }
        let packed = isCompressible && traits.acceptsGzip && !traits.omitsBody ? Gzip.compress(content) : nil
        let body = traits.omitsBody ? [] : packed ?? content
        let isUnsent = status == .notModified
        guard let made = isUnsent ? AnswerWriter.make(unsent: body.count) : AnswerWriter.make(body) else { return nil }
        addHeaders(of: response, traits, closing: closing, to: made)
        if let newTag { AnswerWriter.add("ETag", newTag, made) }
        if isCompressible || newTag != nil { AnswerWriter.add("Vary", "Accept-Encoding", made) }
        if packed != nil, !isUnsent { AnswerWriter.add("Content-Encoding", "gzip", made) }
        return PreparedAnswer(status: status.rawValue, response: made, bytes: isUnsent ? 0 : body.count)
    }

    /// The headers that an answer brings with it, and those of every answer.
    func addHeaders(of response: Response, _ traits: AnswerTraits, closing: Bool, to made: OpaquePointer) {
        for header in response.headers where !AnswerWriter.isOurs(header.name) {
            AnswerWriter.add(header.name, header.value, made)
        }
        // Nearly every answer has one header of its own.
        let isPlain = !setsType && response.headers.allSatisfy { $0.name == "Content-Type" }
        for header in configuration.extraHeaders where isPlain || response[header.name] == nil {
            AnswerWriter.add(header.name, header.value, made)
        }
        AnswerWriter.add("X-Request-Id", traits.requestID, made)
        if closing { AnswerWriter.add("Connection", "close", made) }
    }

    static func make(_ body: [UInt8]) -> OpaquePointer? {
        body.withUnsafeBytes {
            MHD_create_response_from_buffer(
                $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
        }
    }

    /// Makes an answer whose body is never sent: a 304 tells the length that the body would have (RFC 9110, section 8.6).
    static func make(unsent count: Int) -> OpaquePointer? {
        guard count > 0 else { return make([]) }
        return MHD_create_response_from_callback(UInt64(count), 1, { _, _, _, _ in -1 }, nil, nil)
    }

    /// Adds a header; the library refuses texts with line ends.
    static func add(_ name: String, _ value: String, _ response: OpaquePointer) {
        // Written out, because the implicit conversion to a C string copies each text to the heap.
        name.withCString { name in
            value.withCString { value in _ = MHD_add_response_header(response, name, value) }
        }
    }

    /// Headers that describe the message, not its content: the library writes them.
    private static func isOurs(_ name: String) -> Bool {
        switch name.utf8.count {
        case 4: ASCII.isEqual(name, "Date")
        case 10: ASCII.isEqual(name, "Connection")
        case 14: ASCII.isEqual(name, "Content-Length")
        case 17: ASCII.isEqual(name, "Transfer-Encoding")
        default: false
        }
    }
}
