import Glibc

/// Whole folders, and names that mean the same wherever they are read.
package enum FolderTree {
    /// Removes a file, or a folder with all that is in it; links are removed and not followed. What is not there is no
    /// error.
    package static func remove(_ path: String) throws(SystemCallError) {
        if unlink(path) == 0 || errno == ENOENT { return }
        guard errno == EISDIR || errno == EPERM else { throw .last("unlink") }
        for name in try FolderEntries.names(in: path) { try remove("\(path)/\(name)") }
        guard rmdir(path) == 0 || errno == ENOENT else { throw .last("rmdir") }
    }

    /// The name of what is there, from the root and without links.
    package static func canonical(_ path: String) throws(SystemCallError) -> String {
        guard let text = realpath(path, nil) else { throw .last("realpath") }
        defer { free(text) }
        return String(cString: text)
    }

    /// The name from the root, for another process with another working folder.
    package static func absolute(_ path: String) throws(SystemCallError) -> String {
        if path.hasPrefix("/") { return path }
        guard let text = getcwd(nil, 0) else { throw .last("getcwd") }
        defer { free(text) }
        return "\(String(cString: text))/\(path)"
    }
}
