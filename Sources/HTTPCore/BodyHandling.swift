/// What becomes of a request's body.
package enum BodyHandling: Sendable {
    /// It is read and dropped, and ``RequestHandler/handle(_:)`` gets the request without it: what strangers send costs
    /// no memory.
    case drop
    /// It is kept in memory; more than `limit` bytes are answered 413.
    case keep(limit: Int)
    /// It goes to the sink as it arrives; more than `limit` bytes are answered 413.
    case stream(any BodySink, limit: Int)

    /// The greatest body of most routes in bytes: 10 MiB.
    package static let usualLimit = 10 * 1024 * 1024
}
