import Accounts
import RowhouseModel
import Testing

@Suite struct UserTests {
    let storage: TestStorage
    let accounts: Accounts

    init() throws {
        let clock = TestClock()
        storage = try TestStorage(clock: clock)
        accounts = try Accounts(storage: storage) { clock.now }
    }

    @Test func `The first run makes the owner, later ones find them`() throws {
        let first = try accounts.ensureOwner()
        #expect(first.isNew)
        #expect(first.owner.email == "owner@localhost")
        #expect(first.owner.name == "Owner")
        _ = try accounts.createUser(email: "lin@example.org", name: "林")
        let second = try accounts.ensureOwner()
        #expect(!second.isNew)
        #expect(second.owner == first.owner)
        #expect(accounts.users().users.map(\.name) == ["Owner", "林"])
    }

    @Test func `No two users share an address, whatever its case`() throws {
        let user = try accounts.createUser(email: " Lin@Example.org ", name: " 林 小姐 ")
        #expect(user.email == "Lin@Example.org")
        #expect(user.name == "林 小姐")
        #expect(throws: AccountsError.emailTaken("lin@example.ORG")) {
            try accounts.createUser(email: "lin@example.ORG", name: "Other")
        }
        #expect(accounts.users().users == [user])
    }

    @Test(arguments: [
        "", "lin", "@", "lin@", "@example.org", "a@b@c", "a b@c", "a@b\nc", "a@b\u{7f}", "<a@b>", "a,b@c",
    ])
    func `What is no address is refused`(email: String) {
        #expect(throws: AccountsError.invalidEmail) { try accounts.createUser(email: email, name: "Lin") }
    }

    @Test func `Addresses and names have a greatest length`() throws {
        let domain = "@example.org"
        let longest = String(repeating: "a", count: 254 - domain.count) + domain
        #expect(throws: AccountsError.invalidEmail) { try accounts.createUser(email: "a" + longest, name: "Lin") }
        #expect(throws: AccountsError.invalidName) {
            try accounts.createUser(email: longest, name: String(repeating: "林", count: 201))
        }
        _ = try accounts.createUser(email: longest, name: String(repeating: "林", count: 200))
    }

    @Test(arguments: ["", "  ", "\u{3000}", "a\u{0}b", "a\nb", "\u{85}x\u{9b}"])
    func `What is no name is refused`(name: String) {
        #expect(throws: AccountsError.invalidName) { try accounts.createUser(email: "a@b", name: name) }
    }

    @Test func `The owner acts for the program with every right`() throws {
        let caller = try accounts.ownerAsCaller()
        #expect(caller.user.email == "owner@localhost")
        #expect(caller.scopes == Set(Scope.all))
        #expect(caller.bases == nil)
        #expect("\(caller.token)" == "pat00000000000000")
    }
}
