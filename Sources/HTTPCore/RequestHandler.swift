/// Answers requests.
package protocol RequestHandler: Sendable {
    /// Decides about one complete request.
    ///
    /// It is called on the thread that moves all bytes and so must never block: what may block belongs into
    /// ``Handling/later(_:)``.
    func handle(_ request: Request) -> Handling

    /// The greatest body in bytes the route takes, asked as soon as the head of a request with a body is there.
    func bodyLimit(method: Method, rawPath: String) -> Int
}

extension RequestHandler {
    /// 10 MiB.
    package func bodyLimit(method: Method, rawPath: String) -> Int { 10 * 1024 * 1024 }
}
