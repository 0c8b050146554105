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

struct AttachmentQueueTests {
    private static let page = #"{"fields":{"Files":[{"url":"http://a/x"},{"url":"http://a/y"}]}}"#

    @Test(arguments: ["record", "field", "table", "base"])
    func `What is in the trash is out of the queue, and comes as soon as it is restored`(deleted: String) throws {
        let house = try AttachmentHouse()
        for name in ["x", "y"] { house.put("http://a/\(name)", "abc") }
        let record = try house.house.create(Self.page).rows[0].id
        let tasks = try house.house.table()
        let (engine, owner, base) = (house.house.engine, house.house.owner, house.house.base)
        switch deleted {
        case "record": try house.house.delete([record])
        case "field": try house.house.deleteField(house.files, in: "Tasks")
        case "table": try house.house.deleteTable("Tasks")
        default: _ = try engine.deleteBase(base, as: owner, idempotency: nil)
        }
        house.fetcher?.start()
        try house.wait { try house.isQueueEmpty() }
        #expect(house.shelf.state.withLock(\.asked).isEmpty)
        switch deleted {
        case "record": try house.house.restore(record)
        case "field": try house.house.restore(house.files.id.description)
        case "table": try house.house.restore(tasks.id.description)
        default: _ = try engine.restore(.base(base), in: nil, as: owner, idempotency: nil)
        }
        try house.wait { try house.items(record).allSatisfy { $0["size"] == 3 } }
        #expect(try house.items(record).count == 2)
    }

    @Test func `What was taken out before it came is fetched when its id is back`() throws {
        let house = try AttachmentHouse()
        house.put("http://a/x", "abc")
        let record = try house.house.create(#"{"fields":{"Files":[{"url":"http://a/x"}]}}"#).rows[0].id
        let id = try #require(try house.items(record)[0]["id"]?.stringValue)
        _ = try house.house.updateOne(record, #"{"fields":{"Files":[]}}"#)
        house.fetcher?.start()
        try house.wait { try house.isQueueEmpty() }
        #expect(house.shelf.state.withLock(\.asked).isEmpty)
        _ = try house.house.updateOne(record, "{\"fields\":{\"Files\":[{\"id\":\"\(id)\"}]}}")
        try house.wait { try house.items(record).first?["size"] == 3 }
    }

    @Test func `The sweep wakes what is back in its cell`() throws {
        let house = try AttachmentHouse()
        house.put("http://a/x", "abc")
        let record = try house.house.create(#"{"fields":{"Files":[{"url":"http://a/x"}]}}"#).rows[0].id
        let id = try #require(try house.items(record)[0]["id"]?.stringValue.flatMap { AttachmentID($0) })
        try house.house.storage.write { (writer) throws(APIError) in
            guard var stored = try writer.attachment(id) else { throw .internalError }
            stored.dueTime = nil
            try writer.update(stored)
        }
        #expect(try house.isQueueEmpty())
        var sweep = AttachmentSweep()
        while try !sweep.step(house.house.engine) {}
        house.fetcher?.start()
        try house.wait { try house.items(record).first?["size"] == 3 }
    }

    @Test func `One base with many slow files keeps no other base out`() throws {
        let house = try AttachmentHouse()
        house.shelf.state.withLock { $0.dripping = "http://slow" }
        house.put("http://a/x", "abc")
        let (first, second) = (try house.makeBase(), try house.makeBase())
        _ = try house.attach((0..<8).map { "http://slow\($0).test/x" }, in: first)
        house.fetcher?.start()
        try house.wait { house.shelf.state.withLock { $0.drips == 3 } }
        let other = try house.attach(["http://a/x"], in: second)
        try house.wait { try house.attached(to: other, in: second)[0].isHere }
        #expect(house.shelf.state.withLock(\.drips) == 3)
    }

    @Test func `A slow server keeps neither its base nor another one out`() throws {
        let house = try AttachmentHouse()
        house.shelf.state.withLock { $0.dripping = "http://slow" }
        house.put("http://a/x", "abc")
        let (first, second) = (try house.makeBase(), try house.makeBase())
        let urls = (0..<4).map { "http://slow.test/\($0)" } + ["http://a/x"]
        let record = try house.attach(urls, in: first)
        house.fetcher?.start()
        try house.wait { try house.attached(to: record, in: first)[4].isHere }
        // The same server by another base, in capitals too.
        let other = try house.attach(["HTTP://SLOW.test/y", "http://a/x"], in: second)
        try house.wait { try house.attached(to: other, in: second)[1].isHere }
        #expect(house.shelf.state.withLock(\.drips) == 2)
    }

    @Test func `Slow files make way for another one of their base`() throws {
        var pace = AttachmentFetcher.Pace()
        pace.patience = 50
        let house = try AttachmentHouse(pace: pace)
        house.shelf.state.withLock { $0.dripping = "http://slow" }
        house.put("http://a/x", "abc")
        let base = try house.makeBase()
        let slow = try house.attach((0..<3).map { "http://slow\($0).test/x" }, in: base)
        house.fetcher?.start()
        try house.wait { house.shelf.state.withLock { $0.drips == 3 } }
        let record = try house.attach(["http://a/x"], in: base)
        try house.wait { try house.attached(to: record, in: base)[0].isHere }
        #expect(try house.attached(to: slow, in: base).count == 3)
    }

    @Test func `A slow file makes way when others wait, and is tried again later`() throws {
        var pace = AttachmentFetcher.Pace()
        pace.patience = 50
        let house = try AttachmentHouse(pace: pace)
        house.shelf.state.withLock { $0.dripping = "http://slow" }
        house.put("http://a/x", "abc")
        let slow = try (0..<4).map { number in
            let base = try house.makeBase()
            return (base, try house.attach(["http://slow\(number).test/x"], in: base))
        }
        house.fetcher?.start()
        try house.wait { house.shelf.state.withLock { $0.drips == 4 } }
        _ = Semaphore().wait(milliseconds: 150)
        // As slow as they like while nobody waits.
        #expect(house.shelf.state.withLock(\.asked.count) == 4)
        let base = try house.makeBase()
        let other = try house.attach(["http://a/x"], in: base)
        try house.wait { try house.attached(to: other, in: base)[0].isHere }
        for (base, record) in slow { #expect(try house.attached(to: record, in: base).count == 1) }
        let asked = house.shelf.state.withLock(\.asked.count)
        house.hands.move(minutes: 2)
        _ = try house.attach(["http://a/x"], in: base)
        try house.wait { house.shelf.state.withLock { $0.asked.count > asked + 1 } }
    }

    @Test func `What finds no room is tried again ever more seldom, and given up after five times`() throws {
        let house = try AttachmentHouse()
        try house.open(space: FileSystemSpace(total: 1 << 30, free: 1 << 20))
        house.put("http://a/x", "abc")
        let record = try house.house.create(#"{"fields":{"Files":[{"url":"http://a/x"}]}}"#).rows[0].id
        let id = try #require(try house.items(record)[0]["id"]?.stringValue.flatMap { AttachmentID($0) })
        func stored() throws -> StoredAttachment? {
            try house.house.storage.read { (reader) throws(APIError) in try reader.attachment(id) }
        }
        house.fetcher?.start()
        for (tries, minutes) in [(1, 1), (2, 4), (3, 16), (4, 64)] as [(Int, Int64)] {
            try house.wait { try stored()?.tries == tries }
            let due = try #require(try stored()?.dueTime)
            #expect(due.milliseconds == house.hands.now.milliseconds + minutes * 60_000)
            house.hands.move(minutes: minutes)
            _ = try house.house.create(#"{"fields":{"Files":[{"url":"http://a/none"}]}}"#)
        }
        try house.wait { try house.items(record).isEmpty }
        #expect(house.shelf.state.withLock(\.asked).isEmpty)
    }

    @Test func `A stop waits for no cell that cannot be written, whose file comes after the next start`() throws {
        let house = try AttachmentHouse()
        house.put("http://a/x", "abc")
        let record = try house.house.create(#"{"fields":{"Files":[{"url":"http://a/x"}]}}"#).rows[0].id
        let storage = CountingStorage(house.house.storage)
        storage.isFull.withLock { $0 = true }
        let (lines, isOver, hands) = (Guarded<[String]>([]), Guarded(false), house.hands)
        let fetcher = AttachmentFetcher(
            storage: storage, blobs: try Blobs(in: house.house.folder) { _ in }, remote: house.shelf, images: nil,
            clock: { hands.now }, log: { line in lines.withLock { $0.append(line) } })
        fetcher.start()
        try house.wait { lines.withLock { $0.contains { $0.hasPrefix("attachments of record") } } }
        let thread = OwnThread(name: "stop") {
            fetcher.stop()
            isOver.withLock { $0 = true }
        }
        try house.wait { isOver.withLock { $0 } }
        thread?.join()
        #expect(try house.items(record)[0]["size"] == nil)
        try house.open()
        house.fetcher?.start()
        try house.wait { try house.items(record)[0]["size"] == 3 }
    }

    @Test func `What ends for one cell is few writes, and the log holds each item once`() throws {
        let house = try AttachmentHouse()
        house.put("http://a/x", "abc")
        let long = String(repeating: "a", count: 2_000)
        // After all that the house was made of.
        house.hands.move(minutes: 1)
        let urls = (0..<300).map { "{\"url\":\"http://\($0 % 2 == 0 ? "a/x" : "b/\(long)")\"}" }
        let record = try house.house.create("{\"fields\":{\"Files\":[\(urls.joined(separator: ","))]}}").rows[0].id
        house.fetcher?.start()
        try house.wait { try house.isQueueEmpty() }
        #expect(try house.items(record).map { $0["size"] } == Array(repeating: 3, count: 150))
        let settled = try house.house.changes().filter { $0.kind == "settleAttachments" }
        #expect(settled.count < 100)
        var items = 0
        var length = 0
        for change in settled {
            length += JSONValue.object(change.payload).bytes.count
            let cells = change.payload["records"]?.arrayValue?.first?.objectValue?["cells"]?.objectValue
            let before = try #require(cells?[house.files.id.description]?.arrayValue?.first?.stringValue)
            items += (RowhouseModel.Attachment.list(Array(before.utf8)) ?? []).count
        }
        #expect(items == 300)
        // Each item once before, and half of them once after.
        #expect(length < 300 * 500 + 150 * 2_500)
        #expect(try house.house.history(record).map(\.kind) == [.create])
    }

    @Test func `The bytes of a cell have a bound, which the refusal tells`() throws {
        let house = try AttachmentHouse()
        let long = String(repeating: "a", count: 8_000)
        func body(_ count: Int) -> String {
            let urls = (0..<count).map { "{\"url\":\"http://a/\($0)/\(long)\"}" }
            return "{\"fields\":{\"Files\":[\(urls.joined(separator: ","))]}}"
        }
        let record = try house.house.create(body(120)).rows[0].id
        let refusal = failure { _ = try house.house.create(body(140)) }
        #expect(refusal?.status == 422)
        #expect(refusal?.message?.contains("take more than 1048576 bytes") == true)
        #expect(failure { _ = try house.house.updateOne(record, body(140)) } == refusal)
        #expect(try house.items(record).count == 120)
    }

    @Test func `An address that nobody fetches from is told at once`() throws {
        let house = try AttachmentHouse()
        house.shelf.state.withLock { $0.refused = "http://10." }
        let made = try house.house.create(#"{"fields":{"Files":[{"url":"http://10.0.0.1/x"},{"url":"http://a/x"}]}}"#)
        #expect(made.rows[0]["Files"]?.arrayValue?.count == 1)
        #expect(made.json["details"]?.objectValue?["reasons"]?.arrayValue == [.string("attachmentsFailedUploading")])
    }
}
