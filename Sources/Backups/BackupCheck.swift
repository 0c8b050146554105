import Blobs
import Platform
import RowhouseModel
import SQLiteStorage

/// Finds out whether a backup is whole: every byte of it is read.
package enum BackupCheck {
    static let database = "rowhouse.db"

    /// Verifies the backup at `path` against its own manifest, which is returned.
    ///
    /// - Throws: when it is truncated, altered, not whole, or of a newer program.
    package static func verify(
        _ path: String, log: @escaping @Sendable (String) -> Void, _ tell: BackupListener
    ) throws(BackupError) -> BackupManifest {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard ReadFile.exists(path) else { throw BackupError(.refused, "There is no backup at \(path).") }
        guard !path.hasSuffix(BackupName.partEnding) else {
            throw BackupError(.refused, "\(path) is not whole: making it, or removing it, was cut off.")
        }
        let manifest = try BackupManifest.read(of: path)
        guard manifest.schema <= SQLiteStorage.schemaVersion else {
            throw BackupError(
                .refused, "\(path) was made by a newer version of the program (\(manifest.program)).")
        }
        try verify(path, against: manifest, log: log, tell)
        return manifest
    }

    /// Verifies what is in a folder against a manifest.
    static func verify(
        _ path: String, against manifest: BackupManifest, log: @escaping @Sendable (String) -> Void,
        _ tell: BackupListener
    ) throws(BackupError) {
        let database = "\(path)/\(database)"
        guard let facts = FolderEntries.facts(of: database) else {
            throw BackupError(.damaged, "\(path) is damaged: it lacks \(Self.database).")
        }
        var report = ProgressReport("Checking the database", of: facts.size)
        guard facts.size == manifest.database.size,
            try HashedFile.read(
                database,
                { (bytes) throws(BackupError) in
                    try report.add(bytes, tell)
                }) == manifest.database.hash
        else { throw altered(database) }
        let inspection = try inspection(of: database, log)
        guard try records(inspection, database, tell) == manifest.records else { throw altered(database) }
        let files = try verifyFiles(path, inspection, manifest, tell)
        guard files == manifest.files else { throw altered("\(path)/\(BackupManifest.name)") }
    }

    static func inspection(
        of database: String, _ log: @escaping @Sendable (String) -> Void
    ) throws(BackupError) -> DatabaseInspection {
        do throws(StorageOpenError) { return try DatabaseInspection.copy(database, log: log) } catch {
            throw BackupError(.damaged, "\(database): \(error)")
        }
    }

    /// Counts the records of every table and holds them against the counters, after SQLite's own check.
    static func records(
        _ inspection: DatabaseInspection, _ database: String, _ tell: BackupListener
    ) throws(BackupError) -> [TableID: Int] {
        let (faults, counts) = try asking(inspection, "Counting the records", database, tell) { () throws(APIError) in
            let faults = inspection.integrityFaults()
            return (faults, faults.isEmpty ? try inspection.recordCounts() : [])
        }
        if let fault = faults.first { throw BackupError(.damaged, "\(database) is damaged: \(fault)") }
        if let wrong = counts.first(where: { $0.counted != $0.kept }) {
            throw BackupError(
                .damaged,
                "\(database): the table \(wrong.name) has \(SizeText.count(wrong.counted, "record")), and its counter says \(SizeText.count(wrong.kept)); `rowhouse doctor` tells more."
            )
        }
        return Dictionary(counts.map { ($0.table, $0.counted) }) { first, _ in first }
    }

    /// Runs questions that may take long, telling that they are at work.
    static func asking<Value>(
        _ inspection: DatabaseInspection, _ what: String, _ database: String, _ tell: BackupListener,
        _ body: () throws(APIError) -> Value
    ) throws(BackupError) -> Value {
        var report = ProgressReport(what, of: 0)
        var ending: BackupError?
        let value: Value
        do throws(APIError) {
            value = try inspection.asking {
                do throws(BackupError) {
                    try report.set(0, tell)
                    return true
                } catch {
                    ending = error
                    return false
                }
            } _: { () throws(APIError) in
                try body()
            }
        } catch { throw ending ?? BackupError(.damaged, "\(database) is damaged; the log says what SQLite found.") }
        if let ending { throw ending }
        return value
    }

    private static func verifyFiles(
        _ path: String, _ inspection: DatabaseInspection, _ manifest: BackupManifest, _ tell: BackupListener
    ) throws(BackupError) -> BackupManifest.Totals {
        let missing = Set(manifest.missing)
        var report = ProgressReport("Checking files", of: manifest.files.bytes)
        var count = 0
        var bytes = 0
        try eachFile(inspection, path) { (hash, _) throws(BackupError) in
            if missing.contains(hash) { return }
            let file = Blobs.path(of: hash, in: path)
            guard let facts = FolderEntries.facts(of: file) else {
                throw BackupError(.damaged, "\(path) is damaged: it lacks the file \(hash).")
            }
            let read = try HashedFile.read(file) { (bytes) throws(BackupError) in try report.add(bytes, tell) }
            guard read == hash else { throw altered(file) }
            count += 1
            bytes += facts.size
        }
        return BackupManifest.Totals(count: count, bytes: bytes)
    }

    /// Walks through all files that the database names.
    static func eachFile(
        _ inspection: DatabaseInspection, _ path: String, _ body: (FileHash, Int) throws(BackupError) -> Void
    ) throws(BackupError) {
        var last: FileHash?
        while true {
            let files = try inStore(path) { () throws(APIError) in try inspection.files(after: last) }
            for (hash, size) in files { try body(hash, size) }
            guard let end = files.last?.hash else { return }
            last = end
        }
    }

    private static func altered(_ file: String) -> BackupError {
        BackupError(.damaged, "\(file) is damaged: the backup is truncated or was altered.")
    }
}
