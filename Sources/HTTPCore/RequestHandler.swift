/// Answers requests.
package protocol RequestHandler: Sendable {
    /// Decides about one complete request.
    ///
    /// It is called on the thread that moves all bytes and so must never block: what may block belongs into
    /// ``Handling/later(_:)``.
    func handle(_ request: Request) -> Handling

    /// Decides what becomes of a request's body, asked as soon as the head of a request with a body is there.
    ///
    /// The request has no body yet. Like ``handle(_:)`` it must not block.
    func bodyHandling(of request: Request) -> BodyHandling
}

extension RequestHandler {
    /// Every body up to 10 MiB is kept.
    package func bodyHandling(of request: Request) -> BodyHandling { .keep(limit: BodyHandling.usualLimit) }
}
