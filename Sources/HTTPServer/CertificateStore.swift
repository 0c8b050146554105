import Platform

/// The certificate new connections get, and those that earlier ones may still hold.
final class CertificateStore: Sendable {
    private struct State {
        var current: ServerCertificate
        // A handshake uses a certificate without saying when it ends; one renewal leaves a few kilobytes.
        var earlier: [ServerCertificate] = []
    }

    private let files: TLSFiles
    private let state: Guarded<State>

    init(_ files: TLSFiles) throws(ServerError) {
        self.files = files
        state = Guarded(State(current: try ServerCertificate(files)))
    }

    var current: ServerCertificate { state.withLock { $0.current } }

    /// Reads the files again; when that fails, the certificate stays as it is.
    func reload() throws(ServerError) {
        let renewed = try ServerCertificate(files)
        state.withLock {
            $0.earlier.append($0.current)
            // Handshakes older than so many renewals have long been cut off.
            if $0.earlier.count > 16 { $0.earlier.removeFirst() }
            $0.current = renewed
        }
    }
}
