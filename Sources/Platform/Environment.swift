import Glibc

/// What the process was started with.
package enum Environment {
    /// The value of a variable of the environment; nil when it is not set.
    package static func value(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        return String(cString: value)
    }

    /// The number of the user that the process acts as.
    package static var user: UInt32 { geteuid() }

    /// The number of this process.
    package static var process: Int32 { getpid() }
}
