import Accounts
import Blobs
import CivilTime
import HTTPServer
import Media
import Outgoing
import Platform
import RowhouseModel
import RowhouseWire
import SQLiteStorage
import Storage
import TableEngine
import WebAPI

/// Where the rooms are put together.
enum Wiring {
    static let clock: @Sendable () -> Instant = { Instant(milliseconds: SystemClock.milliseconds()) }

    /// Failures that callers only see as 500, in full.
    static let log: @Sendable (String) -> Void = { StandardStream.error.line("rowhouse: \($0)") }

    /// The rooms over one open folder, without any door.
    struct House: Sendable {
        let folder: DataFolder
        let zones: TimeZoneDatabase
        let accounts: Accounts
        let engine: Engine
        /// Makes the addresses of files; the public address is told once it is known.
        let links: AttachmentLinks
        /// Nil where nothing is fetched.
        let fetcher: AttachmentFetcher?
        let backups: BackupDesk

        var office: Office {
            Office(
                storage: folder.storage, accounts: accounts, operations: engine, zones: zones, links: links,
                backups: backups, clock: clock)
        }
    }

    /// Most of them wait for a commit at any time; as many writes can share one.
    private static let workers = 32

    /// How a store is opened; only who knows after how many days removes what is in the trash.
    static func options(isUnsafe: Bool = false, trashDays: Int? = nil) -> SQLiteStorage.Options {
        var options = SQLiteStorage.Options()
        options.clock = clock
        options.log = log
        options.trashDays = trashDays ?? options.trashDays
        options.purgesTrash = trashDays != nil
        options.synchronous = isUnsafe ? .off : .full
        return options
    }

    /// Sets the rooms up over a folder.
    ///
    /// - Parameter settings: those of a server; nil for a command that only looks after the folder.
    static func house(_ folder: DataFolder, _ settings: ServeSettings? = nil) throws(CommandError) -> House {
        let zones = TimeZoneDatabase { name in
            try? ReadFile.bytes(of: "/usr/share/zoneinfo/" + name, limit: 1 << 20)
        }
        let links = AttachmentLinks(
            secret: folder.storage.secret, address: settings?.publicURL ?? "",
            expires: settings?.attachmentLinksExpire ?? false, clock: clock)
        let blobs = try blobs(folder)
        let files = files(folder, blobs, settings)
        do {
            return House(
                folder: folder, zones: zones, accounts: try Accounts(storage: folder.storage, clock: clock),
                engine: Engine(storage: folder.storage, zones: zones, links: links, files: files, clock: clock),
                links: links, fetcher: files.fetcher, backups: BackupDesk(folder, blobs))
        } catch {
            throw .refused(folder.path, error)
        }
    }

    private static func blobs(_ folder: DataFolder) throws(CommandError) -> Blobs {
        do { return try Blobs(in: folder.path, log: log) } catch {
            throw .file("\(folder.path)/files", error, otherwise: .cannotCreate)
        }
    }

    /// What keeps files, looks into them and fetches them; only a server fetches.
    private static func files(_ folder: DataFolder, _ blobs: Blobs, _ settings: ServeSettings?) -> AttachmentFiles {
        let images = images(folder.path)
        let fetcher = settings.map { settings in
            AttachmentFetcher(
                storage: folder.storage, blobs: blobs, remote: remoteFiles(settings), images: images, clock: clock,
                log: log)
        }
        return AttachmentFiles(blobs: blobs, images: images, fetcher: fetcher)
    }

    private static func images(_ folder: String) -> ImageRenderings {
        var options = ImageRenderings.Options()
        options.log = log
        options.workers = 2
        return ImageRenderings(folder: folder, options: options)
    }

    /// What fetches files from elsewhere.
    private static func remoteFiles(_ settings: ServeSettings) -> RemoteFileFetcher {
        RemoteFileFetcher(policy: AddressPolicy(allowed: settings.fetchAllowed))
    }

    /// The door to the network, not yet listening.
    static func server(
        _ house: House, _ settings: ServeSettings, accessLog: AccessLog?
    ) throws(CommandError) -> HTTPServer {
        let limits = settings.limitsRate ? CallLimits { Int64(SystemClock.monotonicNanoseconds() / 1_000_000) } : nil
        let services = APIHandler.Services(
            records: house.engine, immediate: house.engine, access: house.engine, schemas: house.engine,
            comments: house.engine, attachments: house.engine, trash: house.engine, history: house.engine,
            callers: house.accounts, answers: house.engine, limits: limits)
        let handler = APIHandler(
            services: services, zones: house.zones, links: house.links, acceptsLegacyKey: settings.takesLegacyAPIKey,
            log: log)
        var configuration = ServerConfiguration()
        configuration.host = settings.listen.host
        configuration.port = settings.listen.port
        configuration.tls = settings.tls.map { TLSFiles(certificatePath: $0.certificate, keyPath: $0.key) }
        configuration.connectionsPerAddress = settings.connectionsPerAddress
        configuration.trustedProxies = settings.trustedProxies
        configuration.extraHeaders = CrossOrigin.headers
        configuration.eventThreads = 2
        configuration.workers = workers
        if let accessLog { configuration.accessLog = { accessLog.add($0) } }
        do { return try HTTPServer(configuration: configuration, handler: handler) } catch { throw .server(error) }
    }
}

extension CommandError {
    /// Why the server did not start.
    static func server(_ error: ServerError, at address: ListenAddress? = nil) -> CommandError {
        switch error {
        case .invalidAddress(let host): .usage("\(host) is not a numeric address.")
        case .cannotListen(let reason):
            CommandError(
                .unavailable, "Cannot listen\(address.map { " on \($0.authority(port: $0.port))" } ?? ""): \(reason)")
        case .cannotStart: CommandError(.unavailable, "The HTTP server cannot start.")
        case .invalidCertificate(let reason): CommandError(.inputOutput, "The certificate cannot be used: \(reason)")
        }
    }
}
