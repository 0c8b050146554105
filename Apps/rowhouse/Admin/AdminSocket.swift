import Glibc
import Platform
import RowhouseJSON
import Transfer

/// The socket in a held folder: one JSON line each way a connection.
enum AdminSocket {
    static let name = "rowhouse.sock"
    /// A base file and what it is wrapped in.
    static let messageLimit = BaseFile.limit + 1024
    /// For a message to arrive, once it has begun.
    static let messageTime = Duration.seconds(30)
    /// For the work of a command, on the asking side.
    static let answerTime = Duration.seconds(600)

    /// Sends a command to the process that holds the folder; `tell` gets what it tells before its answer.
    ///
    /// - Returns: nil when nobody listens there.
    static func ask(
        _ command: AdminCommand, in folder: String, tell: AdminListener = { _ in }
    ) throws(CommandError) -> AdminAnswer? {
        let connection: LocalConnection
        do { connection = try LocalConnection(name: name, in: folder) } catch {
            if error.isPermission { throw .file(folder, error, otherwise: .notPermitted) }
            return nil
        }
        do throws(SystemCallError) {
            try connection.send(JSONValue.object(command.json).bytes + [UInt8(ascii: "\n")], within: messageTime)
        } catch { throw wentAway(error) }
        while true {
            let line: [UInt8]
            do throws(SystemCallError) {
                line = try connection.readLine(limit: messageLimit, within: answerTime)
            } catch {
                if error.code == EMSGSIZE { break }
                throw wentAway(error)
            }
            guard let object = try? JSONParser.parse(line, limits: .init(bytes: messageLimit)).objectValue else {
                break
            }
            if let answer = AdminAnswer(object) { return answer }
            guard let event = AdminEvent(object) else { break }
            try tell(event)
        }
        throw CommandError(.failure, "The server's answer cannot be read; are both of one version?")
    }

    private static func wentAway(_ error: SystemCallError) -> CommandError {
        CommandError(.unavailable, "The server went away before it answered: \(error.reason).")
    }

    /// Whether a server answers for the folder.
    static func isServed(_ folder: String) -> Bool { (try? LocalConnection(name: name, in: folder)) != nil }
}
