import CivilTime
import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Testing

struct AttachmentItemTests {
    private static let id = "att00000000000001"
    private static let hash = String(repeating: "0a", count: 32)

    private static func items(_ json: String, typecast: Bool = false) throws -> [String] {
        let value = try Sample.json(json)
        return try AttachmentCell.items(value, for: try Sample.field("files"), typecast: typecast).map { item in
            switch item {
            case .existing(let id, _): "id \(id)"
            case .remote(let url, let filename): "\(filename) <- \(url)"
            case .unreachable: "unreachable"
            }
        }
    }

    @Test(arguments: [
        (#"[{"id":"att00000000000001"}]"#, ["id att00000000000001"]),
        (#"[{"id":"att00000000000001","url":"ftp://x","filename":1,"size":"x"}]"#, ["id att00000000000001"]),
        (
            #"[{"url":"http://a/b.png"},{"id":null,"url":"http://a/","filename":null}]"#,
            ["b.png <- http://a/b.png", "Unnamed attachment <- http://a/"]
        ),
        (#"[{"url":"http://a/b","filename":"c/d.png"}]"#, ["d.png <- http://a/b"]),
        (#"[{"url":"http://a/b","filename":""}]"#, ["b <- http://a/b"]),
        (#"[{"url":" \n\thttp://a/b \r\n"}]"#, ["b <- http://a/b"]),
        (#"[{"url":"ftp://a/b"},{"url":"b"}]"#, ["unreachable", "unreachable"]), ("[]", []), ("null", []),
    ])
    func `Items name attachments, or addresses with names`(json: String, items: [String]) throws {
        #expect(try Self.items(json) == items)
    }

    @Test func `Typecast takes texts for addresses`() throws {
        #expect(try Self.items(#""http://a/b""#, typecast: true) == ["b <- http://a/b"])
        #expect(
            try Self.items(#"["http://a/b",{"url":"http://c/d"},"x"]"#, typecast: true)
                == ["b <- http://a/b", "d <- http://c/d", "unreachable"])
        #expect(try Self.items(#""""#, typecast: true) == [])
        #expect(throws: APIError.cannotAccept("files")) { try Self.items(#""http://a/b""#) }
        #expect(throws: APIError.cannotAccept("files")) { try Self.items("{}", typecast: true) }
    }

    @Test func `What names nothing is shown as a person writes it`() throws {
        let error = #expect(throws: APIError.self) { try Self.items(#"[{"id":"x","a":[1,{}],"b":{"c":"d"}}]"#) }
        #expect(error?.type == "INVALID_ATTACHMENT_OBJECT")
        #expect(
            error?.message == """
                Invalid attachment object for field files: {
                  "id": "x",
                  "a": [
                    1,
                    {}
                  ],
                  "b": {
                    "c": "d"
                  }
                }
                """)
    }

    // MARK: what is shown

    private static func shown(_ kept: String, _ links: AttachmentLinks, _ presentation: RecordPresentation) throws
        -> JSONValue?
    {
        var batch = RecordBatch(fields: [try Sample.field("files")])
        batch.append(
            id: try #require(RecordID("rec00000000000000")), createdTime: Instant(milliseconds: 0),
            cells: [.text(kept)])
        let page = RecordPage(batch: batch, users: Sample.users)
        let bytes = try AnswerEncoder(zones: Sample.zones, links: links).record(page, presentation)
        return try Sample.json(String(decoding: bytes, as: UTF8.self)).objectValue?["fields"]?.objectValue?["files"]
    }

    @Test func `Files are shown with links of this folder, what is still elsewhere with its address`() throws {
        let links = AttachmentLinks(secret: [1], address: "https://example.org/x")
        let kept = #"""
            [{"id":"\#(Self.id)","filename":"a b.png","hash":"\#(Self.hash)","size":7,"type":"image/png","width":1000,"height":600},{"id":"\#(Self.id)","filename":"c","url":"http://a/c"}]
            """#
        let shown = try Self.shown(kept, links, RecordPresentation())
        let items = shown?.arrayValue?.compactMap(\.objectValue) ?? []
        try #require(items.count == 2)
        #expect(items[0].keys == ["id", "width", "height", "url", "filename", "size", "type", "thumbnails"])
        let url = try #require(items[0]["url"]?.stringValue)
        #expect(url.hasPrefix("https://example.org/x/f/\(Self.id)/") && url.hasSuffix("/a%20b.png"))
        let thumbnails = try #require(items[0]["thumbnails"]?.objectValue)
        #expect(thumbnails.keys == ["small", "large", "full"])
        #expect(thumbnails["large"]?.objectValue?["width"] == 853)
        #expect(thumbnails["large"]?.objectValue?["height"] == 512)
        #expect(thumbnails["small"]?.objectValue?["url"]?.stringValue?.hasSuffix("/small/a%20b.png") == true)
        #expect(items[1] == ["id": .string(Self.id), "url": "http://a/c", "filename": "c"])
        let text = try Self.shown(
            kept, links, RecordPresentation(cellFormat: .string(timeZone: "utc", userLocale: "en")))
        #expect(text == .string("a b.png (\(url)), c (http://a/c)"))
    }

    // MARK: links

    private static func link(_ url: String) throws -> AttachmentLink {
        let path = try #require(url.split(separator: "/", maxSplits: 2).last)
        return try #require(AttachmentLink(path.split(separator: "/").map(String.init)))
    }

    private static func url(_ links: AttachmentLinks) throws -> String {
        let kept = #"[{"id":"\#(Self.id)","filename":"a","hash":"\#(Self.hash)","size":7,"type":"a/b"}]"#
        let items = try shown(kept, links, RecordPresentation())?.arrayValue
        return try #require(items?.first?.objectValue?["url"]?.stringValue)
    }

    @Test func `A link is good for who has the secret, and for this attachment only`() throws {
        let links = AttachmentLinks(secret: [1], address: "http://h:1")
        let link = try Self.link(try Self.url(links))
        try links.check(link)
        #expect(throws: APIError.notFound) { try AttachmentLinks(secret: [2]).check(link) }
        let other = try #require(AttachmentLink(["f", "att00000000000002", link.key, "a"]))
        #expect(throws: APIError.notFound) { try links.check(other) }
        let timed = try #require(AttachmentLink(["f", Self.id, link.key, "9999999999999", "a"]))
        #expect(throws: APIError.notFound) { try links.check(timed) }
    }

    @Test func `Links end two to three hours after they were made, where they end`() throws {
        let made: Int64 = 1_000_000_000_123
        func links(at time: Int64) -> AttachmentLinks {
            AttachmentLinks(secret: [1], address: "http://h:1", expires: true) { Instant(milliseconds: time) }
        }
        let link = try Self.link(try Self.url(links(at: made)))
        let end = try #require(link.end)
        #expect((7_200_000...10_800_000).contains(end - made))
        try links(at: end - 1).check(link)
        #expect(throws: APIError.linkExpired) { try links(at: end).check(link) }
        let endless = try Self.link(try Self.url(AttachmentLinks(secret: [1], address: "http://h:1")))
        #expect(throws: APIError.linkExpired) { try links(at: made).check(endless) }
        try AttachmentLinks(secret: [1]).check(endless)
    }

    @Test(arguments: [
        ["f"], ["f", "att00000000000001", "k"], ["f", "x", "k", "a"], ["g", "att00000000000001", "k", "a"],
        ["f", "att00000000000001", "k", "middle", "a"], ["f", "att00000000000001", "k", "small", "1", "a"],
        ["f", "att00000000000001", "k", "1", "2", "a"], ["f", "att00000000000001", "k", "1", "small", "a", "b"],
    ])
    func `Other paths are no links`(segments: [String]) {
        #expect(AttachmentLink(segments) == nil)
    }

    @Test func `A link is known in other letters and with doubled slashes, and nowhere else`() throws {
        let links = AttachmentLinks(secret: [1], address: "http://h:1/x")
        let url = try Self.url(links)
        let link = try #require(links.link(at: url))
        try links.check(link)
        let path = url.dropFirst("http://h:1/x".count)
        for start in ["HTTP://H:1/x", "http://h:1/x/", "http://h:1/x//"] {
            #expect(links.link(at: start + path) == link)
        }
        for start in ["http://h:1/", "http://h:11/x", "https://h:1/x", "http://h:1/xx", "http://h:1"] {
            #expect(links.link(at: start + path) == nil)
        }
        #expect(links.link(at: "http://h:1/x") == nil)
        #expect(links.link(at: "http://h:1/x/g/" + path.dropFirst(3)) == nil)
    }

    @Test func `A link may be of a size, and its name may look like one`() {
        let id = "att00000000000001"
        #expect(AttachmentLink(["f", id, "k", "1", "small", "a"])?.size == .small)
        #expect(AttachmentLink(["f", id, "k", "1", "small", "a"])?.end == 1)
        #expect(AttachmentLink(["f", id, "k", "small"])?.size == nil)
        #expect(AttachmentLink(["f", id, "k", "1"])?.end == nil)
    }

    // MARK: uploads

    @Test(arguments: [
        ("", ""), ("YQ==", "a"), ("YQ", "a"), ("YWI=", "ab"), ("YWJj", "abc"), ("YW\nJj\r\n", "abc"),
        ("YWJjZA==\n", "abcd"), ("Pz8/", "???"), ("Pj4+", ">>>"),
    ])
    func `Base64 is read in lines or not`(text: String, bytes: String) {
        #expect(UploadDecoder.decode(base64: text) == Array(bytes.utf8))
    }

    @Test(arguments: ["Y", "YQ=", "YQ==YQ==", "Y Q=", "YQ===", "=", "Pj4-", "YWJjZ", "é"])
    func `Other texts are no base64`(text: String) {
        #expect(UploadDecoder.decode(base64: text) == nil)
    }
}
