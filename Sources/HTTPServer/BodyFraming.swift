import HTTPCore

/// How long the body of a request says it is (RFC 9112, section 6).
enum BodyFraming: Equatable {
    case none
    case length(Int)
    case chunked

    /// Reads it strictly: whatever two readers could understand differently is refused.
    init(_ headers: HTTPHeaders, isVersion11: Bool) throws(Refusal) {
        let hosts = headers.count(of: "Host")
        guard hosts == 1 || (hosts == 0 && !isVersion11) else { throw .malformed }
        let lengths = headers.count(of: "Content-Length")
        let codings = headers.count(of: "Transfer-Encoding")
        guard lengths + codings <= 1 else { throw .malformed }
        if codings == 1 {
            guard isVersion11, ASCII.isEqual(headers["Transfer-Encoding"] ?? "", "chunked") else { throw .malformed }
            self = .chunked
        } else if lengths == 1 {
            let text = headers["Content-Length"] ?? ""
            guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { throw .malformed }
            // Digits that do not fit are a body that does not fit either.
            self = .length(Int(text) ?? .max)
        } else {
            self = .none
        }
    }
}
