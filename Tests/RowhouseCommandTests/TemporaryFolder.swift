import Glibc
import Platform

/// A folder that goes away with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/rowhouse-command-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemCallError(call: "mkdtemp", code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        _ = nftw(path, { name, _, _, _ in name.map { remove($0) } ?? 0 }, 16, Int32(FTW_DEPTH.rawValue | FTW_PHYS.rawValue))
    }

    func file(_ name: String, _ text: String) throws -> String { try file(name, bytes: Array(text.utf8)) }

    func file(_ name: String, bytes: [UInt8]) throws -> String {
        try ReadFile.create(path + "/" + name, holding: bytes)
        return path + "/" + name
    }
}
