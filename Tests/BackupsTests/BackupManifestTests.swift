import CivilTime
import Cryptography
import RowhouseJSON
import RowhouseModel
import Testing

@testable import Backups

@Suite struct BackupManifestTests {
    private func manifest(missing: [FileHash] = []) throws -> BackupManifest {
        let hash = try #require(FileHash(bytes: SHA256.hash([1])))
        return BackupManifest(
            program: "0.1.0", schema: 6, folder: "0123456789abcdef",
            time: try #require(Instant(iso8601: "2026-11-30T17:55:09.987Z")),
            database: .init(hash: hash, size: 40_960), files: .init(count: 2, bytes: 3_000_000_000), missing: missing,
            records: [
                try #require(TableID("tblAAAAAAAAAAAAAA")): 12, try #require(TableID("tblBBBBBBBBBBBBBB")): 0,
            ])
    }

    private func resealed(_ body: String) -> [UInt8] {
        let seal = Hexadecimal.encode(SHA256.hash(Array(body.utf8)))
        return Array((body + ",\n\"sha256\":\"\(seal)\"}\n").utf8)
    }

    @Test func `A manifest reads back`() throws {
        let missing = [try #require(FileHash(bytes: SHA256.hash([2])))]
        for manifest in [try manifest(), try manifest(missing: missing)] {
            #expect(try BackupManifest(manifest.bytes, path: "m") == manifest)
            #expect(manifest.recordCount == 12)
        }
    }

    @Test func `It is JSON that others can read, a member a line`() throws {
        let bytes = try manifest().bytes
        let object = try #require(JSONParser.parse(bytes).objectValue)
        #expect(
            object.keys == [
                "format", "program", "schema", "folder", "time", "database", "files", "missing", "records", "sha256",
            ])
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("{\n\"format\":1,\n\"program\":\"0.1.0\",\n"))
    }

    @Test func `Any one altered byte is found, and any that is missing`() throws {
        let bytes = try manifest().bytes
        for place in bytes.indices {
            for bit in 0..<8 {
                var altered = bytes
                altered[place] ^= 1 << UInt8(bit)
                #expect(throws: BackupError.self) { try BackupManifest(altered, path: "m") }
            }
            #expect(throws: BackupError.self) { try BackupManifest(Array(bytes[..<place]), path: "m") }
        }
        #expect(throws: BackupError.self) { try BackupManifest(bytes + [10], path: "m") }
    }

    @Test func `Another form is of a newer program, a wrong one of this form is damaged`() throws {
        let newer = try #require(throws: BackupError.self) {
            try BackupManifest(resealed("{\n\"format\":2,\n\"else\":[]"), path: "m")
        }
        #expect(newer.kind == .refused)
        #expect(newer.message == "m: the backup was made by a newer version of the program.")
        for body in ["{\n\"format\":1", "{\n\"format\":1,\n\"program\":1"] {
            let error = try #require(throws: BackupError.self) { try BackupManifest(resealed(body), path: "m") }
            #expect(error.kind == .damaged)
        }
    }

    @Test func `What a folder is called tells folders apart and nothing of the secret`() {
        let one = BackupManifest.folderName(secret: [1, 2, 3])
        #expect(one != BackupManifest.folderName(secret: [1, 2, 4]))
        #expect(one.utf8.count == 16)
    }
}
