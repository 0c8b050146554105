package import CivilTime

/// A person (or a program acting as one) known to this folder.
package struct User: Sendable, Equatable {
    package let id: UserID
    package var email: String
    package var name: String
    package let createdTime: Instant

    package init(id: UserID, email: String, name: String, createdTime: Instant) {
        self.id = id
        self.email = email
        self.name = name
        self.createdTime = createdTime
    }
}

/// Everyone known to this folder, as one committed version.
package final class UserDirectory: Sendable {
    /// Counts up with every change.
    package let version: Int
    /// In order of creation; the first is the owner.
    package let users: [User]
    private let byID: [UserID: User]
    private let byEmail: [String: User]

    package init(version: Int, users: [User]) {
        self.version = version
        self.users = users
        byID = Dictionary(users.map { ($0.id, $0) }) { first, _ in first }
        byEmail = Dictionary(users.map { ($0.email.lowercased(), $0) }) { first, _ in first }
    }

    /// The user with this id.
    package func user(_ id: UserID) -> User? { byID[id] }
    /// The user with this e-mail address, whatever its case.
    package func user(email: String) -> User? { byEmail[email.lowercased()] }
    /// The first user of this display name.
    package func user(name: String) -> User? { users.first { $0.name == name } }
}
