import Blobs
import Platform
import RowhouseModel
import SQLiteStorage

/// Brings the files of attachments into a backup and reads each back: linked from an earlier backup where one has it, else
/// copied from the folder. A file of the folder itself is never linked, so that what befalls one does not befall the other.
struct FileCopier {
    private let data: String
    private let target: String
    /// Earlier backups that can be linked from, the newest first.
    private var earlier: [String]
    private var folders: Set<String> = []
    private var count = 0
    private var bytes = 0
    /// How many are linked.
    private(set) var shared = 0
    /// Those that the folder itself does not have as they should be.
    private(set) var missing: [FileHash] = []

    init(from data: String, to target: String, earlier: [String]) {
        self.data = data
        self.target = target
        self.earlier = earlier
    }

    var totals: BackupManifest.Totals { BackupManifest.Totals(count: count, bytes: bytes) }

    /// Brings all files that the database names; on the disk when this returns.
    mutating func copyAll(_ inspection: DatabaseInspection, _ tell: BackupListener) throws(BackupError) {
        let total = try inStore(target) { () throws(APIError) in try inspection.fileTotals().bytes }
        var report = ProgressReport("Copying files", of: total)
        let files = "\(target)/files"
        try makeFolder(files)
        try BackupCheck.eachFile(inspection, target) { (hash, _) throws(BackupError) in
            try bring(hash, &report, tell)
        }
        for folder in folders.sorted(by: >) {
            try onDisk(folder) { () throws(SystemCallError) in try FolderEntries.synchronize(folder) }
        }
    }

    private mutating func makeFolder(_ path: String) throws(BackupError) {
        guard folders.insert(path).inserted else { return }
        try onDisk(path) { () throws(SystemCallError) in _ = try PrivateFolder.make(path) }
    }

    private mutating func bring(
        _ hash: FileHash, _ report: inout ProgressReport, _ tell: BackupListener
    ) throws(BackupError) {
        let path = Blobs.path(of: hash, in: target)
        try makeFolder("\(target)/files/\(hash.description.prefix(2))")
        if try link(hash, to: path, &report, tell) {
            shared += 1
        } else if try !copy(hash, to: path, &report, tell) {
            missing.append(hash)
            return
        }
        count += 1
        bytes += FolderEntries.facts(of: path)?.size ?? 0
    }

    /// Whether an earlier backup had the file, unharmed.
    private mutating func link(
        _ hash: FileHash, to path: String, _ report: inout ProgressReport, _ tell: BackupListener
    ) throws(BackupError) -> Bool {
        for backup in earlier {
            do throws(SystemCallError) {
                try FolderEntries.link(Blobs.path(of: hash, in: backup), to: path)
            } catch {
                if error.isMissing { continue }
                // Disks without links, or a file with too many.
                return false
            }
            if try HashedFile.read(path, { (bytes) throws(BackupError) in try report.add(bytes, tell) }) == hash {
                return true
            }
            try onDisk(path) { () throws(SystemCallError) in try FolderEntries.remove(path) }
        }
        return false
    }

    /// Whether the folder had the file, unharmed.
    private func copy(
        _ hash: FileHash, to path: String, _ report: inout ProgressReport, _ tell: BackupListener
    ) throws(BackupError) -> Bool {
        let source = Blobs.path(of: hash, in: data)
        guard FolderEntries.facts(of: source) != nil else { return false }
        let read = try HashedFile.copy(source, to: path) { (bytes) throws(BackupError) in
            try report.add(bytes, tell)
        }
        guard read == hash else {
            try onDisk(path) { () throws(SystemCallError) in try FolderEntries.remove(path) }
            return false
        }
        guard try HashedFile.read(path, { _ in }) == hash else {
            throw BackupError(.inputOutput, "\(path) cannot be read as it was written.")
        }
        return true
    }
}
