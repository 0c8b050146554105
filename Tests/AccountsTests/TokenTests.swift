import Accounts
import CivilTime
import Platform
import RowhouseModel
import Storage
import Testing

@Suite struct TokenTests {
    let clock = TestClock()
    let storage: TestStorage
    let accounts: Accounts
    let owner: User

    init() throws {
        let clock = clock
        storage = try TestStorage(clock: clock)
        accounts = try Accounts(storage: storage) { clock.now }
        owner = try accounts.ensureOwner().owner
    }

    private func restarted() throws -> Accounts {
        let clock = clock
        return try Accounts(storage: storage) { clock.now }
    }

    private func makeBase() throws -> BaseID {
        let id = try #require(BaseID("app00000000000000"))
        let workspace = try #require(WorkspaceID("wsp00000000000000"))
        let base = BaseSchema(id: id, name: "Shop", workspace: workspace, createdTime: clock.now, tables: [])
        try storage.write { (writer) throws(APIError) in try writer.createBase(base) }
        return id
    }

    @Test func `A token's text has Airtable's form and names the token`() throws {
        let (token, text) = try accounts.createToken(name: "Phone", user: owner.id)
        #expect(text.wholeMatch(of: /pat[0-9A-Za-z]{14}\.[0-9a-f]{64}/) != nil)
        #expect(text.hasPrefix("\(token.id)."))
    }

    @Test func `A token stands for its user with its scopes and bases`() throws {
        let base = try makeBase()
        let (token, text) = try accounts.createToken(
            name: "Phone", user: owner.id, scopes: [.recordsRead, .recordsRead], bases: [base, base])
        let expected = Caller(user: owner, token: token.id, scopes: [.recordsRead], bases: [base])
        for accounts in [accounts, try restarted()] {
            #expect(accounts.caller(token: text) == expected)
            #expect(accounts.caller(token: text) == expected)
        }
    }

    @Test func `A token without scopes and bases has all of them`() throws {
        let caller = try #require(accounts.caller(token: accounts.createToken(name: "All", user: owner.id).text))
        #expect(caller.scopes == Set(Scope.all))
        #expect(caller.bases == nil)
    }

    @Test func `No other text opens anything`() throws {
        let (_, text) = try accounts.createToken(name: "One", user: owner.id)
        let (_, other) = try accounts.createToken(name: "Two", user: owner.id)
        #expect(accounts.caller(token: text) != nil)
        let rest = String(text.dropFirst(17))
        let wrong: [String] = [
            "", "pat", String(text.dropLast()), "\(text)0", "\(text.dropLast())\(text.last == "0" ? "1" : "0")",
            text.uppercased(), " \(text)", "\(text.prefix(17))\(other.dropFirst(17))", "\(text.prefix(17)):\(rest)",
            "tap\(text.dropFirst(3))", String(repeating: "é", count: 41), String(repeating: "\0", count: 82),
        ]
        for text in wrong { #expect(accounts.caller(token: text) == nil, "\(text)") }
        #expect(accounts.caller(token: text) != nil)
    }

    @Test func `A revoked token opens nothing, at once and after a restart`() throws {
        let (token, text) = try accounts.createToken(name: "Lost", user: owner.id)
        clock.advance(milliseconds: 1)
        let (_, kept) = try accounts.createToken(name: "Kept", user: owner.id)
        #expect(accounts.caller(token: text) != nil)
        try accounts.revokeToken(token.id)
        for accounts in [accounts, try restarted()] {
            #expect(accounts.caller(token: text) == nil)
            #expect(accounts.caller(token: kept) != nil)
        }
        try accounts.revokeToken(token.id)
        #expect(throws: AccountsError.unknownToken("patZZZZZZZZZZZZZZ")) {
            try accounts.revokeToken(try #require(TokenID("patZZZZZZZZZZZZZZ")))
        }
        #expect(try accounts.listTokens().map(\.isRevoked) == [true, false])
    }

    @Test func `A token ends at the moment of its expiration`() throws {
        let expiration = Instant(milliseconds: clock.now.milliseconds + 1000)
        let (_, text) = try accounts.createToken(name: "Day", user: owner.id, expires: expiration)
        clock.advance(milliseconds: 999)
        #expect(accounts.caller(token: text) != nil)
        clock.advance(milliseconds: 1)
        #expect(accounts.caller(token: text) == nil)
        #expect(try restarted().caller(token: text) == nil)
    }

    @Test func `Tokens for what is not there are refused`() throws {
        let stranger = try #require(UserID("usr00000000000000"))
        let nowhere = try #require(BaseID("appZZZZZZZZZZZZZZ"))
        #expect(throws: AccountsError.unknownUser("usr00000000000000")) {
            try accounts.createToken(name: "X", user: stranger)
        }
        #expect(throws: AccountsError.unknownBase("appZZZZZZZZZZZZZZ")) {
            try accounts.createToken(name: "X", user: owner.id, bases: [nowhere])
        }
        #expect(throws: AccountsError.unknownScope("data.records:fly")) {
            try accounts.createToken(name: "X", user: owner.id, scopes: [Scope(rawValue: "data.records:fly")])
        }
        #expect(throws: AccountsError.noScopes) { try accounts.createToken(name: "X", user: owner.id, scopes: []) }
        #expect(throws: AccountsError.noBases) { try accounts.createToken(name: "X", user: owner.id, bases: []) }
        #expect(throws: AccountsError.invalidName) { try accounts.createToken(name: " ", user: owner.id) }
        #expect(throws: AccountsError.expirationPassed) {
            try accounts.createToken(name: "X", user: owner.id, expires: clock.now)
        }
        #expect(try accounts.listTokens().isEmpty)
    }

    @Test func `A token that the store did not keep opens nothing`() throws {
        storage.failure.withLock { $0 = .storageFull }
        #expect(throws: AccountsError.store(.storageFull)) { try accounts.createToken(name: "X", user: owner.id) }
        storage.failure.withLock { $0 = nil }
        #expect(try accounts.listTokens().isEmpty)
    }

    @Test func `A token is kept as its hash only`() throws {
        let (token, text) = try accounts.createToken(name: "Phone", user: owner.id)
        #expect(try accounts.listTokens() == [token])
        let secret = text.drop { $0 != "." }.dropFirst()
        #expect(!"\(token)".contains(secret))
        #expect(token.hash.count == 32)
    }

    @Test func `Uses are noted in memory and written together`() throws {
        let (first, text) = try accounts.createToken(name: "One", user: owner.id)
        clock.advance(milliseconds: 1)
        let (second, _) = try accounts.createToken(name: "Two", user: owner.id)
        clock.advance(milliseconds: 5)
        for _ in 0..<3 { _ = accounts.caller(token: text) }
        let time = clock.now
        #expect(try accounts.listTokens().map(\.lastUsedTime) == [time, nil])
        let writes = storage.writes.withLock { $0 }
        #expect(try restarted().listTokens().map(\.lastUsedTime) == [nil, nil])
        try accounts.writeLastUses()
        try accounts.writeLastUses()
        #expect(storage.writes.withLock { $0 } == writes + 1)
        #expect(try restarted().listTokens().map(\.lastUsedTime) == [time, nil])
        #expect(try accounts.listTokens().map(\.id) == [first.id, second.id])
    }

    @Test func `Uses that the store did not keep are written later`() throws {
        let (_, text) = try accounts.createToken(name: "One", user: owner.id)
        clock.advance(milliseconds: 5)
        _ = accounts.caller(token: text)
        storage.failure.withLock { $0 = .storageFull }
        #expect(throws: APIError.storageFull) { try accounts.writeLastUses() }
        storage.failure.withLock { $0 = nil }
        try accounts.writeLastUses()
        #expect(try restarted().listTokens().map(\.lastUsedTime) == [clock.now])
    }

    @Test func `Many threads may ask while tokens come and go`() async throws {
        let (_, text) = try accounts.createToken(name: "Stays", user: owner.id)
        let accounts = accounts
        let owner = owner
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 { #expect(accounts.caller(token: text) != nil) }
                }
            }
            group.addTask {
                for _ in 0..<50 {
                    let (token, text) = try accounts.createToken(name: "Goes", user: owner.id)
                    #expect(accounts.caller(token: text) != nil)
                    try accounts.revokeToken(token.id)
                    #expect(accounts.caller(token: text) == nil)
                }
            }
            try await group.waitForAll()
        }
    }
}
