import Glibc
import HTTPCore
import HTTPServer
import Testing

struct TLSTests {
    @Test("TLS answers, and a renewed certificate is shown to new connections while old ones go on")
    func renewal() throws {
        let folder = try Folder()
        try folder.makeCertificate("first")
        let running = try RunningServer {
            $0.tls = TLSFiles(certificatePath: folder.path + "/certificate.pem", keyPath: folder.path + "/key.pem")
        }
        let old = OpenSSLClient(port: running.port)
        #expect(old.exchange("/one").contains("GET /one ? 0"))
        #expect(shownName(running.port) == "first")
        try folder.makeCertificate("second")
        #expect(shownName(running.port) == "first")
        try running.server.reloadTLS()
        #expect(shownName(running.port) == "second")
        #expect(old.exchange("/two").contains("GET /two ? 0"))
        // A broken file changes nothing.
        #expect(run("echo nonsense > \(folder.path)/key.pem").status == 0)
        #expect(throws: ServerError.self) { try running.server.reloadTLS() }
        #expect(shownName(running.port) == "second")
        #expect(old.exchange("/three").contains("GET /three ? 0"))
    }

    @Test("A request over TLS is secure, and plain HTTP to the same port does no harm")
    func secure() throws {
        let folder = try Folder()
        try folder.makeCertificate("only")
        let running = try RunningServer(EchoHandler(later: { .text("secure \($0.isSecure)") })) {
            $0.tls = TLSFiles(certificatePath: folder.path + "/certificate.pem", keyPath: folder.path + "/key.pem")
        }
        let plain = running.client(timeout: 2)
        #expect(plain.exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n") == nil)
        #expect(OpenSSLClient(port: running.port).exchange("/later").contains("secure true"))
    }

    @Test("Missing files, and a key of another certificate, are errors when the server is made")
    func wrongFiles() throws {
        let folder = try Folder()
        try folder.makeCertificate("one")
        #expect(run("cp \(folder.path)/key.pem \(folder.path)/other.pem").status == 0)
        try folder.makeCertificate("two")
        for (certificate, key) in [
            ("none", "key.pem"), ("certificate.pem", "none"), ("certificate.pem", "other.pem"), ("key.pem", "key.pem"),
        ] {
            var configuration = ServerConfiguration()
            configuration.tls = TLSFiles(
                certificatePath: "\(folder.path)/\(certificate)", keyPath: "\(folder.path)/\(key)")
            #expect(throws: ServerError.self) {
                _ = try HTTPServer(configuration: configuration, handler: EchoHandler())
            }
        }
    }

    @Test("Files are sent over TLS too")
    func files() throws {
        let folder = try Folder()
        try folder.makeCertificate("only")
        let files = ScratchFolder()
        let file = files.write("f", pattern(3_000_001))
        let running = try RunningServer(FileHandler(folder: files.path)) {
            $0.tls = TLSFiles(certificatePath: folder.path + "/certificate.pem", keyPath: folder.path + "/key.pem")
        }
        let difference = run(
            "printf 'GET /f HTTP/1.1\\r\\nHost: h\\r\\nConnection: close\\r\\n\\r\\n' "
                + "| openssl s_client -quiet -ign_eof -connect 127.0.0.1:\(running.port) 2>/dev/null "
                + "| tail -c 3000001 | cmp - '\(file)'")
        #expect(difference.status == 0 && difference.output.isEmpty)
    }

    /// The common name in the certificate a new connection is shown.
    private func shownName(_ port: Int) -> String? {
        let text = run(
            "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null | openssl x509 -noout -subject"
        ).output
        return text.split(separator: "=").last.map { $0.filter { !$0.isWhitespace } }
    }
}

/// Runs a shell command and collects what it prints.
@discardableResult
private func run(_ command: String) -> (status: Int32, output: String) {
    guard let pipe = popen(command, "r") else { return (-1, "") }
    var output: [UInt8] = []
    var byte = fgetc(pipe)
    while byte >= 0 {
        output.append(UInt8(truncatingIfNeeded: byte))
        byte = fgetc(pipe)
    }
    return (pclose(pipe), String(decoding: output, as: UTF8.self))
}

/// A temporary folder that is removed with its owner.
private final class Folder {
    let path: String

    init() throws {
        path = run("mktemp -d").output.filter { !$0.isWhitespace }
        try #require(!path.isEmpty)
    }

    deinit { run("rm -rf '\(path)'") }

    func makeCertificate(_ name: String) throws {
        let result = run(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=\(name) "
                + "-keyout \(path)/key.pem -out \(path)/certificate.pem 2>/dev/null")
        try #require(result.status == 0)
    }
}

/// One TLS connection kept open by the openssl command.
private final class OpenSSLClient {
    private let input: UnsafeMutablePointer<FILE>?
    private let output: String

    init(port: Int) {
        output = run("mktemp").output.filter { !$0.isWhitespace }
        input = popen("openssl s_client -quiet -no_ign_eof -connect 127.0.0.1:\(port) > \(output) 2>/dev/null", "w")
    }

    deinit {
        if let input { pclose(input) }
        unlink(output)
    }

    /// Sends a GET and gives all that was ever received, once the answer's path is in it.
    func exchange(_ path: String) -> String {
        guard let input else { return "" }
        fputs("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n", input)
        fflush(input)
        var text = ""
        wait {
            text = run("cat \(output)").output
            return text.contains("GET \(path) ?") || text.contains("secure")
        }
        return text
    }
}
