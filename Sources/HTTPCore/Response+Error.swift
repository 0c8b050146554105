extension Response {
    /// An error in Airtable's object form: `{"error":{"type":…,"message":…}}`.
    package static func error(_ status: Status, type: String, message: String) -> Response {
        json(Array(#"{"error":{"type":\#(quoted(type)),"message":\#(quoted(message))}}"#.utf8), status: status)
    }

    /// 400: the request is not well-formed HTTP.
    package static func invalidRequest(_ message: String) -> Response {
        error(.badRequest, type: "INVALID_REQUEST", message: message)
    }

    /// 404 in Airtable's bare form.
    package static var notFound: Response { json(Array(#"{"error":"NOT_FOUND"}"#.utf8), status: .notFound) }

    /// 413: the body is longer than the route takes.
    package static var requestTooLarge: Response {
        error(.contentTooLarge, type: "REQUEST_TOO_LARGE", message: "The request body is too large")
    }

    /// 414: the address is longer than the server takes.
    package static var uriTooLong: Response {
        error(.uriTooLong, type: "URI_TOO_LONG", message: "The request URL is too long; send the query in a POST body")
    }

    /// 416: nothing of the range that is asked for is in the file.
    package static func rangeNotSatisfiable(size: Int) -> Response {
        var response = error(
            .rangeNotSatisfiable, type: "RANGE_NOT_SATISFIABLE", message: "The file has no bytes in the requested range"
        )
        response.headers.append(("Content-Range", "bytes */\(size)"))
        return response
    }

    /// 431: the header block is longer than the server takes.
    package static var requestHeadersTooLarge: Response {
        error(
            .requestHeaderFieldsTooLarge, type: "REQUEST_HEADERS_TOO_LARGE",
            message: "The request headers are too large")
    }

    /// 500: something is wrong with the server.
    package static var serverError: Response {
        error(.internalServerError, type: "SERVER_ERROR", message: "The server could not answer this request.")
    }

    /// 503 with Retry-After: the server has no room for the request now.
    package static var retriable: Response {
        var response = error(
            .serviceUnavailable, type: "RETRIABLE_ERROR",
            message: "Server encountered an error while processing your request, and it is safe to retry the request")
        response.headers.append(("Retry-After", "1"))
        return response
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..<"\u{20}": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
