import Backups
import SQLiteStorage

extension Office {
    func backUp(to place: String, _ tell: AdminListener) throws(CommandError) -> [String] {
        do throws(BackupError) {
            return try backups.make(in: place) { (progress) throws(BackupError) in
                try BackupTelling.tell(progress, to: tell)
            }.lines
        } catch { throw .backup(error) }
    }

    /// Tells what is found line by line.
    ///
    /// - Throws: when something needs attention.
    func examine(readsFiles: Bool, _ tell: AdminListener) throws(CommandError) -> [String] {
        try FolderExamination.run(tell) { (progress, found) throws(BackupError) in
            try backups.examine(readsFiles: readsFiles, progress, found: found)
        }
    }
}

/// `rowhouse doctor`, in whichever process holds the folder.
enum FolderExamination {
    typealias Listener = (FolderDoctor.Finding) throws(BackupError) -> Void

    /// Looks a free folder over; nil when another process holds it.
    static func run(
        _ path: String, readsFiles: Bool, _ tell: AdminListener
    ) throws(CommandError) -> AdminAnswer? {
        let inspection: DatabaseInspection
        do throws(StorageOpenError) { inspection = try DatabaseInspection.folder(path, log: Wiring.log) } catch {
            if case .held = error { return nil }
            throw CommandError(.failure, "\(path): \(error)")
        }
        return .done(
            try run(tell) { (progress, found) throws(BackupError) in
                try FolderDoctor.examine(inspection, of: path, readsFiles: readsFiles, progress, found: found)
            })
    }

    static func run(
        _ tell: AdminListener, _ examine: (BackupListener, Listener) throws(BackupError) -> Void
    ) throws(CommandError) -> [String] {
        var looks = 0
        var faults = 0
        do throws(BackupError) {
            try withoutActuallyEscaping(tell) { (tell) throws(BackupError) in
                try examine(
                    { (progress) throws(BackupError) in try BackupTelling.tell(progress, to: tell) },
                    { (finding) throws(BackupError) in
                        looks += 1
                        if !finding.isFine { faults += 1 }
                        try BackupTelling.tell(.text(finding.line + "\n"), to: tell)
                    })
            }
        } catch { throw .backup(error) }
        guard faults == 0 else { throw CommandError(.failure, "\(faults) of \(looks) things need attention.") }
        return []
    }
}

/// Hands on to whoever gave a command; when nobody takes it any more, the work ends.
enum BackupTelling {
    static func tell(_ progress: BackupProgress, to listener: AdminListener) throws(BackupError) {
        try tell(.progress(done: progress.done, of: progress.total, what: progress.what, unit: .bytes), to: listener)
    }

    static func tell(_ event: AdminEvent, to listener: AdminListener) throws(BackupError) {
        do throws(CommandError) { try listener(event) } catch { throw BackupError(.stopped, error.message) }
    }
}

extension CommandError {
    /// Why a backup was not made or not restored.
    static func backup(_ error: BackupError) -> CommandError {
        let code: ExitCode =
            switch error.kind {
            case .refused, .damaged: .failure
            case .busy, .stopped: .unavailable
            case .inputOutput: .inputOutput
            case .notPermitted: .notPermitted
            }
        return CommandError(code, error.message)
    }
}
