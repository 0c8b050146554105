import Glibc
import Platform

/// A folder that goes away with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/rowhouse-backups-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemCallError(call: "mkdtemp", code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    func file(_ name: String, bytes: [UInt8]) throws -> String {
        try ReadFile.create(path + "/" + name, holding: bytes)
        return path + "/" + name
    }

    private static func remove(_ path: String) {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != "." && name != ".." { remove(path + "/" + name) }
            }
            closedir(folder)
        }
        _ = Glibc.remove(path)
    }
}
