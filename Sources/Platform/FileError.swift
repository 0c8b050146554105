import Glibc

/// A call of the operating system that failed.
package struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was tried, such as `open /data/rowhouse.lock`.
    package let action: String
    /// The `errno` it left.
    package let number: Int32

    /// The failure of a call that has just returned.
    package init(_ action: String) {
        number = errno
        self.action = action
    }

    /// What was tried and why it failed, in one line.
    package var description: String { "\(action): \(String(cString: strerror(number)))" }
}
