import Glibc

/// Reads text files of the repository; the tests run from anywhere.
enum Repository {
    static let root: String = {
        var parts = #filePath.split(separator: "/").map(String.init)
        parts.removeLast(3)
        return "/" + parts.joined(separator: "/")
    }()

    static func text(_ path: String) throws -> String {
        guard let file = fopen(root + "/" + path, "r") else { throw MissingFile(path: path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { break }
            bytes.append(contentsOf: buffer[0..<count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Every file below a folder whose name has the ending, as paths from the root.
    static func files(in folder: String, ending: String) -> [String] {
        guard let directory = opendir(root + "/" + folder) else { return [] }
        defer { closedir(directory) }
        var found: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            let path = folder + "/" + name
            if entry.pointee.d_type == UInt8(DT_DIR) {
                found += files(in: path, ending: ending)
            } else if name.hasSuffix(ending) {
                found.append(path)
            }
        }
        return found.sorted()
    }

    static func exists(_ path: String) -> Bool { access(root + "/" + path, F_OK) == 0 }

    struct MissingFile: Error { let path: String }
}
