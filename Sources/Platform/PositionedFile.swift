import Glibc

/// A file that is read here and there, not from end to end.
package final class PositionedFile: Sendable {
    private let number: Int32
    /// In bytes, when it was opened.
    package let size: Int

    /// - Throws: what the system says; `EISDIR` and the like for what is no plain file.
    package init(_ path: String) throws(SystemCallError) {
        // Without waiting: a pipe by this name would hold the caller up.
        number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw .last("open") }
        var information = stat()
        guard fstat(number, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            close(number)
            throw SystemCallError(call: "open", code: EISDIR)
        }
        size = Int(information.st_size)
    }

    deinit { close(number) }

    /// Up to `count` bytes from `offset` on; fewer at the end of the file or when it cannot be read.
    package func bytes(at offset: Int, count: Int) -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let (position, overflow) = offset.addingReportingOverflow(filled)
                guard !overflow else { return }
                let read = pread(number, buffer.baseAddress.map { $0 + filled }, count - filled, position)
                if read < 0 && errno == EINTR { continue }
                guard read > 0 else { return }
                filled += read
            }
        }
    }
}
