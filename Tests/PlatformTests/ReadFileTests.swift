import Glibc
import Platform
import Testing

@Suite struct ReadFileTests {
    let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    @Test func `A file reads back up to its limit`() throws {
        let path = temporary.path + "/f"
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try ReadFile.create(path, holding: bytes)
        #expect(try ReadFile.bytes(of: path, limit: 100_000) == bytes)
        #expect(throws: SystemCallError(call: "read", code: EFBIG)) { try ReadFile.bytes(of: path, limit: 99_999) }
        #expect(throws: SystemCallError(call: "open", code: EEXIST)) { try ReadFile.create(path, holding: []) }
    }

    @Test func `What is missing or a folder is told apart`() throws {
        let folder = temporary.path
        #expect(throws: SystemCallError(call: "open", code: ENOENT)) {
            try ReadFile.bytes(of: folder + "/no", limit: 1)
        }
        #expect(throws: SystemCallError(call: "read", code: EISDIR)) { try ReadFile.bytes(of: folder, limit: 1) }
        #expect(SystemCallError(call: "open", code: ENOENT).reason == "No such file or directory")
        #expect(SystemCallError(call: "open", code: ENOENT).isMissing)
        #expect(SystemCallError(call: "open", code: EACCES).isPermission)
    }

    @Test func `A private folder is made once, for its owner`() throws {
        let path = temporary.path + "/private"
        #expect(try PrivateFolder.make(path))
        #expect(!(try PrivateFolder.make(path)))
        #expect(!PrivateFolder.isOpenToOthers(path))
        #expect(chmod(path, 0o750) == 0)
        #expect(PrivateFolder.isOpenToOthers(path))
        #expect(throws: SystemCallError(call: "mkdir", code: ENOENT)) { try PrivateFolder.make(path + "/a/b") }
        try ReadFile.create(path + "/file", holding: [])
        #expect(throws: SystemCallError(call: "mkdir", code: ENOTDIR)) { try PrivateFolder.make(path + "/file") }
    }
}
