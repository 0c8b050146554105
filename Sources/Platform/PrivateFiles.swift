import Glibc

/// Folders and files that nobody but their owner reads.
package enum PrivateFiles {
    /// Makes the folder with mode 0700 unless it exists.
    package static func makeFolder(_ path: String) throws(FileError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw FileError("make folder \(path)")
    }

    /// Makes an empty file with mode 0600 unless it exists.
    package static func makeFile(_ path: String) throws(FileError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError("make file \(path)") }
        close(descriptor)
    }

    /// The size of a file in bytes; nil when there is none.
    package static func size(_ path: String) -> Int? {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        return Int(information.st_size)
    }

    /// Removes a file if it exists.
    package static func remove(_ path: String) throws(FileError) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw FileError("remove \(path)")
    }

    /// Puts a file in another's place, and makes the change durable with its folder.
    package static func replace(_ path: String, by new: String, in folder: String) throws(FileError) {
        guard rename(new, path) == 0 else { throw FileError("rename \(new)") }
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("open \(folder)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileError("sync \(folder)") }
    }
}
