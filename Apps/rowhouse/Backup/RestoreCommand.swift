import Backups
import CivilTime
import Platform

/// `rowhouse restore`: makes a data folder of a backup, which no process can hold yet.
enum RestoreCommand {
    static func run(_ backup: String, to folder: String) throws(CommandError) {
        let line = ProgressLine()
        defer { line.clear() }
        do throws(BackupError) {
            let manifest = try BackupRestore.run(backup, to: folder, log: Wiring.log) { progress in
                line.show(progress.done, of: progress.total, progress.what, .bytes)
            }
            line.clear()
            for text in lines(manifest, folder) { StandardStream.output.line(text) }
        } catch { throw .backup(error) }
    }

    private static func lines(_ manifest: BackupManifest, _ folder: String) -> [String] {
        let records = SizeText.count(manifest.recordCount, "record")
        let files = SizeText.count(manifest.files.count, "file")
        var lines = ["\(folder) is as it was at \(manifest.time.iso8601): \(records), \(files)."]
        if !manifest.missing.isEmpty {
            lines.append(
                "Attention: \(SizeText.count(manifest.missing.count, "file")) could not be read when the backup was made."
            )
        }
        return lines
    }
}
