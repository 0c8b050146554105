package import CivilTime
import Platform

/// A folder that holds backups, of one data folder or of several.
package struct BackupPlace: Sendable {
    /// From the root and without links.
    package let path: String

    /// Holds whoever makes or removes backups there.
    private static let lockName = "rowhouse-backup.lock"

    /// Finds the place, or makes it when only its last folder is missing.
    ///
    /// - Throws: when it is within the data folder: what harms the one must not reach the other.
    package init(_ path: String, outside data: String) throws(BackupError) {
        let isNew: Bool
        do throws(SystemCallError) { isNew = try PrivateFolder.make(path) } catch { throw .file(path, error) }
        let place = try onDisk(path) { () throws(SystemCallError) in try FolderTree.canonical(path) }
        let data = try onDisk(data) { () throws(SystemCallError) in try FolderTree.canonical(data) }
        guard place != data, !place.hasPrefix(data == "/" ? data : data + "/") else {
            if isNew { try? FolderTree.remove(place) }
            throw BackupError(
                .refused, "\(path) is within the data folder; a backup belongs elsewhere, best on another disk.")
        }
        self.path = place
    }

    /// Takes the place; nobody else makes or removes backups there meanwhile.
    func lock() throws(BackupError) -> FolderLock {
        do throws(FolderLock.Failure) { return try FolderLock(path: "\(path)/\(Self.lockName)") } catch {
            switch error {
            case .held: throw BackupError(.busy, "Another backup is being made in \(path).")
            case .failed(let error): throw .file(path, SystemCallError(call: "open", code: error.number))
            }
        }
    }

    /// The backups there, the newest first; whether they are any good is not looked at.
    package func names() throws(BackupError) -> [BackupName] {
        let names = try onDisk(path) { () throws(SystemCallError) in try FolderEntries.names(in: path) }
        return names.compactMap { BackupName($0) }.sorted(by: >)
    }

    /// The backups of one folder, the newest first.
    package func backups(of folder: String) throws(BackupError) -> [(name: BackupName, time: Instant)] {
        try names().compactMap { name in
            guard let manifest = try? BackupManifest.read(of: "\(path)/\(name)"), manifest.folder == folder else {
                return nil
            }
            return (name, manifest.time)
        }
    }

    /// Removes what processes left that were cut off; the place must be locked.
    func removeParts() throws(BackupError) {
        let names = try onDisk(path) { () throws(SystemCallError) in try FolderEntries.names(in: path) }
        for name in names where BackupName.isPart(name) {
            let part = "\(path)/\(name)"
            try onDisk(part) { () throws(SystemCallError) in try FolderTree.remove(part) }
        }
    }

    /// Removes the oldest backups of a folder but for so many, at least one; the place must be locked.
    ///
    /// - Returns: those that were removed.
    func keep(_ count: Int, of folder: String) throws(BackupError) -> [BackupName] {
        let old = try backups(of: folder).dropFirst(max(1, count)).map(\.name)
        for name in old {
            let part = "\(path)/\(name)\(BackupName.partEnding)"
            try onDisk(part) { () throws(SystemCallError) in
                // What is half removed must not look whole.
                try FolderEntries.move("\(path)/\(name)", to: part, in: path)
                try FolderTree.remove(part)
            }
        }
        return old
    }
}
