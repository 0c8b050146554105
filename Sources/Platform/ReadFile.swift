import Glibc

/// Whole small files: settings, documents, markers.
package enum ReadFile {
    /// The bytes of a file.
    ///
    /// - Throws: what the system says; `EFBIG` for a file of more than `limit` bytes, `EISDIR` for a folder.
    package static func bytes(of path: String, limit: Int) throws(SystemCallError) -> [UInt8] {
        let file = try FileDescriptor(open(path, O_RDONLY | O_CLOEXEC), from: "open")
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(file.number, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .last("read")
            }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { throw SystemCallError(call: "read", code: EFBIG) }
            bytes.append(contentsOf: buffer[..<count])
        }
    }

    /// Whether there is a file or folder of this name.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Makes a file that must not exist yet, readable by its owner only, and waits until it is on the disk.
    package static func create(_ path: String, holding bytes: [UInt8]) throws(SystemCallError) {
        let file = try FileDescriptor(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600), from: "open")
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { write(file.number, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { throw .last("write") }
            start += max(0, count)
        }
        guard fsync(file.number) == 0 else { throw .last("fsync") }
    }
}
