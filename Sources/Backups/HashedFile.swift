import Cryptography
import Platform
import RowhouseModel

/// Reads and copies files and tells the SHA-256 of what was read.
enum HashedFile {
    /// How much is held in memory.
    private static let piece = 1 << 20

    /// What a file holds, read from the disk rather than from memory where the system lets us.
    static func read(_ path: String, _ took: (Int) throws(BackupError) -> Void) throws(BackupError) -> FileHash {
        let file = try onDisk(path) { () throws(SystemCallError) in try OpenFile(path) }
        file.forgetPages()
        defer { file.forgetPages() }
        return try pass(file, path) { (bytes) throws(BackupError) in try took(bytes.count) }
    }

    /// Copies a file to a name that must not exist yet; on the disk when this returns, its name not yet.
    static func copy(
        _ path: String, to new: String, _ took: (Int) throws(BackupError) -> Void
    ) throws(BackupError) -> FileHash {
        let file = try onDisk(path) { () throws(SystemCallError) in try OpenFile(path) }
        let target = try onDisk(new) { () throws(SystemCallError) in try NewFile(new) }
        let hash = try pass(file, path) { (bytes) throws(BackupError) in
            do throws(SystemCallError) { try target.write(bytes.span) } catch { throw .file(new, error) }
            try took(bytes.count)
        }
        do throws(SystemCallError) { try target.synchronize() } catch { throw .file(new, error) }
        return hash
    }

    private static func pass(
        _ file: OpenFile, _ path: String, _ take: ([UInt8]) throws(BackupError) -> Void
    ) throws(BackupError) -> FileHash {
        var hash = SHA256()
        var offset = 0
        while true {
            let bytes = file.bytes(at: offset, count: piece)
            if bytes.isEmpty { break }
            hash.update(bytes)
            try take(bytes)
            offset += bytes.count
        }
        guard offset == file.size, let name = FileHash(bytes: hash.finish()) else {
            throw BackupError(.inputOutput, "\(path) cannot be read to its end.")
        }
        return name
    }
}
