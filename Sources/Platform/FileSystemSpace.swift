import Glibc

/// The room on the disk that a folder lies on, in bytes.
package struct FileSystemSpace: Sendable, Equatable {
    /// All there is.
    package let total: Int
    /// What may still be written by this user.
    package let free: Int

    package init(total: Int, free: Int) {
        self.total = total
        self.free = free
    }

    /// Nil where the system does not tell.
    package init?(of path: String) {
        var information = statvfs()
        guard statvfs(path, &information) == 0 else { return nil }
        let size = Int(clamping: information.f_frsize)
        total = Int(clamping: information.f_blocks).multipliedReportingOverflow(by: size).partialValue
        free = Int(clamping: information.f_bavail).multipliedReportingOverflow(by: size).partialValue
    }
}
