/// How a request gets its answer.
package enum Handling: Sendable {
    /// The answer is there.
    case now(Response)
    /// The answer comes from work that may block, done by the server's team of workers.
    case later(@Sendable () async -> Response)
}
