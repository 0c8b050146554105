package import CivilTime
import Cryptography
import Platform
package import RowhouseModel
package import Storage
import Synchronization

extension Accounts {
    /// Makes a token; the text is told this once and kept nowhere.
    ///
    /// - Parameters:
    ///   - scopes: nil gives every scope.
    ///   - bases: nil gives every base, also those made later.
    package func createToken(
        name: String, user: UserID, scopes: [Scope]? = nil, bases: [BaseID]? = nil, expires: Instant? = nil
    ) throws(AccountsError) -> (token: StoredToken, text: String) {
        guard let name = NameRules.name(name) else { throw .invalidName }
        let scopes = try checked(scopes)
        let now = clock()
        if let expires, expires <= now { throw .expirationPassed }
        let id = TokenID(random: RandomBytes.words())
        let text = TokenText.make(id)
        let token = StoredToken(
            id: id, hash: SHA256.hash(Array(text.utf8)), user: user, name: name, scopes: scopes,
            bases: bases?.withoutRepeats, createdTime: now, expirationTime: expires, lastUsedTime: nil,
            isRevoked: false)
        try insert(token)
        return (token, text)
    }

    /// Ends a token: when this returns it opens nothing any more.
    package func revokeToken(_ id: TokenID) throws(AccountsError) {
        let isRevoked = try stored { (writer) throws(APIError) in try writer.revoke(id) }
        table.withLock { $0.remove(id) }
        guard isRevoked else { throw .unknownToken("\(id)") }
    }

    /// Every token, revoked ones too, in order of creation.
    package func listTokens() throws(AccountsError) -> [StoredToken] {
        do {
            let tokens = try storage.read { (reader) throws(APIError) in try reader.tokens() }
            return table.withLock { table in
                tokens.map { token in
                    var token = token
                    token.lastUsedTime = table.lastUse(of: token.id) ?? token.lastUsedTime
                    return token
                }
            }.sorted { ($0.createdTime, $0.id) < ($1.createdTime, $1.id) }
        } catch {
            throw .store(error)
        }
    }

    private func checked(_ scopes: [Scope]?) throws(AccountsError) -> [Scope] {
        guard let scopes else { return Scope.all }
        guard !scopes.isEmpty else { throw .noScopes }
        if let unknown = scopes.first(where: { !Scope.all.contains($0) }) { throw .unknownScope(unknown.rawValue) }
        return scopes.withoutRepeats
    }

    /// Keeps the token if its user and bases are there.
    ///
    /// In memory it stands before it is in the store (nobody knows its text yet): whoever finds it in the store can
    /// then revoke it for good.
    private func insert(_ token: StoredToken) throws(AccountsError) {
        if let bases = token.bases, bases.isEmpty { throw .noBases }
        guard let user = storage.users.user(token.user) else { throw .unknownUser("\(token.user)") }
        table.withLock { $0.add(token, user: user) }
        do throws(AccountsError) {
            let unknown = try stored { (writer) throws(APIError) -> BaseID? in
                if let unknown = token.bases?.first(where: { writer.schema.base($0)?.isBeingMade != false }) {
                    return unknown
                }
                try writer.insert(token)
                return nil
            }
            if let unknown { throw AccountsError.unknownBase("\(unknown)") }
        } catch {
            table.withLock { $0.remove(token.id) }
            throw error
        }
    }

    func stored<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageWriter) throws(APIError) -> Value
    ) throws(AccountsError) -> Value {
        do { return try storage.write(body) } catch { throw .store(error) }
    }
}

extension Array where Element: Hashable {
    fileprivate var withoutRepeats: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
