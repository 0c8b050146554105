import Cryptography
package import Platform
package import RowhouseModel

/// The files of a folder, each kept once under the SHA-256 of its bytes: `files/ab/<hash>`.
///
/// A file is written to `files/tmp`, brought to the disk and renamed; whoever names it in a transaction does so after
/// that. Files that nobody names are swept when they are a day old.
package final class Blobs: Sendable {
    private let folder: String
    private let temporary: String
    private let log: @Sendable (String) -> Void
    /// Held while a file is found to be there already, and while one is swept: how many want every file to stay.
    private let place = Guarded(0)

    private let space: @Sendable (String) -> FileSystemSpace?

    /// What files leave free on the disk for the database, in bytes; of a small disk a quarter.
    private static let reserve = 64 << 20
    /// How old a file must be that nobody names, in seconds.
    private static let shortestLife = 24 * 3600

    /// Opens the files of a data folder, and throws away what was never finished.
    ///
    /// - Parameters:
    ///   - space: tells the room on the disk of a folder.
    ///   - log: takes what callers only see as a failure of the server.
    package init(
        in data: String, space: @escaping @Sendable (String) -> FileSystemSpace? = { FileSystemSpace(of: $0) },
        log: @escaping @Sendable (String) -> Void
    ) throws(SystemCallError) {
        folder = data + "/files"
        temporary = folder + "/tmp"
        self.space = space
        self.log = log
        for path in [folder, temporary] { try PrivateFolder.make(path) }
        for name in try FolderEntries.names(in: temporary) { try FolderEntries.remove("\(temporary)/\(name)") }
    }

    /// Where the file with this hash is, if it is there.
    package func path(of hash: FileHash) -> String { "\(folder)/\(hash.description.prefix(2))/\(hash)" }

    /// Runs `body` while no file is swept: what an earlier moment names stays where it is.
    package func keepingAll<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        place.withLock { $0 += 1 }
        defer { place.withLock { $0 -= 1 } }
        return try body()
    }

    /// Begins a file of at most `limit` bytes.
    package func writer(limit: Int) throws(APIError) -> BlobWriter {
        try checkRoom(for: 0)
        let path = "\(temporary)/\(Hexadecimal.encode(RandomBytes.make(count: 16)))"
        do { return BlobWriter(try NewFile(path), in: self, limit: limit) } catch { throw failure(error, path) }
    }

    /// - Throws: 507 when so many bytes more would leave too little room for the database.
    func checkRoom(for count: Int) throws(APIError) {
        guard let space = space(temporary) else { return }
        guard space.free - min(Self.reserve, space.total / 4) >= count else { throw .storageFull }
    }

    /// Puts a finished file in its place; on the disk when this returns.
    func keep(_ path: String, as hash: FileHash) throws(APIError) {
        let target = self.path(of: hash)
        do {
            // A file that is swept now must not be taken for one that will stay.
            let isThere = try place.withLock { (_) throws(SystemCallError) in
                guard FolderEntries.facts(of: target) != nil else { return false }
                try FolderEntries.touch(target)
                return true
            }
            if isThere { return try FolderEntries.remove(path) }
            let home = "\(folder)/\(hash.description.prefix(2))"
            if try PrivateFolder.make(home) { try FolderEntries.synchronize(folder) }
            try FolderEntries.move(path, to: target, in: home)
        } catch {
            throw failure(error, target)
        }
    }

    func failure(_ error: SystemCallError, _ path: String) -> APIError {
        if error.isFull { return .storageFull }
        log("\(path): \(error.call): \(error.reason)")
        return .internalError
    }

    /// Removes files that are a day old and that nobody names.
    ///
    /// - Parameters:
    ///   - now: in seconds since 1970.
    ///   - isNamed: whether a file is still in use.
    /// - Returns: those that were removed.
    package func sweep(now: Int, isNamed: (FileHash) throws(APIError) -> Bool) throws(APIError) -> [FileHash] {
        var swept: [FileHash] = []
        for name in (try? FolderEntries.names(in: folder)) ?? [] where name.utf8.count == 2 {
            for file in (try? FolderEntries.names(in: "\(folder)/\(name)")) ?? [] {
                if let hash = FileHash(file), try sweep(hash, now, isNamed) { swept.append(hash) }
            }
        }
        return swept
    }

    private func sweep(
        _ hash: FileHash, _ now: Int, _ isNamed: (FileHash) throws(APIError) -> Bool
    ) throws(APIError) -> Bool {
        let path = path(of: hash)
        return try place.withLock { (wantAll) throws(APIError) in
            guard wantAll == 0, let facts = FolderEntries.facts(of: path), facts.modified < now - Self.shortestLife,
                try !isNamed(hash)
            else { return false }
            do throws(SystemCallError) { try FolderEntries.remove(path) } catch { throw failure(error, path) }
            return true
        }
    }
}
