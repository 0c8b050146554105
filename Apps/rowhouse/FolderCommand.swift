import Platform
import SQLiteStorage

/// Commands on a folder, whoever holds it.
enum FolderCommand {
    /// Carries the command out here when the folder is free, else by the server that holds it.
    static func perform(
        _ command: AdminCommand, in path: String, tell: AdminListener
    ) async throws(CommandError) -> AdminAnswer {
        guard DataFolder.exists(path) || command.makesFolder else {
            throw CommandError(.failure, "There is no Rowhouse folder at \(path); `rowhouse serve` makes one.")
        }
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            if let answer = try AdminSocket.ask(command, in: path, tell: tell) { return answer }
            if case .examine(let readsFiles) = command {
                // Opening the store would mend what it is to find.
                if let answer = try FolderExamination.run(path, readsFiles: readsFiles, tell) { return answer }
            } else if let folder = try DataFolder.open(path, options: Wiring.options()) {
                return await perform(command, in: folder, tell)
            }
            // A server that is just starting or ending, or another command.
            if ContinuousClock.now > deadline { throw DataFolder.held(path) }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private static func perform(
        _ command: AdminCommand, in folder: DataFolder, _ tell: AdminListener
    ) async -> AdminAnswer {
        do {
            let house = try Wiring.house(folder)
            defer { folder.storage.close() }
            return await house.office.perform(command, tell: tell)
        } catch {
            return .failed(error)
        }
    }
}
