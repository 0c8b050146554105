import Platform
import RowhouseJSON

/// Carries out the commands that arrive over a folder's socket, each for the folder's own user or root only.
final class AdminServer: Sendable {
    private let listener: LocalSocketListener
    private let office: Office
    /// One of its threads accepts, the others carry out.
    private let team = WorkerTeam(name: "admin", workers: 4, waitingLimit: 16)

    /// Begins to listen in the folder.
    init(folder: String, office: Office) throws(SystemCallError) {
        self.office = office
        listener = try LocalSocketListener(name: AdminSocket.name, in: folder)
        let listener = listener
        let team = team
        _ = team.trySubmit {
            while let connection = listener.accept() {
                let isTaken = team.trySubmit(async: { await Self.serve(connection, office) })
                if !isTaken { Self.answer(.failed(CommandError(.unavailable, "The server is busy.")), connection) }
            }
        }
    }

    /// Stops to listen and lets commands under way end.
    func close() {
        listener.close()
        team.shutDown(gracePeriod: .seconds(10))
    }

    private static func serve(_ connection: LocalConnection, _ office: Office) async {
        answer(await reply(to: connection, office), connection)
    }

    private static func reply(to connection: LocalConnection, _ office: Office) async -> AdminAnswer {
        let peer = connection.peerUser
        guard peer == Environment.user || peer == 0 else {
            return .failed(CommandError(.notPermitted, "The folder belongs to another user."))
        }
        do {
            let line = try connection.readLine(limit: AdminSocket.messageLimit, within: AdminSocket.messageTime)
            return await office.perform(try command(line)) { (event) throws(CommandError) in
                do throws(SystemCallError) { try send(event.json, connection) } catch {
                    throw CommandError(.unavailable, "Who asked has gone.")
                }
            }
        } catch let error as CommandError {
            return .failed(error)
        } catch {
            return .failed(.usage("The command did not arrive whole."))
        }
    }

    private static func command(_ line: [UInt8]) throws(CommandError) -> AdminCommand {
        let value = try? JSONParser.parse(line, limits: .init(bytes: AdminSocket.messageLimit))
        guard let object = value?.objectValue else { throw .usage("The command is not a JSON object.") }
        return try AdminCommand(object)
    }

    private static func answer(_ answer: AdminAnswer, _ connection: LocalConnection) {
        // Who asked may have gone; what was done stays done.
        try? send(answer.json, connection)
    }

    private static func send(_ object: JSONObject, _ connection: LocalConnection) throws(SystemCallError) {
        try connection.send(JSONValue.object(object).bytes + [UInt8(ascii: "\n")], within: AdminSocket.messageTime)
    }
}
