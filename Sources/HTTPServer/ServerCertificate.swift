import CGnuTLS
import Glibc
import Synchronization

/// A certificate chain and its key in GnuTLS's form.
///
/// `@unchecked Sendable`: made complete, then only read.
final class ServerCertificate: @unchecked Sendable {
    let chain: UnsafeMutablePointer<gnutls_pcert_st>
    let count: UInt32
    let key: gnutls_privkey_t

    private static let longestChain: UInt32 = 16

    /// Reads both files.
    ///
    /// - Throws: ``ServerError/invalidCertificate(_:)`` if one cannot be read or the key is not the certificate's.
    init(_ files: TLSFiles) throws(ServerError) {
        let certificateText = try ServerCertificate.contents(files.certificatePath)
        let keyText = try ServerCertificate.contents(files.keyPath)
        let chain = UnsafeMutablePointer<gnutls_pcert_st>.allocate(capacity: Int(ServerCertificate.longestChain))
        var count = ServerCertificate.longestChain
        let read = ServerCertificate.withDatum(certificateText) {
            gnutls_pcert_list_import_x509_raw(chain, &count, $0, GNUTLS_X509_FMT_PEM, 0)
        }
        guard read == 0, count > 0 else {
            chain.deallocate()
            throw .invalidCertificate("\(files.certificatePath) is no PEM certificate")
        }
        var key: gnutls_privkey_t?
        gnutls_privkey_init(&key)
        let isKey = ServerCertificate.withDatum(keyText) {
            gnutls_privkey_import_x509_raw(key, $0, GNUTLS_X509_FMT_PEM, nil, 0)
        }
        guard let key, isKey == 0, ServerCertificate.belong(chain, key) else {
            if let key { gnutls_privkey_deinit(key) }
            ServerCertificate.release(chain, count)
            throw .invalidCertificate("\(files.keyPath) is not the key of \(files.certificatePath)")
        }
        self.chain = chain
        self.count = count
        self.key = key
    }

    deinit {
        gnutls_privkey_deinit(key)
        ServerCertificate.release(chain, count)
    }

    private static func release(_ chain: UnsafeMutablePointer<gnutls_pcert_st>, _ count: UInt32) {
        for index in 0..<Int(count) { gnutls_pcert_deinit(chain + index) }
        chain.deallocate()
    }

    /// Compares the public key in the certificate with the one the private key has.
    private static func belong(_ chain: UnsafeMutablePointer<gnutls_pcert_st>, _ key: gnutls_privkey_t) -> Bool {
        var pair: gnutls_pubkey_t?
        gnutls_pubkey_init(&pair)
        defer { gnutls_pubkey_deinit(pair) }
        guard let pair, gnutls_pubkey_import_privkey(pair, key, 0, 0) == 0 else { return false }
        let own = identifier(pair)
        return own != nil && own == identifier(chain.pointee.pubkey)
    }

    private static func identifier(_ key: gnutls_pubkey_t) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 64)
        var size = bytes.count
        guard gnutls_pubkey_get_key_id(key, 0, &bytes, &size) == 0 else { return nil }
        return Array(bytes.prefix(size))
    }

    private static func withDatum(_ bytes: [UInt8], _ body: (UnsafePointer<gnutls_datum_t>) -> Int32) -> Int32 {
        var copy = bytes
        return copy.withUnsafeMutableBufferPointer { buffer in
            var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(clamping: buffer.count))
            return body(&datum)
        }
    }

    private static func contents(_ path: String) throws(ServerError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .invalidCertificate("\(path) cannot be opened") }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var count = 0
        while count < bytes.count {
            let part = bytes[count...].withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard part >= 0 else { throw .invalidCertificate("\(path) cannot be read") }
            if part == 0 { return Array(bytes.prefix(count)) }
            count += part
        }
        throw .invalidCertificate("\(path) is too long")
    }
}
