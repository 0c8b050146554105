package import RowhouseModel

/// Why a token or a user was not made, changed or found.
package enum AccountsError: Error, Equatable, Sendable {
    case unknownUser(String)
    case unknownBase(String)
    case unknownScope(String)
    case unknownToken(String)
    case noScopes
    case noBases
    case invalidName
    case invalidEmail
    case emailTaken(String)
    case expirationPassed
    /// The store failed.
    case store(APIError)
}

extension AccountsError: CustomStringConvertible {
    /// One English sentence for the person who asked.
    package var description: String {
        switch self {
        case .unknownUser(let user): "There is no user \(user)."
        case .unknownBase(let base): "There is no base \(base)."
        case .unknownScope(let scope):
            "There is no scope \(scope); the scopes are \(Scope.all.map(\.rawValue).joined(separator: ", "))."
        case .unknownToken(let token): "There is no token \(token)."
        case .noScopes: "A token needs one scope or more."
        case .noBases: "A token needs one base or more, or all."
        case .invalidName:
            "A name has 1 to \(NameRules.longestName) characters, none of them a control character."
        case .invalidEmail: "That is not an e-mail address."
        case .emailTaken(let email): "There is a user with the e-mail address \(email) already."
        case .expirationPassed: "The expiration must lie in the future."
        case .store(let error): error.message ?? error.type
        }
    }
}
