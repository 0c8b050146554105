import Glibc

/// A file that is being written, under a name of its own until it is whole.
package struct NewFile: ~Copyable {
    private let file: FileDescriptor
    /// Where it is written.
    package let path: String

    /// Makes a file that must not exist yet, readable by its owner only.
    package init(_ path: String) throws(SystemCallError) {
        file = try FileDescriptor(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600), from: "open")
        self.path = path
    }

    /// Appends bytes.
    package func write(_ bytes: borrowing Span<UInt8>) throws(SystemCallError) {
        var start = 0
        while start < bytes.count {
            let rest = bytes.extracting(start..<bytes.count)
            let count = rest.withUnsafeBufferPointer { Glibc.write(file.number, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { throw .last("write") }
            start += max(0, count)
        }
    }

    /// Waits until all of it is on the disk.
    package func synchronize() throws(SystemCallError) {
        guard fsync(file.number) == 0 else { throw .last("fsync") }
    }
}
