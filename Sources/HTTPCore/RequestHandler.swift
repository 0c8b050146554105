/// Answers requests.
package protocol RequestHandler: Sendable {
    /// Decides about one complete request.
    ///
    /// It is called on the thread that moves all bytes and so must never block: what may block belongs into
    /// ``Handling/later(_:)``.
    func handle(_ request: Request) -> Handling

    /// The greatest body in bytes the route takes, asked as soon as the head of a request with a body is there.
    func bodyLimit(method: Method, rawPath: String) -> Int

    /// Whether the body of a request is worth keeping, asked as soon as its head is there; the request has no body yet.
    ///
    /// A body that is not kept is read and dropped, and ``handle(_:)`` gets the request without it: what strangers
    /// send costs no memory.
    func keepsBody(of request: Request) -> Bool
}

extension RequestHandler {
    /// Every body is kept.
    package func keepsBody(of request: Request) -> Bool { true }

    /// 10 MiB.
    package func bodyLimit(method: Method, rawPath: String) -> Int { 10 * 1024 * 1024 }
}
