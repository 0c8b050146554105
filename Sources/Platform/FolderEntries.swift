import Glibc

/// Names in folders.
package enum FolderEntries {
    /// The names of what is in a folder, without `.` and `..`, in no order.
    package static func names(in path: String) throws(SystemCallError) -> [String] {
        guard let folder = opendir(path) else { throw .last("opendir") }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Moves a file to another name on the same disk, and waits until its new folder knows.
    package static func move(_ path: String, to new: String, in folder: String) throws(SystemCallError) {
        guard rename(path, new) == 0 else { throw .last("rename") }
        try synchronize(folder)
    }

    /// Waits until the names in a folder are on the disk.
    package static func synchronize(_ path: String) throws(SystemCallError) {
        let folder = try FileDescriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), from: "open")
        guard fsync(folder.number) == 0 else { throw .last("fsync") }
    }

    /// Removes a file; one that is not there is no error.
    package static func remove(_ path: String) throws(SystemCallError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .last("unlink") }
    }

    /// Gives a file a second name on the same disk.
    package static func link(_ path: String, to new: String) throws(SystemCallError) {
        guard Glibc.link(path, new) == 0 else { throw .last("link") }
    }

    /// The size of a file in bytes and when it was last changed, in seconds since 1970; nil when there is none.
    package static func facts(of path: String) -> (size: Int, modified: Int)? {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        return (Int(information.st_size), Int(information.st_mtim.tv_sec))
    }

    /// Makes a file look as if it had been changed now.
    package static func touch(_ path: String) throws(SystemCallError) {
        guard utimensat(AT_FDCWD, path, nil, 0) == 0 else { throw .last("utimensat") }
    }
}
