/// One complete answer, as values.
///
/// The server adds Date, Content-Length, X-Request-Id, the entity tag and the encoding.
package struct Response: Sendable {
    /// What follows the head.
    package enum Body: Sendable, Equatable {
        case bytes([UInt8])
        indirect case file(FileBody)

        /// The bytes; none for a file.
        package var bytes: [UInt8] {
            if case .bytes(let bytes) = self { bytes } else { [] }
        }
    }

    package var status: Status
    package var headers: [(name: String, value: String)]
    package var body: Body

    package init(status: Status = .ok, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = .bytes(body)
    }

    /// An answer whose body has the given type.
    package init(_ status: Status, _ type: MediaType, _ body: [UInt8]) {
        self.init(status: status, headers: [("Content-Type", type.rawValue)], body: body)
    }

    /// UTF-8 JSON that is already written.
    package static func json(_ body: [UInt8], status: Status = .ok) -> Response { Response(status, .json, body) }

    /// A web page.
    package static func html(_ text: String, status: Status = .ok) -> Response {
        Response(status, .html, Array(text.utf8))
    }

    /// Plain text.
    package static func text(_ text: String, status: Status = .ok) -> Response {
        Response(status, .text, Array(text.utf8))
    }

    /// A file, or the part of it that is asked for; more headers may be added.
    package static func file(_ file: FileBody, type: MediaType) -> Response {
        var response = Response(status: .ok, headers: [("Content-Type", type.rawValue)])
        response.body = .file(file)
        return response
    }

    /// An answer without a body: 204.
    package static var noContent: Response { Response(status: .noContent) }

    /// Sends the client elsewhere; `status` is one of 301, 302, 303, 307, 308.
    package static func redirect(to address: String, status: Status = .seeOther) -> Response {
        Response(status: status, headers: [("Location", address)])
    }

    /// The first header of a name, without regard to case; nil if there is none.
    package subscript(_ name: String) -> String? {
        for header in headers where ASCII.isEqual(header.name, name) { return header.value }
        return nil
    }
}
