import Platform

/// Why a command failed: one line for standard error and the exit code.
struct CommandError: Error, Equatable, Sendable {
    let code: ExitCode
    let message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = String(String.UnicodeScalarView(message.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    }

    static func usage(_ message: String) -> CommandError { CommandError(.usage, message) }

    /// A file that the system did not give or take.
    static func file(_ path: String, _ error: SystemCallError, otherwise code: ExitCode) -> CommandError {
        CommandError(error.isPermission ? .notPermitted : code, "\(path): \(error.reason)")
    }
}
