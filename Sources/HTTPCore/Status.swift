/// A status code of an answer (RFC 9110, section 15).
package struct Status: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let ok = Status(rawValue: 200)
    package static let created = Status(rawValue: 201)
    package static let accepted = Status(rawValue: 202)
    package static let noContent = Status(rawValue: 204)
    package static let partialContent = Status(rawValue: 206)
    package static let movedPermanently = Status(rawValue: 301)
    package static let found = Status(rawValue: 302)
    package static let seeOther = Status(rawValue: 303)
    package static let notModified = Status(rawValue: 304)
    package static let temporaryRedirect = Status(rawValue: 307)
    package static let permanentRedirect = Status(rawValue: 308)
    package static let badRequest = Status(rawValue: 400)
    package static let unauthorized = Status(rawValue: 401)
    package static let paymentRequired = Status(rawValue: 402)
    package static let forbidden = Status(rawValue: 403)
    package static let notFound = Status(rawValue: 404)
    package static let methodNotAllowed = Status(rawValue: 405)
    package static let notAcceptable = Status(rawValue: 406)
    package static let conflict = Status(rawValue: 409)
    package static let gone = Status(rawValue: 410)
    package static let preconditionFailed = Status(rawValue: 412)
    package static let contentTooLarge = Status(rawValue: 413)
    package static let uriTooLong = Status(rawValue: 414)
    package static let unsupportedMediaType = Status(rawValue: 415)
    package static let rangeNotSatisfiable = Status(rawValue: 416)
    package static let unprocessableContent = Status(rawValue: 422)
    package static let tooManyRequests = Status(rawValue: 429)
    package static let requestHeaderFieldsTooLarge = Status(rawValue: 431)
    package static let internalServerError = Status(rawValue: 500)
    package static let notImplemented = Status(rawValue: 501)
    package static let badGateway = Status(rawValue: 502)
    package static let serviceUnavailable = Status(rawValue: 503)

    /// The words RFC 9110 gives the code; an empty text for a code it does not know.
    package var reason: String {
        switch rawValue {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 402: "Payment Required"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 409: "Conflict"
        case 410: "Gone"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        default: ""
        }
    }
}
