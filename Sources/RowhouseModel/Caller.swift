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

    /// The base that is being made by this caller, and seen by no other.
    package let makes: BaseID?

    package init(user: User, token: TokenID, scopes: Set<Scope>, bases: Set<BaseID>?, makes: BaseID? = nil) {
        self.user = user
        self.token = token
        self.scopes = scopes
        held = Array(scopes)
        self.bases = bases
        self.makes = makes
    }

    /// The same caller as the one who makes a base.
    package func making(_ base: BaseID) -> Caller {
        Caller(user: user, token: token, scopes: scopes, bases: bases, makes: base)
    }

    /// Whether the token reaches the base.
    package func reaches(_ base: BaseID) -> Bool { bases?.contains(base) ?? true }
    /// Whether the token reaches the base and may see it already.
    package func sees(_ base: BaseSchema) -> Bool { reaches(base.id) && (!base.isBeingMade || makes == base.id) }
    /// Whether the token has the scope.
    package func holds(_ scope: Scope) -> Bool { held.contains(scope) }

    package static func == (left: Caller, right: Caller) -> Bool {
        left === right
            || (left.user == right.user && left.token == right.token && left.scopes == right.scopes
                && left.bases == right.bases && left.makes == right.makes)
    }
}
