package import Blobs
package import CivilTime
import Platform
import RowhouseModel
package import SQLiteStorage

/// Makes backups of an open folder while others read and write.
package struct BackupWriter: Sendable {
    private let storage: SQLiteStorage
    private let blobs: Blobs
    private let data: String
    private let program: String
    private let clock: @Sendable () -> Instant
    private let log: @Sendable (String) -> Void

    /// - Parameter program: the version of the program, for the manifest.
    package init(
        storage: SQLiteStorage, blobs: Blobs, data: String, program: String, clock: @escaping @Sendable () -> Instant,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.storage = storage
        self.blobs = blobs
        self.data = data
        self.program = program
        self.clock = clock
        self.log = log
    }

    /// What the folder is called in manifests.
    package var folderName: String { BackupManifest.folderName(secret: storage.secret) }

    /// Makes a backup in the folder `place` and verifies it; nothing is left there when that does not come to its end.
    ///
    /// - Parameter keeping: how many backups of this folder then stay, the oldest going; nil for all.
    package func make(
        in place: String, keeping: Int? = nil, _ tell: BackupListener
    ) throws(BackupError) -> BackupSummary {
        let place = try BackupPlace(place, outside: data)
        let lock = try place.lock()
        defer { lock.release() }
        try place.removeParts()
        let earlier = try place.names()
        let (name, time) = freeName(earlier)
        let path = "\(place.path)/\(name)"
        let part = path + BackupName.partEnding
        let made: Made
        do throws(BackupError) {
            made = try write(part, time, earlier.map { "\(place.path)/\($0)" }, tell)
            try onDisk(path) { () throws(SystemCallError) in
                try FolderEntries.move(part, to: path, in: place.path)
            }
        } catch {
            try? FolderTree.remove(part)
            throw error
        }
        let removed = try keeping.map { (count) throws(BackupError) in try place.keep(count, of: folderName) } ?? []
        return BackupSummary(path: path, manifest: made.manifest, sharedFiles: made.shared, removed: removed)
    }

    private func freeName(_ taken: [BackupName]) -> (BackupName, Instant) {
        var time = clock()
        while taken.contains(BackupName(time)) { time = time.adding(milliseconds: 1000) }
        return (BackupName(time), time)
    }

    private struct Made {
        let manifest: BackupManifest
        let shared: Int
    }

    private func write(
        _ part: String, _ time: Instant, _ earlier: [String], _ tell: BackupListener
    ) throws(BackupError) -> Made {
        try onDisk(part) { () throws(SystemCallError) in _ = try PrivateFolder.make(part) }
        let database = "\(part)/\(BackupCheck.database)"
        // Files that this moment names must stay where they are until they are copied.
        let (inspection, files) = try blobs.keepingAll { () throws(BackupError) in
            try copyDatabase(to: database, tell)
            let inspection = try BackupCheck.inspection(of: database, log)
            var files = FileCopier(from: data, to: part, earlier: earlier)
            try files.copyAll(inspection, tell)
            return (inspection, files)
        }
        let size = FolderEntries.facts(of: database)?.size ?? 0
        var report = ProgressReport("Checking the database", of: size)
        let hash = try HashedFile.read(database) { (bytes) throws(BackupError) in try report.add(bytes, tell) }
        let manifest = BackupManifest(
            program: program, schema: inspection.schemaVersion, folder: folderName, time: time,
            database: BackupManifest.Database(hash: hash, size: size), files: files.totals, missing: files.missing,
            records: try BackupCheck.records(inspection, database, tell))
        try onDisk(part) { () throws(SystemCallError) in
            try ReadFile.create("\(part)/\(BackupManifest.name)", holding: manifest.bytes)
            try FolderEntries.synchronize(part)
        }
        guard try BackupManifest.read(of: part) == manifest else {
            throw BackupError(.inputOutput, "\(part) cannot be read as it was written.")
        }
        return Made(manifest: manifest, shared: files.shared)
    }

    private func copyDatabase(to database: String, _ tell: BackupListener) throws(BackupError) {
        var report = ProgressReport("Copying the database", of: 0)
        var ending = BackupError.stopped
        let isWhole = try inStore(database) { () throws(APIError) in
            try storage.snapshot(to: database) { done, total in
                do throws(BackupError) {
                    report.total = total
                    try report.set(done, tell)
                    return true
                } catch {
                    ending = error
                    return false
                }
            }
        }
        guard isWhole else { throw ending }
    }
}

/// What came of making a backup.
package struct BackupSummary: Sendable, Equatable {
    package let path: String
    package let manifest: BackupManifest
    /// How many files take no room of their own, because an earlier backup has them.
    package let sharedFiles: Int
    /// Backups that had their time.
    package let removed: [BackupName]

    package init(path: String, manifest: BackupManifest, sharedFiles: Int, removed: [BackupName]) {
        self.path = path
        self.manifest = manifest
        self.sharedFiles = sharedFiles
        self.removed = removed
    }

    /// For a person: what the backup holds, and what it lacks.
    package var lines: [String] {
        let records = SizeText.count(manifest.recordCount, "record")
        let tables = SizeText.count(manifest.records.count, "table")
        var text = "\(records) in \(tables), \(SizeText.bytes(manifest.database.size)); "
        text += "\(SizeText.count(manifest.files.count, "file")), \(SizeText.bytes(manifest.files.bytes))"
        if sharedFiles > 0 { text += ", \(SizeText.count(sharedFiles)) of them shared with earlier backups" }
        var lines = [path, text + "; verified."]
        if !manifest.missing.isEmpty {
            lines.append(
                "Attention: \(SizeText.count(manifest.missing.count, "file")) that attachments name cannot be read in the data folder; `rowhouse doctor` tells which."
            )
        }
        return lines
    }
}
