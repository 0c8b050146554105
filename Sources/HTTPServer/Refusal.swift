import HTTPCore

/// Why the server answers a request itself, before its handler sees it.
enum Refusal: Error {
    case malformed
    case headersTooLarge
    case targetTooLong
    case bodyTooLarge
    case noRoom

    var response: Response {
        switch self {
        case .malformed: .invalidRequest("The request is not well-formed HTTP")
        case .headersTooLarge: .requestHeadersTooLarge
        case .targetTooLong: .uriTooLong
        case .bodyTooLarge: .requestTooLarge
        case .noRoom: .retriable
        }
    }
}
