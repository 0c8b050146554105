import CivilTime
import Glibc
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

/// The contents of the committed folder of schema 1, and how it was made.
enum FixtureFolder {
    private static let cells: [Cell] = [
        (0, .text("Tea 茶")), (1, .real(2.5)), (2, .integer(1)), (3, .integer(86_400_000)), (4, .integer(3)),
        (5, .text("[2,1]")), (6, .text(Sample.user.description)), (8, .text("{\"text\":\"9\"}")), (14, .real(4)),
    ]
    private static let time: Int64 = 1_750_000_000_000

    static func record(to path: String) throws {
        let folder = TestFolder()
        let store = try folder.open { $0.clock = { Instant(milliseconds: time) } }
        try store.makeSample(Sample.everyType)
        try store.add([[], cells] + (0..<600).map { [(0, .text("item \($0)"))] })
        try store.makeIndex([SortKey(field: 0, direction: .asc)])
        folder.close(store)
        let bytes = folder.bytes(of: "rowhouse.db")
        guard let file = fopen(path, "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    static func check(_ store: SQLiteStorage) throws {
        let table = try store.table()
        #expect(table.fields == Sample.everyType)
        #expect(store.users.users == [Sample.person])
        let ids = try store.walk([])
        #expect(ids.count == 602)
        let read = try #require(try store.cells(ids[1]))
        for cell in cells { #expect(read[cell.field] == cell.value) }
        #expect(read[9] == .integer(2))
        #expect(read[10] == .integer(time))
        let order = [SortKey(field: 0, direction: .asc)]
        #expect(try store.isImmediate(order))
        // The empty cell first, then the items by their numbers, then the tea.
        #expect(try store.walk(order) == [ids[0]] + ids[2...] + [ids[1]])
        #expect(try store.add([[]])[0] > ids[601])
    }

    /// A record of the old table goes and comes back.
    static func checkTrash(_ store: SQLiteStorage) throws {
        let ids = try store.walk([])
        let before = try ids.prefix(10).map { try store.cells($0) }
        try store.delete(Array(ids[1...7]))
        #expect(try store.cells(ids[3]) == nil)
        try store.restore(try store.trash())
        #expect(try store.walk([]) == ids)
        #expect(try ids.prefix(10).map { try store.cells($0) } == before)
    }

    /// A link field added to the old table works.
    static func checkLinks(_ store: SQLiteStorage) throws {
        let table = try store.table()
        let link = Sample.field(50, .multipleRecordLinks, LinkSample.link(to: table.id))
        try store.write { (writer) throws(APIError) in
            try writer.updateTable(table.changed(fields: table.fields + [link]))
        }
        let ids = try store.walk([])
        try store.setLinks(ids[3], table.fields.count, to: [ids[7], ids[2]])
        #expect(try store.links(ids[3], table.fields.count) == [ids[7], ids[2]])
    }
}

/// Set `RECORD_FIXTURES=1` to write the fixtures anew.
var isRecording: Bool { getenv("RECORD_FIXTURES") != nil }

func ownProcess() -> Int32 { getpid() }

func readFile(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
}
