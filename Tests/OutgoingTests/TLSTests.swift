import Glibc
import HTTPCore
import HTTPServer
import Outgoing
import RowhouseModel
import Testing

@Suite struct TLSTests {
    @Test func `A certificate must be for the name in the URL, from a trusted authority`() throws {
        let folder = try CertificateFolder(names: "DNS:files.test,IP:127.0.0.1")
        var configuration = ServerConfiguration()
        configuration.tls = TLSFiles(certificatePath: folder.certificate, keyPath: folder.key)
        let server = try HTTPServer(configuration: configuration, handler: OneText())
        let port = try server.start()
        defer { server.stop(gracePeriod: .zero) }
        let places = ["files.test:\(port)", "other.test:\(port)", "127.0.0.1:\(port)"]
        let names = ["files.test": [["127.0.0.1"]], "other.test": [["127.0.0.1"]]]
        func outcome(_ host: String, authorities: String?) -> RemoteFileFetcher.Outcome {
            RemoteFileFetcher(
                policy: AddressPolicy(allowed: Set(places.compactMap { HostAndPort($0) })),
                resolver: ScriptedResolver(names), connector: CurlConnector(authorities: authorities)
            ).outcome("https://\(host):\(port)/")
        }
        #expect(outcome("files.test", authorities: folder.certificate).text == "over TLS")
        #expect(outcome("FILES.test.", authorities: folder.certificate).text == "over TLS")
        #expect(outcome("127.0.0.1", authorities: folder.certificate).text == "over TLS")
        for (host, authorities) in [("other.test", folder.certificate), ("files.test", nil), ("127.0.0.1", nil)] {
            guard case .failure(.failed) = outcome(host, authorities: authorities) else {
                Issue.record("\(host) was believed")
                continue
            }
        }
    }
}

private struct OneText: RequestHandler {
    func handle(_ request: Request) -> Handling { .now(.text("over TLS")) }
}

/// A self-signed certificate in a folder that is removed with its owner.
private final class CertificateFolder {
    private let path: String
    var certificate: String { path + "/certificate.pem" }
    var key: String { path + "/key.pem" }

    init(names: String) throws {
        var template = Array("/tmp/rowhouse-tls-XXXXXX".utf8CString)
        let isMade = mkdtemp(&template) != nil
        try #require(isMade)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let made = system(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test "
                + "-addext subjectAltName=\(names) -keyout \(key) -out \(certificate) 2>/dev/null")
        try #require(made == 0)
    }

    deinit {
        unlink(certificate)
        unlink(key)
        rmdir(path)
    }
}
