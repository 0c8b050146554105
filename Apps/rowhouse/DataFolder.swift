import Backups
import Glibc
import Platform
import SQLiteStorage

/// A folder that this process holds, with its store open.
struct DataFolder: Sendable {
    let path: String
    let storage: SQLiteStorage

    /// Whether anything of ours is in the folder.
    static func exists(_ path: String) -> Bool { ReadFile.exists(path + "/rowhouse.db") }

    /// Takes the folder, which is made when missing. A backup is refused: what opens a store writes to it.
    ///
    /// - Returns: nil when another process holds it.
    static func open(_ path: String, options: SQLiteStorage.Options) throws(CommandError) -> DataFolder? {
        do {
            try PrivateFolder.make(path)
            try PrivateFolder.checkAccess(path)
        } catch {
            throw .file(path, error, otherwise: .cannotCreate)
        }
        guard !exists(path) || !ReadFile.exists("\(path)/\(BackupManifest.name)") else {
            throw CommandError(
                .failure,
                "\(path) is a backup, in which nothing may be written. Make a folder of it: "
                    + "rowhouse restore \(path) --data FOLDER")
        }
        do {
            return DataFolder(path: path, storage: try SQLiteStorage(folder: path, options: options))
        } catch {
            switch error {
            case .held: return nil
            case .failed: throw CommandError(.inputOutput, "\(path): \(error)")
            case .newerSchema, .foreign: throw CommandError(.failure, "\(path): \(error)")
            }
        }
    }

    /// Takes the folder for a server; waits a little for a command that is at work there.
    ///
    /// The thread itself waits: a task that sleeps would leave the main thread to the runtime, which lets every signal
    /// through there, and SIGTERM and SIGHUP would then kill the server outright.
    static func openForServer(_ path: String, options: SQLiteStorage.Options) throws(CommandError) -> DataFolder {
        let deadline = ContinuousClock.now + .seconds(5)
        while true {
            if let folder = try open(path, options: options) { return folder }
            if AdminSocket.isServed(path) || ContinuousClock.now > deadline { throw held(path) }
            usleep(20_000)
        }
    }

    static func held(_ path: String) -> CommandError {
        CommandError(.unavailable, "\(path) is in use by another process.")
    }
}
