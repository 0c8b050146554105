import Cryptography
import Platform
package import RowhouseModel

/// A file on its way into the folder, hashed as it comes; what is never finished is removed.
package final class BlobWriter: FileReceiver {
    /// What has come so far.
    private final class Progress {
        let file: NewFile
        var hash = SHA256()
        var size = 0
        var head: [UInt8] = []
        var finished: FileHash?

        init(_ file: consuming NewFile) { self.file = file }
    }

    private let path: String
    private let blobs: Blobs
    private let limit: Int
    private let progress: Guarded<Progress>

    /// How many bytes of the beginning are remembered, to tell what kind of file it is.
    private static let headLength = 1024

    init(_ file: consuming NewFile, in blobs: Blobs, limit: Int) {
        path = file.path
        self.blobs = blobs
        self.limit = limit
        progress = Guarded(Progress(file))
    }

    deinit {
        if progress.withLock({ $0.finished == nil }) { try? FolderEntries.remove(path) }
    }

    package func take(_ piece: borrowing Span<UInt8>) throws(APIError) {
        try progress.withLock { (progress) throws(APIError) in
            guard piece.count <= limit - progress.size else { throw .fileTooLarge(limit) }
            try blobs.checkRoom(for: piece.count)
            do throws(SystemCallError) { try progress.file.write(piece) } catch { throw blobs.failure(error, path) }
            progress.hash.update(piece)
            progress.size += piece.count
            let missing = min(piece.count, Self.headLength - progress.head.count)
            for index in 0..<max(0, missing) { progress.head.append(piece[index]) }
        }
    }

    /// Puts the file in its place; on the disk when this returns. A second call changes nothing.
    package func finish() throws(APIError) -> Blob {
        try progress.withLock { (progress) throws(APIError) in
            if progress.finished == nil { progress.finished = try finish(progress) }
            guard let hash = progress.finished else { throw .internalError }
            return Blob(hash: hash, size: progress.size, head: progress.head)
        }
    }

    private func finish(_ progress: Progress) throws(APIError) -> FileHash {
        do { try progress.file.synchronize() } catch { throw blobs.failure(error, path) }
        guard let hash = FileHash(bytes: progress.hash.finish()) else { throw .internalError }
        try blobs.keep(path, as: hash)
        return hash
    }
}

/// A file of the folder, as its writer knows it.
package struct Blob: Sendable {
    package let hash: FileHash
    /// In bytes.
    package let size: Int
    /// Its first bytes, up to 1,024.
    package let head: [UInt8]
}
