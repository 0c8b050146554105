import Accounts
import HTTPServer
import Platform
import RowhouseModel
import RowhouseWire
import SQLiteStorage
import TableEngine

/// `rowhouse serve`: opens the folder, opens the doors, waits for a signal, closes everything in order.
enum ServeCommand {
    /// How often the last uses of tokens are written.
    private static let pause = Duration.seconds(60)
    /// After how many such pauses files are looked after again.
    private static let pausesBetweenSweeps = 60
    /// For requests in flight when the end is asked for.
    private static let gracePeriod = Duration.seconds(10)

    /// Serves until SIGTERM or SIGINT; the signals must have been prepared.
    static func run(_ settings: ServeSettings) async throws(CommandError) {
        try TestMarker.check(settings)
        OpenFiles.raiseLimit()
        let folder = try DataFolder.openForServer(
            settings.data, options: Wiring.options(isUnsafe: settings.isUnsafe, trashDays: settings.trashDays))
        defer { folder.storage.close() }
        if PrivateFolder.isOpenToOthers(folder.path) {
            Wiring.log("\(folder.path) can be entered by other users; chmod 700 would keep them out.")
        }
        let house = try Wiring.house(folder, settings)
        defer { writeLastUses(house) }
        let access = settings.writesAccessLog ? AccessLog.start() : nil
        defer {
            access?.log.close()
            access?.thread?.join()
        }
        let server = try Wiring.server(house, settings, accessLog: access?.log)
        let port: Int
        do { port = try server.start() } catch { throw .server(error, at: settings.listen) }
        defer { server.stop(gracePeriod: gracePeriod) }
        let admin = try openSocket(house)
        defer { admin.close() }
        // What takes long is told to end first.
        defer { house.backups.stop() }
        let addresses = ServerAddresses(settings, port: port)
        house.links.use(address: addresses.usable)
        house.fetcher?.start()
        defer { house.fetcher?.stop() }
        let schedule = settings.backups.map { BackupSchedule($0, house.backups) }
        schedule?.start()
        defer { schedule?.stop() }
        if let welcome = try await FirstRun.welcome(house, settings, addresses) { StandardStream.output.line(welcome) }
        StandardStream.output.line("listening on \(addresses.listening)")
        waitForEnd(house, server)
    }

    private static func openSocket(_ house: Wiring.House) throws(CommandError) -> AdminServer {
        do { return try AdminServer(folder: house.folder.path, office: house.office) } catch {
            throw .file("\(house.folder.path)/\(AdminSocket.name)", error, otherwise: .cannotCreate)
        }
    }

    private static func waitForEnd(_ house: Wiring.House, _ server: HTTPServer) {
        var sweep = AttachmentSweep()
        var pauses = 0
        while true {
            switch Signals.wait(atMost: pause) {
            case .terminate: return
            case .hangUp: renewCertificate(server)
            case nil:
                writeLastUses(house)
                pauses -= 1
                if pauses <= 0, lookAfterFiles(house, &sweep) { pauses = pausesBetweenSweeps }
            }
        }
    }

    /// Goes on with looking for files that nothing holds any more; true when all have been looked at.
    private static func lookAfterFiles(_ house: Wiring.House, _ sweep: inout AttachmentSweep) -> Bool {
        do throws(APIError) { return try sweep.step(house.engine) } catch {
            Wiring.log("files could not be looked after: \(error.message ?? error.type)")
            return true
        }
    }

    private static func writeLastUses(_ house: Wiring.House) {
        do { try house.accounts.writeLastUses() } catch {
            Wiring.log("the last uses of tokens could not be written: \(error.message ?? error.type)")
        }
    }

    private static func renewCertificate(_ server: HTTPServer) {
        do { try server.reloadTLS() } catch {
            Wiring.log("the certificate stays as it was: \(CommandError.server(error).message)")
        }
    }
}
