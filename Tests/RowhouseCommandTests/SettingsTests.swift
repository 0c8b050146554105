import Outgoing
import Testing

@testable import rowhouse

@Suite struct SettingsTests {
    private func settings(
        _ arguments: [String] = [], environment: [String: String] = [:], form: CommandForm = .serve
    ) throws -> Settings {
        guard case .run(let form, let parsed) = try ArgumentParser.parse(form.words + arguments) else {
            throw CommandError(.failure, "told, not run")
        }
        return try Settings(form, parsed) { environment[$0] }
    }

    @Test func `An option beats the environment, the environment beats the file`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("rowhouse.conf", "data = /file\nlisten = 127.0.0.1:1\npublic-url = http://file\n")
        let environment = ["ROWHOUSE_DATA": "/environment", "ROWHOUSE_LISTEN": "127.0.0.1:2"]
        let serve = try ServeSettings(
            try settings(["--config", file, "--data", "/option"], environment: environment))
        #expect(serve.data == "/option")
        #expect(serve.listen.port == 2)
        #expect(serve.publicURL == "http://file")
        let named = try settings(environment: environment.merging(["ROWHOUSE_CONFIG": file]) { $1 })
        #expect(named.value("public-url")?.origin == "\(file), line 3, public-url")
        #expect(try settings(environment: ["ROWHOUSE_DATA": ""]).value("data") == nil)
    }

    @Test func `Only settings come from elsewhere`() throws {
        let environment = ["ROWHOUSE_NAME": "Lin", "ROWHOUSE_DATA": "/d"]
        let create = try settings(["--scopes", "a, b", "--scopes=c"], environment: environment, form: .createToken)
        #expect(create.value("name") == nil)
        #expect(create.value("data")?.text == "/d")
        #expect(create.texts("scopes") == ["a", "b", "c"])
        #expect(create.texts("bases") == nil)
    }

    @Test func `A file of settings has names, values and remarks`() throws {
        let file = try SettingsFile(
            "\u{FEFF}# ours\r\n\n  data = /a b  \r\ntls-cert=\n\t#no\ntrusted-proxy = ::1\ntrusted-proxy = 10.0.0.1, 10.0.0.2",
            path: "f", options: CommandForm.serve.options)
        #expect(
            file.entries == [
                "data": [.init(value: "/a b", line: 3)], "tls-cert": [.init(value: "", line: 4)],
                "trusted-proxy": [.init(value: "::1", line: 6), .init(value: "10.0.0.1, 10.0.0.2", line: 7)],
            ])
    }

    @Test(arguments: [
        ("data", "f, line 1: expected `name = value`."),
        ("\nfrob = 1", "f, line 2: there is no setting frob."),
        ("data = a\ndata = b", "f, line 2: data was set before."),
        ("[server]", "f, line 1: expected `name = value`."),
    ])
    func `A wrong file is named with its line`(text: String, message: String) throws {
        let error = try #require(throws: CommandError.self) {
            try SettingsFile(text, path: "f", options: CommandForm.serve.options)
        }
        #expect(error == .usage(message))
    }

    @Test func `A file that cannot be read is told apart from a wrong one`() throws {
        let folder = try TemporaryFolder()
        let missing = try #require(throws: CommandError.self) { try settings(["--config", folder.path + "/no"]) }
        #expect(missing.code == .inputOutput)
        let file = try folder.file("latin1.conf", bytes: [0x64, 0xE9])
        let foreign = try #require(throws: CommandError.self) { try settings(["--config", file]) }
        #expect(foreign == .usage("\(file) is not UTF-8 text."))
    }

    @Test func `Every setting of serve is read`() throws {
        let serve = try ServeSettings(
            try settings(
                [
                    "--data", "/d", "--listen", "[::1]:8443", "--tls-cert", "c.pem", "--tls-key", "k.pem",
                    "--public-url",
                    "HTTPS://example.org/r/", "--trusted-proxy", "::1,10.0.0.1", "--connections-per-address", "7",
                    "--fetch-allow", "NAS.local.:80,[0::1]:8080", "--fetch-allow", "0x7f.1:9000",
                    "--trash-days", "7", "--rate-limit", "--legacy-api-key", "--sample", "--test",
                    "--unsafe-synchronous-off",
                ]))
        var expected = ServeSettings(data: "/d")
        expected.listen = ListenAddress(host: "::1", port: 8443)
        expected.tls = .init(certificate: "c.pem", key: "k.pem")
        expected.publicURL = "https://example.org/r"
        expected.trustedProxies = ["::1", "10.0.0.1"]
        expected.connectionsPerAddress = 7
        expected.fetchAllowed = Set(
            ["nas.local:80", "[::1]:8080", "127.0.0.1:9000"].compactMap { HostAndPort($0) })
        expected.trashDays = 7
        expected.limitsRate = true
        expected.takesLegacyAPIKey = true
        expected.makesSample = true
        expected.isTest = true
        expected.isUnsafe = true
        #expect(serve == expected)
        #expect(try ServeSettings(try settings(["--data", "/d"])) == ServeSettings(data: "/d"))
    }

    @Test(arguments: [
        ([], "--data FOLDER (or ROWHOUSE_DATA) is missing."),
        (["--data="], "--data FOLDER (or ROWHOUSE_DATA) is missing."),
        (["--data", "d", "--listen", "8080"], "--listen: \"8080\" is not like 127.0.0.1:8080 or [::1]:8080."),
        (["--data", "d", "--tls-cert", "c"], "--tls-cert needs --tls-key."),
        (["--data", "d", "--tls-key", "k"], "--tls-key needs --tls-cert."),
        (["--data", "d", "--public-url", "x"], "--public-url: \"x\" is not an address like https://example.org."),
        (["--data", "d", "--trusted-proxy", "me"], "--trusted-proxy: \"me\" is not a numeric address."),
        (["--data", "d", "--trash-days", "x"], "--trash-days: \"x\" is not a whole number from 0 to 36500."),
        (
            ["--data", "d", "--fetch-allow", "nas.local"],
            "--fetch-allow: \"nas.local\" is not like 192.168.1.5:8080 or nas.local:80."
        ),
        (
            ["--data", "d", "--connections-per-address", "-1"],
            "--connections-per-address: \"-1\" is not a whole number from 0 to 1000000."
        ),
        (["--data", "d", "--test=perhaps"], "--test: \"perhaps\" is neither true nor false."),
    ])
    func `A wrong setting is named in one sentence`(arguments: [String], message: String) throws {
        let error = try #require(throws: CommandError.self) { try ServeSettings(try settings(arguments)) }
        #expect(error == .usage(message))
    }

    @Test func `A wrong setting of the environment is named by its variable`() throws {
        let environment = ["ROWHOUSE_DATA": "d", "ROWHOUSE_RATE_LIMIT": "2"]
        let error = try #require(throws: CommandError.self) {
            try ServeSettings(try settings(environment: environment))
        }
        #expect(error == .usage("ROWHOUSE_RATE_LIMIT: \"2\" is neither true nor false."))
    }

    @Test func `An option switches off what the environment switches on`() throws {
        let environment = ["ROWHOUSE_DATA": "d", "ROWHOUSE_RATE_LIMIT": "yes"]
        #expect(try ServeSettings(try settings(environment: environment)).limitsRate)
        #expect(!(try ServeSettings(try settings(["--rate-limit=no"], environment: environment)).limitsRate))
    }

    @Test func `Addresses to listen on are numeric, with a port`() {
        let good: [(String, String, Int)] = [
            ("127.0.0.1:0", "127.0.0.1", 0), ("0.0.0.0:65535", "0.0.0.0", 65535), ("[::]:80", "::", 80),
            ("localhost:8080", "127.0.0.1", 8080),
        ]
        for (text, host, port) in good { #expect(ListenAddress(text) == ListenAddress(host: host, port: port)) }
        let bad = [
            "", ":", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "1.2.3:80",
            "::1:80", "[::1]", "[::1:80", "[127.0.0.1]:80", "example.org:80", "127.0.0.1:8 ",
            "127.0.0.1:99999999999999999999",
        ]
        for text in bad { #expect(ListenAddress(text) == nil, "\(text)") }
        #expect(ListenAddress(host: "::", port: 0).reachable.authority(port: 5) == "[::1]:5")
        #expect(ListenAddress(host: "0.0.0.0", port: 0).reachable.authority(port: 5) == "127.0.0.1:5")
    }

    @Test func `A public address has a scheme and a host, and no more than a path`() {
        #expect(PublicURL.checked("http://a") == "http://a")
        #expect(PublicURL.checked("https://a.example:8443/x/y//") == "https://a.example:8443/x/y")
        for text in [
            "", "a", "ftp://a", "http://", "http:///x", "http://:80", "http://a?b", "http://a#b", "http://u@a",
            "http://a b", "http://é", "http://a\n", "http://a<b>",
        ] { #expect(PublicURL.checked(text) == nil, "\(text)") }
    }
}
