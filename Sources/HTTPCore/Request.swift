/// One complete request, as values.
package struct Request: Sendable {
    /// Names this request in logs and in the answer's X-Request-Id.
    package var id: String
    package var method: Method
    /// The path as it was sent, still percent-encoded.
    package var rawPath: String
    /// What follows the question mark, still encoded; empty if there is none.
    package var rawQuery: String
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// What has taken the body, if it was streamed; it then has arrived whole, or as far as the sink wanted it.
    package var sink: (any BodySink)?
    /// The client's address; the forwarded one only if the request came through a trusted proxy.
    package var remoteAddress: String
    /// Whether the client's connection is encrypted, here or at a trusted proxy.
    package var isSecure: Bool

    package init(
        id: String = "", method: Method = .get, rawPath: String = "/", rawQuery: String = "",
        headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [], remoteAddress: String = "127.0.0.1",
        isSecure: Bool = false
    ) {
        self.id = id
        self.method = method
        self.rawPath = rawPath
        self.rawQuery = rawQuery
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
        self.isSecure = isSecure
    }
}
