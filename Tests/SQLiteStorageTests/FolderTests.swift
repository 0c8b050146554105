import Platform
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@Suite struct FolderTests {
    let folder = TestFolder()

    @Test func `A new folder and its files are for their owner alone`() throws {
        let store = try folder.open()
        #expect(folder.mode(of: "") == 0o700)
        for name in folder.files { #expect(folder.mode(of: name) == 0o600, "\(name)") }
        store.close()
        #expect(folder.files == ["rowhouse.db", "rowhouse.lock"])
    }

    @Test func `A folder in use is refused with the number of the process, and free after closing`() throws {
        let store = try folder.open()
        #expect(throws: StorageOpenError.held(process: Int(ownProcess()))) { try folder.open() }
        try store.makeSample([Sample.field(1, .singleLineText)])
        folder.close(store)
        #expect(throws: APIError.retriable) { try store.count() }
        #expect(throws: APIError.retriable) { try store.add([[]]) }
        let second = try folder.open()
        #expect(try second.count() == 0)
        folder.close(second)
    }

    @Test func `A folder of a later version, of another program or of no database is refused and left as it is`() throws
    {
        let store = try folder.open()
        folder.close(store)
        let good = folder.bytes(of: "rowhouse.db")
        for (offset, value, error) in [
            (63, UInt8(200), StorageOpenError.newerSchema(found: 200, known: SQLiteStorage.schemaVersion)),
            (68, 0, .foreign),
        ] {
            var bytes = good
            bytes[offset] = value
            folder.write(bytes, to: "rowhouse.db")
            #expect(throws: error) { try folder.open() }
            let isUntouched = folder.bytes(of: "rowhouse.db") == bytes
            #expect(isUntouched)
        }
        let text = Array("not a database, but long enough to have a header of one hundred bytes; ".utf8)
        folder.write(text + text + text, to: "rowhouse.db")
        #expect(throws: StorageOpenError.self) { try folder.open { $0.log = { _ in } } }
        let isUntouched = folder.bytes(of: "rowhouse.db") == text + text + text
        #expect(isUntouched)
        folder.write(good, to: "rowhouse.db")
        folder.close(try folder.open())
    }

    @Test func `A database cut short is refused as damaged and left as it is`() throws {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText)])
        folder.close(store)
        let cut = Array(folder.bytes(of: "rowhouse.db").dropLast(40_000))
        folder.write(cut, to: "rowhouse.db")
        let error = #expect(throws: StorageOpenError.self) { try folder.open { $0.log = { _ in } } }
        #expect(error?.description.contains("rowhouse.db cannot be read: it is damaged") == true)
        let isUntouched = folder.bytes(of: "rowhouse.db") == cut
        #expect(isUntouched)
    }

    @Test func `A step to a new schema copies the database first`() throws {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText)])
        try store.add([[(0, .text("kept"))]])
        folder.close(store)
        try SQLiteStorage.upgrade(folder: folder.path, adding: ["CREATE TABLE added (x INTEGER)", "DROP TABLE added"])
        let known = SQLiteStorage.schemaVersion
        let copy = "rowhouse.db.before-\(known + 1)"
        #expect(folder.files.contains(copy))
        #expect(folder.files.contains("rowhouse.db.before-\(known + 2)") == false)
        #expect(folder.mode(of: copy) == 0o600)
        #expect(SQLiteStorage.rows("PRAGMA user_version", folder: folder.path) == ["\(known + 2)"])
        #expect(SQLiteStorage.rows("PRAGMA user_version", folder: folder.path, file: copy) == ["\(known)"])
        #expect(throws: StorageOpenError.newerSchema(found: known + 2, known: known)) { try folder.open() }
    }

    @Test func `A step that fails leaves the folder at its schema`() throws {
        let store = try folder.open()
        try store.makeSample([Sample.field(1, .singleLineText)])
        let id = try store.add([[(0, .text("kept"))]])[0]
        folder.close(store)
        #expect(throws: StorageOpenError.self) {
            try SQLiteStorage.upgrade(
                folder: folder.path, adding: ["CREATE TABLE added (x INTEGER); DROP TABLE nothing"])
        }
        let again = try folder.open()
        #expect(try again.cells(id) == [.text("kept")])
        folder.close(again)
        #expect(SQLiteStorage.rows("SELECT name FROM sqlite_schema WHERE name = 'added'", folder: folder.path) == [])
    }

    @Test func `A full disk refuses writes whole, reads go on, and writes go on when there is room`() throws {
        let store = try folder.open {
            $0.pageLimit = 200
            $0.log = { _ in }
        }
        try store.makeSample([Sample.field(1, .singleLineText), Sample.field(2, .multilineText)])
        let table = try store.table()
        var ids: [RecordID] = []
        let big = StoredCell.text(String(repeating: "x", count: 20_000))
        var failure: APIError?
        while failure == nil, ids.count < 1000 {
            do throws(APIError) {
                ids += try store.write { (writer) throws(APIError) in
                    let records = (0..<3).map { _ in NewRecord(id: writer.newRecordID(), cells: [(1, big)]) }
                    try writer.insert(records, in: table, by: Sample.user)
                    return records.map(\.id)
                }
            } catch { failure = error }
        }
        #expect(failure == .storageFull)
        #expect(ids.count % 3 == 0 && ids.count > 10)
        #expect(try store.count() == ids.count)
        #expect(try store.walk([]) == ids)
        #expect(try store.cells(ids[0])?[1] == big)
        let errors = Guarded<[Int]>([])
        onThreads(6) { _ in
            do { _ = try store.add([[(1, big)], [(1, big)], [(1, big)]]) } catch {
                errors.withLock { $0.append((error as? APIError)?.status ?? 0) }
            }
        }
        #expect(errors.withLock { $0 } == Array(repeating: 507, count: 6))
        // What is deleted goes to the trash, which takes room too; small records fill what large ones left.
        #expect(throws: APIError.storageFull) {
            for _ in 0..<5_000 { ids += try store.add([[(1, .text("small"))]]) }
        }
        #expect(throws: APIError.storageFull) { try store.delete(Array(ids.prefix(9))) }
        #expect(try store.count() == ids.count)
        folder.close(store)
        let roomy = try folder.open { $0.pageLimit = 600 }
        #expect(try roomy.add([[(1, big)]]).count == 1)
        try roomy.delete(Array(ids.prefix(9)))
        #expect(try roomy.count() == ids.count - 8)
        folder.close(roomy)
    }

    /// `Fixtures/folder-1` is the folder as schema 1 wrote it; it is never written anew once released.
    @Test func `The first released folder opens and reads as it was written`() throws {
        let source = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let fixture = "/\(source)/Fixtures/folder-1/rowhouse.db"
        if isRecording { try FixtureFolder.record(to: fixture) }
        let bytes = readFile(fixture)
        try #require(bytes.count > 0)
        folder.write(bytes, to: "rowhouse.db")
        let store = try folder.open()
        #expect(folder.files.contains("rowhouse.db.before-2"))
        try FixtureFolder.check(store)
        try FixtureFolder.checkLinks(store)
        try FixtureFolder.checkTrash(store)
        folder.close(store)
    }
}
