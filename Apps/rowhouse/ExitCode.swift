/// How the program ends, by the numbers of sysexits(3).
enum ExitCode: Int32, Sendable {
    case success = 0
    case failure = 1
    /// The command line or the settings are wrong.
    case usage = 64
    /// The folder is in use, or the network address is.
    case unavailable = 69
    /// A folder or file cannot be made.
    case cannotCreate = 73
    /// A file cannot be read or written.
    case inputOutput = 74
    /// The system, or the program on purpose, does not permit it.
    case notPermitted = 77
}
