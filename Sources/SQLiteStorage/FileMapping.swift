import CSQLite
import Glibc

/// The beginning of the database file in memory, to be read by all reading connections.
///
/// The mapping is longer than the file, and holds what the file grows by; nobody reads beyond the file's end. An error
/// of the disk while reading it ends the process, as it would with SQLite's own mapping.
final class FileMapping: @unchecked Sendable {
    // Safe to share: the base and the limit never change, and the size only by atomic operations in C.
    let pointer: UnsafeMutablePointer<rowhouse_mapping>
    let limit: Int

    /// Maps the file; nil when the system refuses. No connection of this process may be open on the file: closing
    /// the descriptor would take its locks away.
    init?(path: String, limit: Int) {
        guard limit > 0 else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let base = mmap(nil, limit, PROT_READ, MAP_SHARED, descriptor, 0)
        guard let base, base != MAP_FAILED else { return nil }
        self.limit = limit
        pointer = .allocate(capacity: 1)
        pointer.initialize(
            to: rowhouse_mapping(base: base.assumingMemoryBound(to: UInt8.self), limit: Int64(limit), size: 0))
    }

    deinit {
        munmap(pointer.pointee.base, limit)
        pointer.deallocate()
    }
}
