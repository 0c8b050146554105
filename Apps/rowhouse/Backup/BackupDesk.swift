import Backups
import Blobs
import CivilTime
import RowhouseModel
import SQLiteStorage
import Synchronization

/// Where the open folder is backed up and looked over: one backup at a time, whoever asks for it.
final class BackupDesk: Sendable {
    private let folder: DataFolder
    private let blobs: Blobs
    private let writer: BackupWriter
    private let isBusy = Atomic(false)
    private let isStopped = Atomic(false)

    init(_ folder: DataFolder, _ blobs: Blobs) {
        self.folder = folder
        self.blobs = blobs
        writer = BackupWriter(
            storage: folder.storage, blobs: blobs, data: folder.path, program: Version.text, clock: Wiring.clock,
            log: Wiring.log)
    }

    /// Makes a backup in the folder `place`.
    func make(in place: String, keeping: Int? = nil, _ tell: BackupListener) throws(BackupError) -> BackupSummary {
        guard isBusy.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged else {
            throw BackupError(.busy, "Another backup is being made.")
        }
        defer { isBusy.store(false, ordering: .releasing) }
        return try writer.make(in: place, keeping: keeping) { (progress) throws(BackupError) in
            try checkStopped()
            try tell(progress)
        }
    }

    /// When the backups of this folder in a place were made, the newest first.
    func times(in place: String) throws(BackupError) -> [Instant] {
        try BackupPlace(place, outside: folder.path).backups(of: writer.folderName).map(\.time)
    }

    /// Looks the folder over.
    func examine(
        readsFiles: Bool, _ tell: BackupListener, found: (FolderDoctor.Finding) throws(BackupError) -> Void
    ) throws(BackupError) {
        try blobs.keepingAll { () throws(BackupError) in
            let inspection: DatabaseInspection
            do throws(StorageOpenError) { inspection = try folder.storage.inspection() } catch {
                throw BackupError(.damaged, "\(folder.path): \(error)")
            }
            try FolderDoctor.examine(
                inspection, of: folder.path, readsFiles: readsFiles,
                { (progress) throws(BackupError) in
                    try checkStopped()
                    try tell(progress)
                }, found: found)
        }
    }

    /// Ends what is under way, and everything that begins later.
    func stop() { isStopped.store(true, ordering: .releasing) }

    private func checkStopped() throws(BackupError) {
        if isStopped.load(ordering: .acquiring) { throw .stopped }
    }
}
