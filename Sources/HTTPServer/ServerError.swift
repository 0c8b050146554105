/// Why a server could not start or renew its certificate.
package enum ServerError: Error, Equatable, Sendable {
    /// The host is not a numeric IPv4 or IPv6 address.
    case invalidAddress(String)
    /// The operating system refused to listen; the text says why.
    case cannotListen(String)
    /// The HTTP library refused to start.
    case cannotStart
    /// The certificate or key cannot be read or do not belong together; the text says which.
    case invalidCertificate(String)
}
