import Outgoing
import RowhouseModel
import Testing

/// Nothing here connects anywhere: names come from the test and connections are only noted.
@Suite struct RemoteFileFetcherTests {
    private static let names = [
        "public.test": [["1.1.1.1", "2606:4700:4700::1111"]],
        "private.test": [["10.0.0.1"]],
        "mixed.test": [["1.1.1.1", "127.0.0.1"]],
        "mixed6.test": [["2606:4700:4700::1111", "::1"]],
        "mapped.test": [["::ffff:7f00:1"]],
        "localhost": [["127.0.0.1"]],
        "rebinding.test": [["1.1.1.1"], ["127.0.0.1"]],
    ]

    private func fetcher(_ connector: RecordingConnector, allowed: [String] = []) -> RemoteFileFetcher {
        RemoteFileFetcher(
            policy: AddressPolicy(allowed: Set(allowed.compactMap { HostAndPort($0) })),
            resolver: ScriptedResolver(Self.names), connector: connector)
    }

    @Test func `What leads to a closed address is refused before any connection`() throws {
        let rows = try DataFile.rows("refused.tsv", columns: 2)
        #expect(rows.count > 90)
        let errors: [String: RemoteFileError] = [
            "refusedAddress": .refusedAddress, "invalidURL": .invalidURL, "unknownHost": .unknownHost,
        ]
        for row in rows {
            let connector = RecordingConnector()
            let expected = try #require(errors[row[1]], "\(row)")
            #expect(fetcher(connector).outcome(row[0]) == .failure(expected), "\(row)")
            #expect(connector.calls.isEmpty, "\(row)")
        }
    }

    @Test func `What can be told without a look-up is told at once`() throws {
        let outgoing = fetcher(RecordingConnector(), allowed: ["10.77.0.1:80"])
        for row in try DataFile.rows("refused.tsv", columns: 2) {
            let isName = if case .name = WebAddress(row[0])?.place.host { true } else { false }
            #expect(outgoing.accepts(row[0]) == isName, "\(row)")
        }
        for url in [
            "http://u:p@h/", "https://[", "http://a b/", "http://h:99999/", "http://", "ftp://h/",
            "http://h/" + String(repeating: "a", count: 8_190), "http://10.77.0.1:81/", "http://[::1]/",
        ] { #expect(!outgoing.accepts(url), "\(url)") }
        for url in [" http://public.test/\n", "http://10.77.0.1/", "http://1.1.1.1/", "HTTP://H/"] {
            #expect(outgoing.accepts(url), "\(url)")
        }
    }

    @Test func `What a redirect leads to is checked like the first address`() throws {
        for row in try DataFile.rows("refused.tsv", columns: 2) where row[0].contains(":") && !row[0].hasPrefix(" ") {
            for status in [301, 302, 303, 307, 308] {
                let connector = RecordingConnector(["http://public.test/": AnswerHead(status: status, location: row[0])]
                )
                guard case .failure(let error) = fetcher(connector).outcome("http://public.test/") else {
                    Issue.record("\(row) was fetched")
                    continue
                }
                #expect("\(error)" == row[1], "\(row)")
                #expect(connector.calls.count == 1, "\(row)")
            }
        }
    }

    @Test func `A call is bound to the addresses that were checked`() {
        let connector = RecordingConnector()
        let facts = RemoteFileFacts(type: "image/png", filename: nil)
        #expect(fetcher(connector).outcome("http://public.test:81/a") == .file([1, 2, 3], facts))
        #expect(fetcher(connector).outcome("https://0x01010101/") == .file([1, 2, 3], facts))
        #expect(connector.calls.map { "\($0.address)" } == ["http://public.test:81/a", "https://1.1.1.1/"])
        #expect(
            connector.calls.map { $0.endpoints.map(\.description) } == [
                ["1.1.1.1", "2606:4700:4700::1111"], ["1.1.1.1"],
            ])
    }

    @Test func `A name that turns private is refused at its next look-up, in one fetch and in two`() {
        let connector = RecordingConnector(["http://rebinding.test/": AnswerHead(status: 302, location: "/again")])
        #expect(fetcher(connector).outcome("http://rebinding.test/") == .failure(.refusedAddress))
        #expect(connector.calls.map { "\($0.address)" } == ["http://rebinding.test/"])
        #expect(connector.calls.first?.endpoints.map(\.description) == ["1.1.1.1"])

        let second = RecordingConnector()
        let patient = fetcher(second)
        #expect(patient.outcome("http://rebinding.test/a").text != nil)
        #expect(patient.outcome("http://rebinding.test/a") == .failure(.refusedAddress))
        #expect(second.calls.count == 1)
    }

    @Test func `Three redirects are followed and no fourth`() {
        func chain(_ length: Int) -> RecordingConnector {
            let answers = (0..<length).map {
                ("http://public.test/\($0)", AnswerHead(status: 302, location: "/\($0 + 1)"))
            }
            return RecordingConnector(Dictionary(uniqueKeysWithValues: answers))
        }
        let three = chain(3)
        #expect(fetcher(three).outcome("http://public.test/0").text != nil)
        #expect(three.calls.map(\.address.target) == ["/0", "/1", "/2", "/3"])
        let four = chain(4)
        #expect(fetcher(four).outcome("http://public.test/0") == .failure(.tooManyRedirects))
        #expect(four.calls.count == 4)
        let loop = RecordingConnector([
            "http://public.test/": AnswerHead(status: 308, location: "https://public.test/"),
            "https://public.test/": AnswerHead(status: 308, location: "http://public.test/"),
        ])
        #expect(fetcher(loop).outcome("http://public.test/") == .failure(.tooManyRedirects))
        #expect(loop.calls.count == 4)
    }

    @Test func `An allowed place is allowed by its own name and port, and a redirect may lead there`() {
        let redirect = AnswerHead(status: 302, location: "http://private.test:8080/x")
        let connector = RecordingConnector(["http://public.test/": redirect])
        let home = fetcher(connector, allowed: ["private.test:8080", "127.0.0.1:9000"])
        #expect(home.outcome("http://private.test:8080/").text != nil)
        #expect(home.outcome("http://127.1:9000/").text != nil)
        #expect(home.outcome("http://public.test/").text != nil)
        #expect(connector.calls.count == 4)
        for other in [
            "http://private.test/", "http://10.0.0.1:8080/", "http://127.0.0.1/", "http://localhost:9000/",
            "http://127.0.0.2:9000/", "http://[::ffff:7f00:1]:9000/",
        ] {
            #expect(home.outcome(other) == .failure(.refusedAddress), "\(other)")
        }
        #expect(connector.calls.count == 4)
    }

    @Test(arguments: [201, 204, 206, 300, 304, 400, 401, 404, 500, 503])
    func `Answers without a file give their status and none of their bytes`(status: Int) {
        let connector = RecordingConnector(["http://public.test/": AnswerHead(status: status, location: "/x")])
        #expect(fetcher(connector).outcome("http://public.test/") == .failure(.status(status)))
    }

    @Test func `A redirect to nowhere gives its status`() {
        let connector = RecordingConnector(["http://public.test/": AnswerHead(status: 302)])
        #expect(fetcher(connector).outcome("http://public.test/") == .failure(.status(302)))
    }

    @Test func `The receiver ends a fetch, and time already spent is not given again`() {
        let fetcher = fetcher(RecordingConnector())
        #expect(throws: RemoteFileError.stopped) { try fetcher.fetch("http://public.test/", limit: 10) { _ in false } }
        var limits = CallLimits()
        limits.total = .zero
        let late = RemoteFileFetcher(
            policy: AddressPolicy(), resolver: ScriptedResolver(Self.names), connector: RecordingConnector(),
            limits: limits)
        #expect(late.outcome("http://public.test/") == .failure(.tooSlow))
    }

    @Test func `What the other side says of the file is told`() {
        let head = AnswerHead(
            status: 203, contentType: "Image/JPEG; x=y", contentDisposition: "attachment; filename=\"../a.jpg\"")
        let connector = RecordingConnector(["http://public.test/": head])
        let facts = RemoteFileFacts(type: "image/jpeg", filename: "a.jpg")
        #expect(fetcher(connector).outcome("http://public.test/") == .file([1, 2, 3], facts))
    }
}
