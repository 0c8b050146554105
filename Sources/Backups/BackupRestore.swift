import Blobs
import Platform
import RowhouseModel
import SQLiteStorage

/// Makes a data folder of a backup.
package enum BackupRestore {
    /// What a folder that is being made has behind its name.
    package static let ending = ".restoring"
    private static let lockName = "rowhouse.lock"

    /// Verifies the backup, copies it beside `folder`, verifies the copy and gives it its name: there is nothing at
    /// `folder` until all of it is.
    package static func run(
        _ backup: String, to folder: String, log: @escaping @Sendable (String) -> Void, _ tell: BackupListener
    ) throws(BackupError) -> BackupManifest {
        let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        try checkFree(folder)
        let manifest = try BackupCheck.verify(backup, log: log, tell)
        let new = folder + ending
        let lock = try take(new)
        defer { lock.release() }
        do throws(BackupError) {
            try copy(backup, to: new, manifest, log, tell)
            try BackupCheck.verify(new, against: manifest, log: log, tell)
            try checkFree(folder)
        } catch {
            try? FolderTree.remove(new)
            throw error
        }
        let home = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? "."
        try onDisk(folder) { () throws(SystemCallError) in
            try FolderEntries.move(new, to: folder, in: home.isEmpty ? "/" : home)
        }
        return manifest
    }

    /// - Throws: unless there is nothing, or an empty folder.
    private static func checkFree(_ folder: String) throws(BackupError) {
        guard ReadFile.exists(folder) else { return }
        let names = try onDisk(folder) { () throws(SystemCallError) in try FolderEntries.names(in: folder) }
        guard !names.isEmpty else { return }
        if names.contains(lockName) {
            do throws(FolderLock.Failure) { try FolderLock(path: "\(folder)/\(lockName)").release() } catch {
                if case .held = error { throw BackupError(.busy, "\(folder) is in use by another process.") }
            }
        }
        throw BackupError(
            .refused, "\(folder) is not empty; a backup is restored into a new folder, and never over another.")
    }

    /// Makes the folder beside, or takes and empties one that was left; its lock is that of the data folder to be.
    private static func take(_ new: String) throws(BackupError) -> FolderLock {
        try onDisk(new) { () throws(SystemCallError) in _ = try PrivateFolder.make(new) }
        let names = try onDisk(new) { () throws(SystemCallError) in try FolderEntries.names(in: new) }
        let ours: Set = [lockName, BackupCheck.database, BackupCheck.database + "-journal", "files"]
        guard names.allSatisfy(ours.contains) else {
            throw BackupError(.refused, "\(new) is in the way and not a leftover of restoring.")
        }
        let lock: FolderLock
        do throws(FolderLock.Failure) { lock = try FolderLock(path: "\(new)/\(lockName)") } catch {
            switch error {
            case .held: throw BackupError(.busy, "\(new) is being restored by another process.")
            case .failed(let error): throw .file(new, SystemCallError(call: "open", code: error.number))
            }
        }
        for name in names where name != lockName {
            try onDisk(new) { () throws(SystemCallError) in try FolderTree.remove("\(new)/\(name)") }
        }
        return lock
    }

    private static func copy(
        _ backup: String, to new: String, _ manifest: BackupManifest, _ log: @escaping @Sendable (String) -> Void,
        _ tell: BackupListener
    ) throws(BackupError) {
        let database = "\(new)/\(BackupCheck.database)"
        var report = ProgressReport("Copying the database", of: manifest.database.size)
        _ = try HashedFile.copy("\(backup)/\(BackupCheck.database)", to: database) { (bytes) throws(BackupError) in
            try report.add(bytes, tell)
        }
        // What the copies are is found out when all of it is verified.
        let inspection = try BackupCheck.inspection(of: database, log)
        let missing = Set(manifest.missing)
        var folders: Set = ["\(new)/files"]
        report = ProgressReport("Copying files", of: manifest.files.bytes)
        try onDisk(new) { () throws(SystemCallError) in _ = try PrivateFolder.make("\(new)/files") }
        try BackupCheck.eachFile(inspection, new) { (hash, _) throws(BackupError) in
            if missing.contains(hash) { return }
            let home = "\(new)/files/\(hash.description.prefix(2))"
            if folders.insert(home).inserted {
                try onDisk(home) { () throws(SystemCallError) in _ = try PrivateFolder.make(home) }
            }
            let (from, to) = (Blobs.path(of: hash, in: backup), Blobs.path(of: hash, in: new))
            _ = try HashedFile.copy(from, to: to) { (bytes) throws(BackupError) in try report.add(bytes, tell) }
        }
        for folder in folders.sorted(by: >) + [new] {
            try onDisk(folder) { () throws(SystemCallError) in try FolderEntries.synchronize(folder) }
        }
    }
}
