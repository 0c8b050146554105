import CMicrohttpd
import HTTPCore

/// Turns answers into the library's form: entity tag, condition, compression, the headers of every answer.
struct AnswerWriter {
    let configuration: ServerConfiguration

    /// Whether an answer is worth a worker's time for compressing it.
    func compresses(_ response: Response, _ traits: AnswerTraits) -> Bool {
        traits.acceptsGzip && isCompressible(response)
    }

    private func isCompressible(_ response: Response) -> Bool {
        response.body.count >= configuration.limits.compressionThreshold && response["Content-Encoding"] == nil
            && MediaType(rawValue: response["Content-Type"] ?? "").isCompressible
    }

    /// Makes the answer; nil when memory is short, and then the connection can only be closed.
    func prepare(_ response: Response, _ traits: AnswerTraits, closing: Bool) -> PreparedAnswer? {
        var response = response
        let isCompressible = isCompressible(response)
        if isCompressible { response.headers.append(("Vary", "Accept-Encoding")) }
        if response.status == .ok, traits.isRead { tag(&response, traits) }
        if isCompressible, traits.acceptsGzip, response.status != .notModified,
            let packed = Gzip.compress(response.body)
        {
            response.body = packed
            response.headers.append(("Content-Encoding", "gzip"))
        }
        if traits.omitsBody { response.body = [] }
        return library(response, traits, closing)
    }

    private func tag(_ response: inout Response, _ traits: AnswerTraits) {
        let tag: String
        if let own = response["ETag"] {
            tag = own
        } else {
            tag = EntityTag.weak(of: response.body)
            response.headers.append(("ETag", tag))
        }
        guard let condition = traits.ifNoneMatch, EntityTag.matches(condition, tag) else { return }
        response.status = .notModified
        response.body = []
    }

    private func library(_ response: Response, _ traits: AnswerTraits, _ closing: Bool) -> PreparedAnswer? {
        let made = response.body.withUnsafeBytes {
            MHD_create_response_from_buffer(
                $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let made else { return nil }
        for header in response.headers where !AnswerWriter.isOurs(header.name) {
            MHD_add_response_header(made, header.name, header.value)
        }
        for header in configuration.extraHeaders where response[header.name] == nil {
            MHD_add_response_header(made, header.name, header.value)
        }
        MHD_add_response_header(made, "X-Request-Id", traits.requestID)
        if closing { MHD_add_response_header(made, "Connection", "close") }
        return PreparedAnswer(status: response.status.rawValue, response: made, bytes: response.body.count)
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
