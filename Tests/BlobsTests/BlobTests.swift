import Glibc
import Platform
import RowhouseModel
import Testing

@testable import Blobs

@Suite struct BlobTests {
    private let folder: TemporaryFolder
    private let blobs: Blobs

    /// The SHA-256 of `abc` (FIPS 180-2, appendix B.1).
    private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    init() throws {
        folder = try TemporaryFolder()
        blobs = try Blobs(in: folder.path) { _ in }
    }

    private func keep(_ pieces: [String], limit: Int = 100) throws -> Blob {
        let writer = try blobs.writer(limit: limit)
        for piece in pieces { try writer.take(Array(piece.utf8).span) }
        return try writer.finish()
    }

    private func temporary() throws -> [String] { try FolderEntries.names(in: folder.path + "/files/tmp") }

    @Test func `A file is kept under the hash of its bytes, in whatever pieces it comes`() throws {
        for pieces in [["abc"], ["a", "b", "c"], ["", "ab", "", "c"]] {
            let blob = try keep(pieces)
            #expect(blob.hash.description == Self.abc)
            #expect(blob.size == 3)
            #expect(blob.head == Array("abc".utf8))
        }
        let path = folder.path + "/files/ba/" + Self.abc
        #expect(try ReadFile.bytes(of: path, limit: 10) == Array("abc".utf8))
        #expect(try FolderEntries.names(in: folder.path + "/files/ba").count == 1)
        #expect(try temporary().isEmpty)
    }

    @Test func `A file that is too long is refused, and nothing stays`() throws {
        let writer = try blobs.writer(limit: 3)
        try writer.take(Array("abc".utf8).span)
        #expect(throws: APIError.fileTooLarge(3)) { try writer.take([0].span) }
        #expect(throws: APIError.fileTooLarge(3)) { _ = try keep(["abcd"], limit: 3) }
        #expect(try temporary().count == 1)
    }

    @Test func `What is never finished is removed, at the latest by the next start`() throws {
        do {
            let writer = try blobs.writer(limit: 3)
            try writer.take([1].span)
            #expect(try temporary().count == 1)
        }
        #expect(try temporary().isEmpty)
        try ReadFile.create(folder.path + "/files/tmp/left", holding: [1])
        _ = try Blobs(in: folder.path) { _ in }
        #expect(try temporary().isEmpty)
    }

    @Test func `Files leave room for the database: 64 MiB, or a quarter of a small disk`() throws {
        for (total, reserve) in [(1 << 40, 64 << 20), (40 << 20, 10 << 20)] {
            let free = Guarded(reserve + 3)
            let blobs = try Blobs(
                in: folder.path, space: { _ in FileSystemSpace(total: total, free: free.withLock { $0 }) },
                log: { _ in })
            let writer = try blobs.writer(limit: 100)
            try writer.take([1, 2, 3].span)
            #expect(throws: APIError.storageFull) { try writer.take([1, 2, 3, 4].span) }
            free.withLock { $0 = reserve - 1 }
            #expect(throws: APIError.storageFull) { try writer.take([1].span) }
            #expect(throws: APIError.storageFull) { _ = try blobs.writer(limit: 100) }
        }
        let space = try #require(FileSystemSpace(of: folder.path))
        #expect(space.free > 0 && space.free <= space.total)
        #expect(FileSystemSpace(of: folder.path + "/nowhere") == nil)
    }

    @Test func `Only files that nobody names and that are a day old are swept`() throws {
        let hash = try keep(["abc"]).hash
        let now = try #require(FolderEntries.facts(of: blobs.path(of: hash))?.modified)
        let day = 24 * 3600
        #expect(try blobs.sweep(now: now + day) { _ in false }.isEmpty)
        #expect(try blobs.sweep(now: now + day + 1) { _ in true }.isEmpty)
        #expect(FolderEntries.facts(of: blobs.path(of: hash)) != nil)
        #expect(try blobs.sweep(now: now + day + 1) { _ in false } == [hash])
        #expect(FolderEntries.facts(of: blobs.path(of: hash)) == nil)
    }

    @Test func `A file that comes again is young again`() throws {
        let hash = try keep(["abc"]).hash
        var old = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, blobs.path(of: hash), &old, 0) == 0)
        #expect(FolderEntries.facts(of: blobs.path(of: hash))?.modified == 1)
        _ = try keep(["abc"])
        let modified = try #require(FolderEntries.facts(of: blobs.path(of: hash))?.modified)
        #expect(modified > 1_000_000_000)
    }
}
