import CLinux
import Glibc

/// A plain file that is open: read here and there, or handed to another process.
package final class OpenFile: Sendable {
    let number: Int32
    /// In bytes, when it was opened.
    package let size: Int

    /// Opens a file for reading.
    ///
    /// - Throws: what the system says; `EISDIR` and the like for what is no plain file.
    package convenience init(_ path: String) throws(SystemCallError) {
        // Without waiting: a pipe by this name would hold the caller up.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw .last("open") }
        try self.init(taking: number)
    }

    /// Makes an empty file that nobody but its owner reads, in the place of what was there.
    package convenience init(replacing path: String) throws(SystemCallError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .last("unlink") }
        let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .last("open") }
        try self.init(taking: number)
    }

    /// Makes an empty file of memory, without a place on any disk.
    ///
    /// - Parameter name: what the system calls it where it lists what is open.
    package convenience init(inMemory name: String) throws(SystemCallError) {
        let number = linux_make_memory_file(name)
        guard number >= 0 else { throw .last("memfd_create") }
        try self.init(taking: number)
    }

    /// Takes a descriptor over; it is closed when it is no plain file.
    package init(taking number: Int32) throws(SystemCallError) {
        self.number = number
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

    /// Writes all that this file holds now into another, from where that stands on.
    package func copy(to other: OpenFile) throws(SystemCallError) {
        var offset = 0
        while true {
            let piece = bytes(at: offset, count: 1 << 18)
            guard !piece.isEmpty else { return }
            try other.append(piece)
            offset += piece.count
        }
    }

    private func append(_ bytes: [UInt8]) throws(SystemCallError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { write(number, $0.baseAddress.map { $0 + written }, $0.count - written) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .last("write") }
            written += count
        }
    }

    /// Waits until what was written is on the disk.
    package func synchronize() throws(SystemCallError) {
        guard fdatasync(number) == 0 else { throw .last("fdatasync") }
    }

    /// Lets the system forget what it holds of the file in memory, so that reading it again asks the disk.
    package func forgetPages() { posix_fadvise(number, 0, 0, POSIX_FADV_DONTNEED) }

    /// The descriptor, for as long as `body` runs.
    package func withDescriptor<Value, Failure: Error>(
        _ body: (Int32) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(number)
    }
}
