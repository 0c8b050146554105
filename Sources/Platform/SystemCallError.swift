import Glibc

/// A call of the operating system that failed, with its `errno`.
package struct SystemCallError: Error, Equatable, Sendable {
    /// The call, such as `open`.
    package let call: String
    /// The value of `errno`, such as `ENOENT`.
    package let code: Int32

    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// What the call left in `errno`.
    static func last(_ call: String) -> SystemCallError { SystemCallError(call: call, code: errno) }

    /// The system's words for the code, such as `No such file or directory`.
    package var reason: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether the caller lacks the right.
    package var isPermission: Bool { code == EACCES || code == EPERM }
    /// Whether the disk, or the owner's part of it, is full.
    package var isFull: Bool { code == ENOSPC || code == EDQUOT }
    /// Whether what was named does not exist.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}
