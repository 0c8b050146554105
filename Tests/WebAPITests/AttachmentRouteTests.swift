import HTTPCore
import RowhouseModel
import RowhouseWire
import Testing

@testable import WebAPI

@Suite struct AttachmentRouteTests {
    private static let upload = "/v0/\(Door.base)/\(Door.record)/Files%20of%20it/uploadAttachment"

    @Test func `An upload is decoded, received and attached`() async {
        let door = Door()
        let response = await door.send(
            "POST", Self.upload, body: #"{"contentType":"text/plain","file":"YWJj\n","filename":"a.txt"}"#)
        #expect(response.status == .ok)
        #expect(
            door.lines() == [
                "caller", "admit \(Door.base)", "check \(Door.base) - data.records:write",
                "receive \(Door.record) Files of it 5242880", "upload a.txt text/plain abc",
            ])
    }

    @Test(arguments: [
        (#"{"contentType":"a/b","file":5,"filename":"a"}"#, #"\"file\" is not a text"#),
        (#"{"contentType":"a/b","file":"YQ==","filename":{}}"#, #"\"filename\" is not a text"#),
        (#"{"contentType":[],"file":"YQ==","filename":"a"}"#, #"\"contentType\" is not a text"#),
        (#"{"contentType":null,"file":"YQ==","filename":"a"}"#, #"Could not find field \"contentType\""#),
        (#"{"contentType":"a/b","filename":"a"}"#, #"Could not find field \"file\""#),
    ])
    func `What is there and no text is not called missing`(body: String, message: String) async {
        let response = await Door().send("POST", Self.upload, body: body)
        #expect(response.status == .unprocessableContent)
        #expect(String(decoding: response.body.bytes, as: UTF8.self).contains(message))
    }

    private static func form(_ parts: [(head: String, data: String)]) -> [UInt8] {
        let text = parts.map { "--B\r\nContent-Disposition: form-data; \($0.head)\r\n\r\n\($0.data)\r\n" }.joined()
        return Array((text + "--B--\r\n").utf8)
    }

    private static func sink(_ parts: [(head: String, data: String)]) throws -> UploadSink {
        let request = UploadAttachmentRequest(
            base: RecordingServices.base.id, record: RecordID(text: IdentifierText(time: 0, counter: 0)),
            field: "Files", filename: "", contentType: nil)
        let caller = try #require(RecordingServices().caller(token: "all"))
        let sink = UploadSink(
            request, contentType: "multipart/form-data; boundary=B", isKeyed: false, caller: caller,
            attachments: RecordingServices())
        _ = sink.receive(form(parts).span)
        return sink
    }

    @Test func `A form in which no file was chosen attaches none`() throws {
        let unchosen = (head: #"name="file"; filename="""#, data: "")
        let file = (head: #"name="b"; filename="b.txt""#, data: "")
        let nameless = (head: #"name="c"; filename="""#, data: "c")
        for parts in [[unchosen], [unchosen, (head: #"name="filename""#, data: "z.txt")], [unchosen, unchosen]] {
            #expect {
                _ = try Self.sink(parts).finish()
            } throws: { ($0 as? APIError)?.message?.contains("No file was chosen") == true }
        }
        #expect {
            _ = try Self.sink([]).finish()
        } throws: { ($0 as? APIError)?.type == "INVALID_REQUEST_MISSING_FIELDS" }
        // A file may be empty, or have no name.
        for parts in [[file], [unchosen, file], [file, unchosen]] {
            #expect(try Self.sink(parts).finish().request.filename == "b.txt")
        }
        #expect(try Self.sink([nameless]).finish().request.filename == "")
    }

    @Test func `Checks come before the body`() async {
        let door = Door()
        #expect(await door.send("POST", Self.upload, token: nil, body: "{").status == .unauthorized)
        #expect(await door.send("POST", Self.upload, body: "{").status == .unprocessableContent)
        #expect(await door.send("GET", Self.upload).status == .notFound)
        #expect(await door.send("POST", "/v0/\(Door.base)/recX/Files/uploadAttachment", body: "{}").status == .notFound)
    }

    private static func link(_ key: String, _ size: String = "") -> String { "/f/att00000000000001/\(key)/\(size)a" }

    @Test func `A file is asked for by its key alone`() async throws {
        let door = Door()
        for key in ["A", String(repeating: "A", count: 22)] {
            #expect(await door.send("GET", Self.link(key), token: nil).status == .notFound)
        }
        #expect(door.lines().isEmpty)
    }

    @Test func `Whatever could run is sent to be kept, not shown`() {
        func disposition(_ type: String) -> String? {
            ServedFile(path: "/x", filename: "a", type: type, tag: "t").response["Content-Disposition"]
        }
        for type in ["image/png", "image/jpeg", "image/webp", "audio/mpeg", "video/mp4"] {
            #expect(disposition(type)?.hasPrefix("inline;") == true)
        }
        for type in [
            "image/svg+xml", "text/html", "text/xml", "application/pdf", "text/javascript", "application/xhtml+xml",
            "application/octet-stream", "text/plain", "application/x-new", "",
        ] {
            #expect(disposition(type)?.hasPrefix("attachment;") == true)
        }
    }

    @Test func `Scripts and styles are called neither, since a page runs what is called so`() {
        func type(_ type: String) -> String? {
            ServedFile(path: "/x", filename: "a", type: type, tag: "t").response["Content-Type"]
        }
        for one in [
            "text/javascript", "application/javascript", "application/x-javascript", "text/javascript1.5",
            "application/ecmascript", "text/x-ecmascript", "text/jscript", "text/livescript", "text/css",
        ] {
            #expect(type(one) == "application/octet-stream", "\(one)")
        }
        for one in ["image/svg+xml", "text/html", "application/json", "text/plain", "image/png"] {
            #expect(type(one) == one)
        }
    }

    @Test(arguments: [
        ("a.png", "filename=\"a.png\"; filename*=UTF-8''a.png"),
        ("a\"; b=\"\\%41", "filename=\"a_; b=___41\"; filename*=UTF-8''a%22%3B%20b%3D%22%5C%2541"),
        ("字.txt", "filename=\"_.txt\"; filename*=UTF-8''%E5%AD%97.txt"),
        ("a\r\nSet-Cookie: x", "filename=\"a__Set-Cookie: x\"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x"),
    ])
    func `The name of a file cannot leave its header`(name: String, parameters: String) {
        let response = ServedFile(path: "/x", filename: name, type: "image/png", tag: "t").response
        #expect(response["Content-Disposition"] == "inline; " + parameters)
    }
}
