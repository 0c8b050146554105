import Blobs
import CivilTime
import Cryptography
import Glibc
import Platform
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

@testable import Backups

/// Backups of an empty store with attachments that no cell holds: what there is to copy, and no more.
@Suite struct BackupTests {
    private let folder: TemporaryFolder
    private let data: String
    private let place: String
    private let storage: SQLiteStorage
    private let blobs: Blobs
    private let clock = Guarded(Instant(milliseconds: 1_800_000_000_000))

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path + "/data"
        place = folder.path + "/place"
        storage = try SQLiteStorage(folder: data)
        blobs = try Blobs(in: data) { _ in }
    }

    private func writer() -> BackupWriter {
        let clock = clock
        return BackupWriter(
            storage: storage, blobs: blobs, data: data, program: "1.2.3",
            clock: { clock.withLock { $0 } }, log: { _ in })
    }

    private func make(keeping: Int? = nil) throws -> BackupSummary {
        try writer().make(in: place, keeping: keeping) { _ in }
    }

    private func pass(hours: Int64) { clock.withLock { $0 = $0.adding(milliseconds: hours * 3_600_000) } }

    /// Keeps a file and names it, as an upload does.
    private func attach(_ bytes: [UInt8]) throws -> FileHash {
        let writer = try blobs.writer(limit: 1 << 20)
        try writer.take(bytes.span)
        let blob = try writer.finish()
        let id = try #require(AttachmentID("att" + String(blob.hash.description.prefix(14))))
        let place = StoredAttachment.Place(
            base: try #require(BaseID("appAAAAAAAAAAAAAA")), table: try #require(TableID("tblAAAAAAAAAAAAAA")),
            field: try #require(FieldID("fldAAAAAAAAAAAAAA")), record: try #require(RecordID("recAAAAAAAAAAAAAA")))
        let user = try #require(UserID("usrAAAAAAAAAAAAAA"))
        let facts = FileFacts(hash: blob.hash, size: blob.size, type: "text/plain", dimensions: nil)
        try storage.write { (writer) throws(APIError) in
            try writer.insert(
                StoredAttachment(
                    attachment: Attachment(id: id, filename: "f", content: .file(facts)), place: place, user: user,
                    createdTime: writer.now))
        }
        return blob.hash
    }

    private func names() throws -> [String] {
        try FolderEntries.names(in: place).filter { $0 != "rowhouse-backup.lock" }.sorted()
    }

    private func inode(_ path: String) -> UInt64 {
        var information = stat()
        return stat(path, &information) == 0 ? UInt64(information.st_ino) : 0
    }

    @Test func `A backup holds the database, the files and what it says of them`() throws {
        let hash = try attach(Array("abc".utf8))
        let made = try make()
        #expect(made.path == "\(place)/rowhouse-2027-01-15T080000Z")
        #expect(made.manifest.files == .init(count: 1, bytes: 3))
        #expect(made.manifest.missing.isEmpty)
        #expect(made.manifest.schema == SQLiteStorage.schemaVersion)
        #expect(made.manifest.program == "1.2.3")
        #expect(made.lines.count == 2)
        #expect(try names() == ["rowhouse-2027-01-15T080000Z"])
        #expect(try FolderEntries.names(in: made.path).sorted() == ["files", "manifest.json", "rowhouse.db"])
        #expect(try ReadFile.bytes(of: Blobs.path(of: hash, in: made.path), limit: 10) == Array("abc".utf8))
        #expect(try BackupCheck.verify(made.path, log: { _ in }, { _ in }) == made.manifest)
        #expect(SQLiteStorage.integrity(folder: made.path).isEmpty)
    }

    @Test func `Files are shared among backups and never with the folder`() throws {
        let hash = try attach([1, 2, 3])
        let first = try make()
        let later = try attach([4])
        pass(hours: 1)
        let second = try make()
        #expect(first.sharedFiles == 0)
        #expect(second.sharedFiles == 1)
        let (mine, one, two) = (
            inode(blobs.path(of: hash)), inode(Blobs.path(of: hash, in: first.path)),
            inode(Blobs.path(of: hash, in: second.path))
        )
        #expect(one == two)
        #expect(mine != one)
        #expect(inode(Blobs.path(of: later, in: second.path)) != inode(blobs.path(of: later)))
    }

    @Test func `Two in one second have two names`() throws {
        #expect(try make().path.hasSuffix("080000Z"))
        #expect(try make().path.hasSuffix("080001Z"))
    }

    @Test(arguments: 1...4)
    func `So many are kept, the newest, and of others none is touched`(count: Int) throws {
        let stranger = "\(place)/rowhouse-2001-01-01T000000Z"
        try PrivateFolder.make(place)
        try PrivateFolder.make(stranger)
        for path in ["\(place)/notes.txt", "\(place)/rowhouse-2002-01-01T000000Z"] {
            try ReadFile.create(path, holding: [1])
        }
        var made: [String] = []
        for number in 1...6 {
            pass(hours: 24)
            let summary = try make(keeping: count)
            made.append(String(summary.path.dropFirst(place.utf8.count + 1)))
            #expect(summary.removed.count == (number > count ? 1 : 0))
        }
        let expected = made.suffix(count) + ["notes.txt", "rowhouse-2001-01-01T000000Z", "rowhouse-2002-01-01T000000Z"]
        #expect(try names() == expected.sorted())
        let known = try BackupPlace(place, outside: data).backups(of: writer().folderName)
        #expect(known.map(\.name.description) == made.suffix(count).reversed())
    }

    @Test func `Backups of another folder in the same place stay`() throws {
        let other = try SQLiteStorage(folder: folder.path + "/other")
        let otherBlobs = try Blobs(in: folder.path + "/other") { _ in }
        let theirs = try BackupWriter(
            storage: other, blobs: otherBlobs, data: folder.path + "/other", program: "1",
            clock: { Instant(milliseconds: 0) },
            log: { _ in }
        ).make(in: place) { _ in }
        for _ in 0..<3 {
            pass(hours: 1)
            _ = try make(keeping: 1)
        }
        #expect(try names().count == 2)
        #expect(ReadFile.exists(theirs.path))
    }

    @Test func `What was cut off is removed by the next`() throws {
        try PrivateFolder.make(place)
        let part = "\(place)/rowhouse-2026-11-30T175509Z.part"
        for path in [part, part + "/files", part + "/files/ab"] { try PrivateFolder.make(path) }
        try ReadFile.create(part + "/files/ab/x", holding: [1])
        try ReadFile.create("\(place)/mine.part", holding: [1])
        let made = try make()
        #expect(try names() == ["mine.part", String(made.path.dropFirst(place.utf8.count + 1))])
    }

    @Test func `A backup that is ended leaves nothing, whenever that is`() throws {
        for number in 0..<5 { _ = try attach([UInt8](repeating: UInt8(number), count: 3000)) }
        var steps = 0
        _ = try writer().make(in: place) { _ in steps += 1 }
        let whole = try names()
        #expect(steps >= 2)
        for last in 0..<steps {
            var step = 0
            let error = #expect(throws: BackupError.self) {
                try writer().make(in: place) { (_) throws(BackupError) in
                    if step == last { throw .stopped }
                    step += 1
                }
            }
            #expect(error?.kind == .stopped)
            #expect(try names() == whole)
        }
    }

    @Test func `A place within the folder is refused, by any name`() throws {
        symlink(data, folder.path + "/link")
        for path in [data, data + "/", data + "/x", data + "/files/y", folder.path + "/link/z", place + "/../data/w"] {
            try PrivateFolder.make(place)
            let error = #expect(throws: BackupError.self) { try writer().make(in: path) { _ in } }
            #expect(error?.kind == .refused, "\(path)")
        }
        #expect(throws: Never.self) { try writer().make(in: data + "-backups") { _ in } }
    }

    @Test func `A place where another backup is being made is refused`() throws {
        try PrivateFolder.make(place)
        let lock = try FolderLock(path: place + "/rowhouse-backup.lock")
        let error = #expect(throws: BackupError.self) { try make() }
        #expect(error?.kind == .busy)
        lock.release()
        #expect(throws: Never.self) { try make() }
    }

    @Test func `No file is swept while a backup is made`() throws {
        let orphan = try blobs.writer(limit: 10)
        try orphan.take([9].span)
        let hash = try orphan.finish().hash
        let later = Int(SystemClock.milliseconds() / 1000) + 3 * 86_400
        try blobs.keepingAll { () throws(APIError) in
            #expect(try blobs.sweep(now: later, isNamed: { _ in false }).isEmpty)
        }
        #expect(try blobs.sweep(now: later, isNamed: { _ in false }) == [hash])
    }

    @Test func `A backup is restored into a folder that is new or empty, and nowhere else`() throws {
        let hash = try attach([7, 8])
        let made = try make()
        for name in ["new", "empty"] {
            let target = "\(folder.path)/\(name)"
            if name == "empty" { try PrivateFolder.make(target) }
            #expect(try BackupRestore.run(made.path, to: target, log: { _ in }) { _ in } == made.manifest)
            #expect(try ReadFile.bytes(of: Blobs.path(of: hash, in: target), limit: 10) == [7, 8])
            let store = try SQLiteStorage(folder: target)
            #expect(store.secret == storage.secret)
            let busy = #expect(throws: BackupError.self) {
                try BackupRestore.run(made.path, to: target, log: { _ in }) { _ in }
            }
            #expect(busy?.kind == .busy)
            store.close()
            let full = #expect(throws: BackupError.self) {
                try BackupRestore.run(made.path, to: target, log: { _ in }) { _ in }
            }
            #expect(full?.kind == .refused)
        }
        let target = folder.path + "/third"
        try PrivateFolder.make(target + ".restoring")
        try ReadFile.create(target + ".restoring/letter.txt", holding: [1])
        #expect(throws: BackupError.self) { try BackupRestore.run(made.path, to: target, log: { _ in }) { _ in } }
        #expect(ReadFile.exists(target + ".restoring/letter.txt"))
        #expect(!ReadFile.exists(target))
    }

    @Test func `A folder of the first version is looked over as it is`() throws {
        let root = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
        let old = folder.path + "/old"
        try PrivateFolder.make(old)
        let bytes = try ReadFile.bytes(
            of: root + "/SQLiteStorageTests/Fixtures/folder-1/rowhouse.db", limit: 1 << 24)
        try ReadFile.create(old + "/rowhouse.db", holding: bytes)
        var lines: [String] = []
        do {
            let inspection = try DatabaseInspection.folder(old) { _ in }
            #expect(inspection.schemaVersion == 1)
            try FolderDoctor.examine(inspection, of: old, readsFiles: true, { _ in }) { lines.append($0.line) }
        }
        #expect(lines.count == 10)
        #expect(lines.allSatisfy { $0.hasPrefix("ok ") }, "\(lines)")
        #expect(try ReadFile.bytes(of: old + "/rowhouse.db", limit: 1 << 24) == bytes)
        #expect(try FolderEntries.names(in: old).sorted() == ["rowhouse.db", "rowhouse.lock"])
    }

    @Test func `The doctor finds a good folder good, open or closed`() throws {
        _ = try attach([1])
        var lines: [String] = []
        let open = try storage.inspection()
        try FolderDoctor.examine(open, of: data, readsFiles: true, { _ in }) { lines.append($0.line) }
        storage.close()
        let closed = try DatabaseInspection.folder(data) { _ in }
        #expect(throws: StorageOpenError.held(process: Int(getpid()))) { try SQLiteStorage(folder: data) }
        try FolderDoctor.examine(closed, of: data, readsFiles: false, { _ in }) { lines.append($0.line) }
        #expect(lines.count == 20)
        #expect(lines.allSatisfy { $0.hasPrefix("ok ") }, "\(lines)")
    }
}
