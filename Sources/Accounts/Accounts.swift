package import CivilTime
import Cryptography
import Platform
package import RowhouseModel
package import Storage

/// The people and tokens of a folder: who calls, and the making and revoking of what lets them call.
///
/// The store is the truth; all that a request asks is answered from memory.
package final class Accounts: CallerOperations, Sendable {
    let storage: any Storage
    let clock: @Sendable () -> Instant
    let table: Guarded<TokenTable>
    private let tagger = ShortTagger()

    /// Reads every token of the store.
    ///
    /// - Throws: the store's failure.
    package init(storage: any Storage, clock: @escaping @Sendable () -> Instant) throws(APIError) {
        self.storage = storage
        self.clock = clock
        let tokens = try storage.read { (reader) throws(APIError) in try reader.tokens() }
        let users = storage.users
        var table = TokenTable()
        for token in tokens {
            if let user = users.user(token.user) { table.add(token, user: user) }
        }
        self.table = Guarded(table)
    }

    /// The caller that a bearer token stands for; nil for an unknown, expired or revoked one. Never blocks.
    package func caller(token text: String) -> Caller? {
        guard let id = TokenText.id(in: text) else { return nil }
        let tag = tagger.tag(text)
        switch find(id, tag: tag) {
        case .caller(let caller): return caller
        case .refused: return nil
        case .unproven(let hash):
            guard constantTimeEquals(SHA256.hash(Array(text.utf8)), hash) else { return nil }
            table.withLock { $0.prove(id, tag: tag) }
            guard case .caller(let caller) = find(id, tag: tag) else { return nil }
            return caller
        }
    }

    /// Everyone known to the folder.
    package func users() -> UserDirectory { storage.users }

    /// Tells the store when tokens were last used; to be called now and then, and at the end.
    ///
    /// - Throws: the store's failure; the times are kept for the next call.
    package func writeLastUses() throws(APIError) {
        let uses = table.withLock { $0.takeUses() }
        guard !uses.isEmpty else { return }
        do {
            try storage.write { (writer) throws(APIError) in try writer.touch(uses) }
        } catch {
            table.withLock { $0.giveBack(uses) }
            throw error
        }
    }

    private func find(_ id: TokenID, tag: ShortTag) -> TokenTable.Finding {
        let now = clock()
        return table.withLock { $0.find(id, tag: tag, at: now) }
    }
}
