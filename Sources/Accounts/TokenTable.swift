import CivilTime
import Cryptography
import RowhouseModel
import Storage

/// The tokens that open something, in memory: what `Accounts` guards with its lock.
struct TokenTable {
    fileprivate struct Entry {
        let caller: Caller
        /// SHA-256 of the whole token text.
        let hash: [UInt8]
        let expirationTime: Instant?
        var lastUsedTime: Instant?
        /// Whether `lastUsedTime` is later than what the store knows.
        var isUsed = false
        /// The keyed tag of the text that had the hash: tells the same text again without hashing it, and tells
        /// nobody the text. At most one a token, and gone with the token.
        var tag: ShortTag?
    }

    enum Finding {
        case caller(Caller)
        case refused
        /// Nobody has shown this token since the start: its text must have this hash.
        case unproven(hash: [UInt8])
    }

    private var entries: [TokenID: Entry] = [:]

    mutating func add(_ token: StoredToken, user: User) {
        guard !token.isRevoked else { return }
        let caller = Caller(
            user: user, token: token.id, scopes: Set(token.scopes), bases: token.bases.map { Set($0) })
        entries[token.id] = Entry(
            caller: caller, hash: token.hash, expirationTime: token.expirationTime,
            lastUsedTime: token.lastUsedTime)
    }

    mutating func remove(_ id: TokenID) { entries[id] = nil }

    /// Who the token stands for, when its text has been proven before.
    mutating func find(_ id: TokenID, tag: ShortTag, at now: Instant) -> Finding {
        guard let place = entries.index(forKey: id) else { return .refused }
        return entries.values[place].use(tag: tag, at: now)
    }

    /// Notes that the text with this tag has the token's hash.
    mutating func prove(_ id: TokenID, tag: ShortTag) {
        guard let place = entries.index(forKey: id) else { return }
        entries.values[place].tag = tag
    }

    func lastUse(of id: TokenID) -> Instant? { entries[id]?.lastUsedTime }

    /// The uses that the store does not know yet, marked as known.
    mutating func takeUses() -> [(token: TokenID, time: Instant)] {
        var uses: [(token: TokenID, time: Instant)] = []
        for place in entries.indices where entries.values[place].isUsed {
            entries.values[place].isUsed = false
            if let time = entries.values[place].lastUsedTime { uses.append((entries.keys[place], time)) }
        }
        return uses
    }

    /// Marks uses as unknown to the store again, after it failed to keep them.
    mutating func giveBack(_ uses: [(token: TokenID, time: Instant)]) {
        for use in uses {
            guard let place = entries.index(forKey: use.token) else { continue }
            entries.values[place].isUsed = true
        }
    }
}

extension TokenTable.Entry {
    fileprivate mutating func use(tag: ShortTag, at now: Instant) -> TokenTable.Finding {
        if let expirationTime, expirationTime <= now { return .refused }
        guard let known = self.tag, known.equals(tag) else { return .unproven(hash: hash) }
        lastUsedTime = now
        isUsed = true
        return .caller(caller)
    }
}
