package import HTTPCore

/// What is known of one request after its end; no header and no secret is among it.
package struct AccessLogEntry: Sendable {
    package let requestID: String
    package let method: String
    /// Path and query, with the values of secret parameters replaced.
    package let target: String
    /// Nil if the client was gone, or cut off, before it had an answer.
    package let status: Status?
    /// Bytes of the answer's body.
    package let bytes: Int
    /// Milliseconds from the request line to the end of the answer.
    package let milliseconds: Double
    package let remoteAddress: String
}
