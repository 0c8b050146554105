/// Why a multipart body cannot be read.
package enum MultipartError: Error, Equatable, Sendable {
    /// It is not what RFC 7578 describes, or ends too early.
    case malformed
    /// The headers of a part are longer than 8 KiB.
    case headersTooLarge
    /// More than 20 parts.
    case tooManyParts
    /// The sink wanted no more.
    case stopped
}
