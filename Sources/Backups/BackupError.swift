import Platform
import RowhouseModel

/// Why a backup was not made, not taken or not restored, as a sentence for a person.
package struct BackupError: Error, Equatable, Sendable {
    /// What kind of reason it is.
    package enum Kind: Sendable {
        /// What was asked for is not done here.
        case refused
        /// Another process or another backup is at work there.
        case busy
        /// The backup is not what it was when it was made.
        case damaged
        /// The system did not give or take a file.
        case inputOutput
        case notPermitted
        /// It was ended before it was done.
        case stopped
    }

    package let kind: Kind
    package let message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// Who asked has gone, or the server ends.
    package static let stopped = BackupError(.stopped, "The work was ended before it was done.")

    static func file(_ path: String, _ error: SystemCallError) -> BackupError {
        if error.isFull { return .full(path) }
        return BackupError(error.isPermission ? .notPermitted : .inputOutput, "\(path): \(error.reason).")
    }

    static func full(_ path: String) -> BackupError {
        BackupError(.inputOutput, "The disk is full: \(path) cannot be written.")
    }

    static func store(_ path: String, _ error: APIError) -> BackupError {
        if error.status == 507 { return .full(path) }
        return BackupError(.inputOutput, "\(path) cannot be read or written; the log says what SQLite found.")
    }
}

/// Runs calls of the system on a path.
func onDisk<Value: ~Copyable>(_ path: String, _ body: () throws(SystemCallError) -> Value) throws(BackupError) -> Value
{
    do throws(SystemCallError) { return try body() } catch { throw .file(path, error) }
}

/// Runs calls of the store on a file.
func inStore<Value>(_ path: String, _ body: () throws(APIError) -> Value) throws(BackupError) -> Value {
    do throws(APIError) { return try body() } catch { throw .store(path, error) }
}
