import Glibc
import HTTPCore

/// A regular file that is open for reading.
struct OpenedFile: ~Copyable {
    let descriptor: Int32
    let size: Int
    let modified: HTTPDate

    /// Why a file cannot be sent, as the answer to it.
    struct Failure: Error {
        let response: Response
    }

    init(_ path: String) throws(Failure) {
        // A pipe in a file's place must not make the open wait.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw OpenedFile.failure(errno) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Failure(response: .notFound)
        }
        self.descriptor = descriptor
        size = Int(facts.st_size)
        modified = HTTPDate(seconds: facts.st_mtim.tv_sec)
    }

    deinit { close(descriptor) }

    /// Gives the descriptor away to someone who closes it.
    consuming func release() -> Int32 {
        let released = descriptor
        discard self
        return released
    }

    /// Asks the system to read what will be sent first, so that the event thread need not wait for the disk.
    func announce(_ range: Range<Int>) {
        posix_fadvise(descriptor, range.lowerBound, min(range.count, 1 << 20), POSIX_FADV_WILLNEED)
    }

    private static func failure(_ code: Int32) -> Failure {
        switch code {
        case ENOENT, ENOTDIR, ENAMETOOLONG, EISDIR, ELOOP: Failure(response: .notFound)
        case EMFILE, ENFILE, ENOMEM: Failure(response: .retriable)
        default: Failure(response: .serverError)
        }
    }
}
