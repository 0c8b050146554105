import Glibc
import HTTPCore

/// Answers with the file of a folder that the path names; paths below /later are answered by a worker.
struct FileHandler: RequestHandler {
    let folder: String
    var entityTag: String? = EntityTag.strong("a1b2")

    func handle(_ request: Request) -> Handling {
        let name = request.rawPath.split(separator: "/").last ?? ""
        var response = Response.file(
            FileBody(path: "\(folder)/\(name)", entityTag: entityTag), type: MediaType(rawValue: "text/x-test"))
        response.headers.append(("Cache-Control", "private"))
        let answer = response
        return request.rawPath.hasPrefix("/later") ? .later { answer } : .now(answer)
    }
}

/// A folder that goes away with its owner.
final class ScratchFolder {
    let path: String

    init() {
        var template = Array("/tmp/http-files-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    /// Writes a file, changed at a given second.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8], modified: Int = 784_111_777) -> String {
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            start += count
        }
        let time = timespec(tv_sec: modified, tv_nsec: 500_000_000)
        futimens(descriptor, [time, time])
        close(descriptor)
        return file
    }
}

/// Bytes that show it when pieces of them are lost or change places.
func pattern(_ count: Int) -> [UInt8] {
    // A prime length fits no piece that anyone reads or writes.
    let block = (0..<65_521).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += block.prefix(count - bytes.count) }
    return bytes
}
