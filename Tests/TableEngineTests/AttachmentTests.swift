import Blobs
import CivilTime
import Platform
import RowhouseJSON
import RowhouseModel
import SQLiteStorage
import Storage
import Synchronization
import TableEngine
import Testing

/// The SHA-256 of `abc`.
private let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

struct AttachmentTests {
    @Test func `The answer echoes the address; then the file is there and the item tells of it`() throws {
        let house = try AttachmentHouse()
        house.put("http://a/x.txt", "abc")
        let made = try house.house.create(#"{"fields":{"Files":[{"url":"http://a/x.txt"},{"url":"http://a/gone"}]}}"#)
        let record = made.rows[0].id
        let echoed = (made.rows[0]["Files"]?.arrayValue ?? []).compactMap(\.objectValue)
        #expect(echoed.map { $0["url"]?.stringValue } == ["http://a/x.txt", "http://a/gone"])
        #expect(try house.items(record) == echoed)
        house.fetcher?.start()
        try house.wait { try house.items(record).count == 1 && house.items(record)[0]["size"] == 3 }
        let item = try house.items(record)[0]
        #expect(item["id"] == echoed[0]["id"])
        #expect(item["type"] == "text/plain")
        #expect(try ReadFile.bytes(of: house.path(abc), limit: 10) == Array("abc".utf8))
        let id = try #require(item["id"]?.stringValue.flatMap { AttachmentID($0) })
        let served = try house.house.engine.file(of: id, size: nil)
        #expect(served == ServedFile(path: house.path(abc), filename: "x.txt", type: "text/plain", tag: abc))
        #expect(throws: APIError.notFound) { try house.house.engine.file(of: id, size: .small) }
    }

    @Test func `A link of ours as an address is the file itself, as long as the link is good`() throws {
        let house = try AttachmentHouse()
        house.put("http://a/x.txt", "abc")
        let first = try house.house.create(#"{"fields":{"Files":[{"url":"http://a/x.txt"}]}}"#).rows[0].id
        house.fetcher?.start()
        try house.wait { try house.items(first).first?["size"] == 3 }
        let url = try #require(try house.items(first)[0]["url"]?.stringValue)
        #expect(url.hasPrefix("http://here/f/att"))
        func copy(_ url: String, named name: String? = nil) throws -> [JSONObject] {
            let name = name.map { #","filename":"\#($0)""# } ?? ""
            let made = try house.house.create("{\"fields\":{\"Files\":[{\"url\":\"\(url)\"\(name)}]}}")
            return try house.items(made.rows[0].id)
        }
        for (copied, name) in [(try copy(url), "x.txt"), (try copy(url + "?dl=1", named: "y.md"), "y.md")] {
            #expect(copied.map { $0["filename"]?.stringValue } == [name])
            #expect(copied.map { $0["size"] } == [3])
            #expect(copied[0]["id"] != (try house.items(first)[0]["id"]))
        }
        let key = try #require(url.split(separator: "/").dropLast().last)
        #expect(try copy(url.replacing(key, with: "AAAAAAAAAAAAAAAAAAAAAA")).isEmpty)
        #expect(house.shelf.state.withLock(\.asked) == ["http://a/x.txt"])
        _ = try house.house.updateOne(first, #"{"fields":{"Files":[]}}"#)
        #expect(try copy(url).isEmpty)
    }

    @Test func `What was waiting at the end is fetched after the next start`() throws {
        let house = try AttachmentHouse()
        house.put("http://a/x", "abc")
        let record = try house.house.create(#"{"fields":{"Files":[{"url":"http://a/x"}]}}"#).rows[0].id
        house.shelf.gate.wait()
        house.fetcher?.start()
        _ = Semaphore().wait(milliseconds: 20)
        house.fetcher?.stop()
        #expect(try house.items(record)[0]["size"] == nil)
        try house.open()
        house.fetcher?.start()
        try house.wait { try house.items(record).first?["size"] == 3 }
    }

    @Test func `What was taken out before it came is not fetched, and its place in the queue is free`() throws {
        let house = try AttachmentHouse()
        house.put("http://a/x", "abc")
        let record = try house.house.create(#"{"fields":{"Files":[{"url":"http://a/x"}]}}"#).rows[0].id
        _ = try house.house.updateOne(record, #"{"fields":{"Files":[]}}"#)
        house.fetcher?.start()
        let storage = house.house.storage
        try house.wait {
            try storage.read { (reader) throws(APIError) in try reader.waitingBase(after: nil) } == nil
        }
        #expect(house.shelf.state.withLock(\.asked).isEmpty)
    }

    @Test(arguments: [(trash: 30, kept: 90), (trash: 365, kept: 366)])
    func `What nothing holds is forgotten when neither log nor trash tell of it, and its file with it`(
        days: (trash: Int, kept: Int)
    ) throws {
        let house = try AttachmentHouse(trashDays: days.trash)
        house.put("http://a/x", "abc")
        house.put("http://a/y", "keep")
        let body = #"{"fields":{"Files":[{"url":"http://a/x"},{"url":"http://a/y"}]}}"#
        let record = try house.house.create(body).rows[0].id
        house.fetcher?.start()
        try house.wait { try house.items(record).allSatisfy { $0["size"] != nil } }
        let items = try house.items(record)
        let kept = try #require(items[1]["id"]?.stringValue)
        let gone = try #require(items[0]["id"]?.stringValue.flatMap { AttachmentID($0) })
        _ = try house.house.updateOne(record, "{\"fields\":{\"Files\":[{\"id\":\"\(kept)\"}]}}")

        func sweep() throws {
            var sweep = AttachmentSweep()
            while try !sweep.step(house.house.engine) {}
        }
        func knows(_ id: AttachmentID) throws -> Bool {
            try house.house.storage.read { (reader) throws(APIError) in try reader.attachment(id) } != nil
        }
        try sweep()
        house.hands.move(days: Int64(days.kept - 1))
        try sweep()
        #expect(try knows(gone))
        #expect(ReadFile.exists(house.path(abc)))
        house.hands.move(days: 2)
        try sweep()
        #expect(try !knows(gone))
        #expect(!ReadFile.exists(house.path(abc)))
        #expect(try house.items(record).count == 1)
        let keptID = try #require(AttachmentID(kept))
        #expect(try knows(keptID))
    }

    @Test func `What comes back into its cell is held again`() throws {
        let house = try AttachmentHouse()
        house.put("http://a/x", "abc")
        let record = try house.house.create(#"{"fields":{"Files":[{"url":"http://a/x"}]}}"#).rows[0].id
        house.fetcher?.start()
        try house.wait { try house.items(record).first?["size"] != nil }
        let item = try house.items(record)[0]
        let id = try #require(item["id"]?.stringValue)
        _ = try house.house.updateOne(record, #"{"fields":{"Files":null}}"#)
        var sweep = AttachmentSweep()
        while try !sweep.step(house.house.engine) {}
        house.hands.move(days: 80)
        _ = try house.house.updateOne(record, "{\"fields\":{\"Files\":[{\"id\":\"\(id)\"}]}}")
        for days in [1, 80, 80] as [Int64] {
            while try !sweep.step(house.house.engine) {}
            house.hands.move(days: days)
        }
        #expect(try house.items(record).first?["size"] == 3)
        #expect(ReadFile.exists(house.path(abc)))
    }

    @Test(arguments: [
        ("89504e470d0a1a0a", "image/png"), ("ffd8ffe0", "image/jpeg"), ("474946383961", "image/gif"),
        ("25504446 2d312e37", "application/pdf"), ("52494646 00000000 57454250", "image/webp"),
        ("00000018 66747970 61766966", "image/avif"), ("00000018 66747970 68656963", "image/heic"),
        ("3c21444f43545950452068746d6c3e", "text/html"), ("efbbbf 0a 3c737667 3e", "image/svg+xml"),
        ("3c3f786d6c20 3f3e 3c737667 3e", "image/svg+xml"), ("3c3f786d6c203f3e3c612f3e", "text/xml"),
        ("ffd8ffe0 3c68746d6c3e3c736372697074", "image/jpeg"), ("00", "application/octet-stream"), ("61", "text/plain"),
    ])
    func `A file's type is told by its bytes`(hexadecimal: String, type: String) throws {
        let digits = hexadecimal.filter { $0 != " " }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { start in
            UInt8(digits.dropFirst(start).prefix(2), radix: 16)
        }
        #expect(try Self.type(of: bytes, named: "x", said: nil) == type)
        // Whatever is said of it.
        for said in ["image/bmp", "text/html", "application/pdf"] where bytes.count > 1 {
            #expect(try Self.type(of: bytes, named: "x.js", said: said) == type)
        }
    }

    @Test(
        arguments: [
            ("text/csv", "x", "text/csv"), ("Text/CSV; charset=utf-8", "x.png", "text/csv"), (nil, "x.csv", "text/csv"),
            ("application/octet-stream", "x.json", "application/json"), ("image/svg+xml", "x", "image/svg+xml"),
            // What is shown in place must be what it is said to be.
            ("image/png", "x", "text/plain"), (nil, "x.png", "text/plain"), ("image/png", "x.csv", "text/csv"),
            ("audio/mpeg", "x", "text/plain"), ("image/x-new", "x", "text/plain"), ("video/mp4", "x.mp4", "text/plain"),
        ] as [(String?, String, String)])
    func `A text is what it is said to be, but nothing that is shown in place`(
        said: String?, filename: String, type: String
    ) throws {
        #expect(try Self.type(of: Array("1,2".utf8), named: filename, said: said) == type)
    }

    @Test(
        arguments: [
            ("audio/mpeg", "x", "audio/mpeg"), ("image/x-new", "x", "image/x-new"), (nil, "x.mp3", "audio/mpeg"),
            ("image/png", "x", "application/octet-stream"), ("image/webp", "x.gif", "application/octet-stream"),
            ("video/mp4", "x.zip", "application/zip"), ("bad\r\nX: y", "x", "application/octet-stream"),
        ] as [(String?, String, String)])
    func `Bytes that tell nothing are what they are said to be, unless that would be told by them`(
        said: String?, filename: String, type: String
    ) throws {
        // A page in UTF-16.
        var bytes: [UInt8] = [0xFF, 0xFE]
        for unit in "<svg xmlns='http://www.w3.org/2000/svg'/>".utf8 { bytes += [unit, 0] }
        #expect(try Self.type(of: bytes, named: filename, said: said) == type)
    }

    private static func type(of bytes: [UInt8], named filename: String, said: String?) throws -> String? {
        let house = try AttachmentHouse()
        let made = try house.house.create(#"{"fields":{}}"#).rows[0].id
        let record = try #require(RecordID(made))
        let request = UploadAttachmentRequest(
            base: house.house.base, record: record, field: "Files", filename: filename, contentType: said)
        let receiver = try house.house.engine.receiver(for: request, limit: 100, as: house.house.owner)
        try receiver.take(bytes.span)
        _ = try house.house.engine.uploadAttachment(request, receiver, as: house.house.owner, idempotency: nil)
        return try house.items(record.description)[0]["type"]?.stringValue
    }
}
