import Glibc

/// Folders that nobody but their owner enters.
package enum PrivateFolder {
    /// Makes the folder with mode 0700; whoever finds it there keeps it as it is.
    ///
    /// - Returns: whether it was made.
    @discardableResult
    package static func make(_ path: String) throws(SystemCallError) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw .last("mkdir") }
        var information = stat()
        guard stat(path, &information) == 0 else { throw .last("stat") }
        guard information.st_mode & S_IFMT == S_IFDIR else { throw SystemCallError(call: "mkdir", code: ENOTDIR) }
        return false
    }

    /// - Throws: `EACCES` unless files can be made in the folder.
    package static func checkAccess(_ path: String) throws(SystemCallError) {
        guard access(path, R_OK | W_OK | X_OK) == 0 else { throw .last("access") }
    }

    /// Whether others than the owner may enter or list the folder; false when there is none.
    package static func isOpenToOthers(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & 0o077 != 0
    }
}
