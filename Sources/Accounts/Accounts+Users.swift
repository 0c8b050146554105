import Cryptography
package import RowhouseModel
import Storage

extension Accounts {
    /// Makes a user; no two share an e-mail address, whatever its case.
    package func createUser(email: String, name: String) throws(AccountsError) -> User {
        guard let email = NameRules.email(email) else { throw .invalidEmail }
        guard let name = NameRules.name(name) else { throw .invalidName }
        let id = UserID(random: RandomBytes.words())
        let user = try stored { (writer) throws(APIError) -> User? in
            guard writer.users.user(email: email) == nil else { return nil }
            let user = User(id: id, email: email, name: name, createdTime: writer.now)
            try writer.insert(user)
            return user
        }
        guard let user else { throw .emailTaken(email) }
        return user
    }

    /// The folder's first user, made now if there is none yet.
    package func ensureOwner() throws(AccountsError) -> (owner: User, isNew: Bool) {
        if let owner = storage.users.users.first { return (owner, false) }
        let id = UserID(random: RandomBytes.words())
        return try stored { (writer) throws(APIError) -> (owner: User, isNew: Bool) in
            if let owner = writer.users.users.first { return (owner, false) }
            let owner = User(id: id, email: "owner@localhost", name: "Owner", createdTime: writer.now)
            try writer.insert(owner)
            return (owner, true)
        }
    }

    /// The owner as the program itself acts for them: with every right and no token of their own.
    package func ownerAsCaller() throws(AccountsError) -> Caller {
        Caller(
            user: try ensureOwner().owner, token: TokenID(text: IdentifierText(time: 0, counter: 0)),
            scopes: Set(Scope.all), bases: nil)
    }
}
