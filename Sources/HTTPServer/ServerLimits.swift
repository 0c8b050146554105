/// The bounds of one server; the defaults are those of the product, tests use smaller ones.
package struct ServerLimits: Sendable {
    /// Memory of one connection for request line, header block and the head of the answer, in bytes.
    ///
    /// The library clears it after every request, so each kilobyte costs time.
    package var headerPool = 36 * 1024
    /// Characters of a request's target; more are answered 414.
    package var targetLength = 24_000
    /// Bytes of all header fields; more are answered 431.
    package var headerBytes = 16 * 1024
    /// Number of header fields; more are answered 431.
    package var headerCount = 100
    /// Bytes of all bodies being held at once; a body that finds no room is answered 503.
    package var bodyBytesInFlight = 256 * 1024 * 1024
    /// A head must be complete so long after its first byte.
    package var headTime = Duration.seconds(10)
    /// A body, or the taking of an answer, may be slow for so long.
    package var slowTime = Duration.seconds(10)
    /// After ``slowTime`` the average must be at least this, in bytes a second.
    package var slowestRate = 1_024
    /// A connection without a request is closed after this time.
    package var idleTime = Duration.seconds(60)
    /// Bodies below this many bytes are not compressed.
    package var compressionThreshold = 1_024

    package init() {}
}
