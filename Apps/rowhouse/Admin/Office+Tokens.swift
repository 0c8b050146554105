import Accounts
import CivilTime
import RowhouseModel
import Storage

extension Office {
    func createToken(
        name: String, user: String?, scopes: [String]?, bases: [String]?, expiresDays: Int?
    ) throws(CommandError) -> String {
        var known: [BaseID]?
        if let bases { known = try bases.map { (text) throws(CommandError) in try base(text) } }
        var expiration: Instant?
        if let expiresDays {
            guard 1...36_500 ~= expiresDays else { throw .usage("A token ends 1 to 36500 days from now.") }
            expiration = Instant(milliseconds: clock().milliseconds &+ Int64(expiresDays) &* 86_400_000)
        }
        do throws(AccountsError) {
            let owner = try accounts.ensureOwner().owner
            let made = try accounts.createToken(
                name: name, user: try user.map { (text) throws(AccountsError) in try person(text) } ?? owner.id,
                scopes: scopes?.map { Scope(rawValue: $0) }, bases: known, expires: expiration)
            return made.text
        } catch {
            throw .account(error)
        }
    }

    func listTokens() throws(CommandError) -> [String] {
        let tokens: [StoredToken]
        do { tokens = try accounts.listTokens() } catch { throw .account(error) }
        let now = clock()
        let heading = ["id", "name", "user", "created", "last used", "expires", "state", "scopes", "bases"]
        return ListText.lines([heading] + tokens.map { row($0, at: now) })
    }

    func revokeToken(_ text: String) throws(CommandError) -> [String] {
        // The whole token is taken too: whoever found a leaked one need not cut it.
        let id = text.prefix { $0 != "." }
        guard let token = TokenID(String(id)) else { throw CommandError(.failure, "There is no token \(id).") }
        do { try accounts.revokeToken(token) } catch { throw .account(error) }
        return []
    }

    private func row(_ token: StoredToken, at now: Instant) -> [String] {
        let isExpired = token.expirationTime.map { $0 <= now } ?? false
        return [
            "\(token.id)", token.name, "\(token.user)", ListText.time(token.createdTime),
            token.lastUsedTime.map(ListText.time) ?? "never", token.expirationTime.map(ListText.time) ?? "never",
            token.isRevoked ? "revoked" : isExpired ? "expired" : "active",
            Set(token.scopes) == Set(Scope.all) ? "all" : token.scopes.map(\.rawValue).joined(separator: ","),
            token.bases.map { $0.map(\.description).joined(separator: ",") } ?? "all",
        ]
    }

    private func person(_ text: String) throws(AccountsError) -> UserID {
        let users = accounts.users()
        let user = UserID(text).flatMap { users.user($0) } ?? users.user(email: text)
        guard let user else { throw .unknownUser(text) }
        return user.id
    }

    private func base(_ text: String) throws(CommandError) -> BaseID {
        guard let id = BaseID(text) else { throw .account(.unknownBase(text)) }
        return id
    }
}

extension CommandError {
    /// What `Accounts` refused.
    static func account(_ error: AccountsError) -> CommandError {
        if case .store(let failure) = error { return .refused("The store", failure) }
        return CommandError(.failure, error.description)
    }
}
