import Glibc

/// How many files and sockets the process may have open.
package enum OpenFiles {
    /// Raises the limit as far as the system lets us: connections that are being sent files need two each, and shells
    /// begin with 1,024.
    package static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
