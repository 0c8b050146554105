import Glibc
import Synchronization

/// The right to be the one process that uses a folder: held until released or until the process ends, however it ends.
package final class FolderLock: Sendable {
    /// Why a folder could not be locked.
    package enum Failure: Error, Sendable, Equatable {
        /// Another process holds it; its number when it could be read.
        case held(process: Int?)
        case failed(FileError)
    }

    private let descriptor: Atomic<Int32>

    /// Takes the lock on the file at `path`, which is made with mode 0600 when missing.
    package init(path: String) throws(Failure) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .failed(FileError("open \(path)")) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let failure = FileError("lock \(path)")
            defer { close(descriptor) }
            throw failure.number == EWOULDBLOCK ? .held(process: Self.holder(descriptor)) : .failed(failure)
        }
        self.descriptor = Atomic(descriptor)
        let text = "\(getpid())\n"
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.utf8.count, 0) }
    }

    deinit { release() }

    /// Gives the folder back.
    package func release() {
        let descriptor = descriptor.exchange(-1, ordering: .acquiringAndReleasing)
        if descriptor >= 0 { close(descriptor) }
    }

    private static func holder(_ descriptor: Int32) -> Int? {
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int(String(decoding: bytes.prefix(count).prefix { $0 != 10 }, as: UTF8.self))
    }
}
