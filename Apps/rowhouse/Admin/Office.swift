import Accounts
import CivilTime
import RowhouseModel
import RowhouseWire
import Storage
import Transfer

/// Where commands are carried out: in the process that holds the folder, whichever that is.
struct Office: Sendable {
    let storage: any Storage
    let accounts: Accounts
    let operations: any TransferOperations
    let zones: TimeZoneDatabase
    let links: AttachmentLinks
    let backups: BackupDesk
    let clock: @Sendable () -> Instant

    /// Carries a command out; `tell` gets what it tells before its answer.
    func perform(_ command: AdminCommand, tell: AdminListener = { _ in }) async -> AdminAnswer {
        do { return .done(try await lines(of: command, tell)) } catch { return .failed(error) }
    }

    private func lines(of command: AdminCommand, _ tell: AdminListener) async throws(CommandError) -> [String] {
        switch command {
        case .createToken(let name, let user, let scopes, let bases, let days):
            [try createToken(name: name, user: user, scopes: scopes, bases: bases, expiresDays: days)]
        case .listTokens: try listTokens()
        case .revokeToken(let token): try revokeToken(token)
        case .createUser(let email, let name): [try createUser(email: email, name: name)]
        case .listUsers: listUsers()
        case .createBase(let file): [try await createBase(file, tell)]
        case .listBases: listBases()
        case .exportBase(let base, let table, let isSpreadsheetSafe):
            try await export(base, table: table, isSpreadsheetSafe: isSpreadsheetSafe, tell)
        case .backUp(let place): try backUp(to: place, tell)
        case .examine(let readsFiles): try examine(readsFiles: readsFiles, tell)
        }
    }
}
