/// Who makes a call, and what the token that came with it allows.
///
/// One object for all calls of a token, since every request hands it down through all floors.
package final class Caller: Sendable, Equatable {
    package let user: User
    package let token: TokenID
    package let scopes: Set<Scope>
    /// The bases that the token reaches; nil means all, also those made later.
    package let bases: Set<BaseID>?
    /// The scopes in a row: they are few, and asked for with every request.
    private let held: [Scope]

    package init(user: User, token: TokenID, scopes: Set<Scope>, bases: Set<BaseID>?) {
        self.user = user
        self.token = token
        self.scopes = scopes
        held = Array(scopes)
        self.bases = bases
    }

    /// Whether the token reaches the base.
    package func reaches(_ base: BaseID) -> Bool { bases?.contains(base) ?? true }
    /// Whether the token has the scope.
    package func holds(_ scope: Scope) -> Bool { held.contains(scope) }

    package static func == (left: Caller, right: Caller) -> Bool {
        left === right
            || (left.user == right.user && left.token == right.token && left.scopes == right.scopes
                && left.bases == right.bases)
    }
}
