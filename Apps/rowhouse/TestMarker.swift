import Platform

/// The file that marks a folder as made for tests, where the wait for the disk may be skipped.
enum TestMarker {
    private static func path(in folder: String) -> String { folder + "/test-folder" }

    /// Marks a fresh folder when asked to, and says how its store may be opened.
    ///
    /// - Throws: when what is asked for is not permitted in this folder.
    static func check(_ settings: ServeSettings) throws(CommandError) {
        let marker = path(in: settings.data)
        if settings.isTest, !ReadFile.exists(marker) {
            guard !DataFolder.exists(settings.data) else {
                throw CommandError(.notPermitted, "--test: \(settings.data) was not made with it.")
            }
            do {
                try PrivateFolder.make(settings.data)
                try ReadFile.create(marker, holding: Array("Nothing in this folder needs to last.\n".utf8))
            } catch {
                throw .file(marker, error, otherwise: .cannotCreate)
            }
        }
        guard !settings.isUnsafe || ReadFile.exists(marker) else {
            throw CommandError(
                .notPermitted, "--unsafe-synchronous-off is only for folders whose first start was with --test.")
        }
    }
}
