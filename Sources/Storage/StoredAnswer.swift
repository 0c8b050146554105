package import CivilTime
package import RowhouseModel

/// The answer to a write that carried an `Idempotency-Key`.
package struct StoredAnswer: Sendable, Equatable {
    /// SHA-256 of the request.
    package let fingerprint: [UInt8]
    /// The JSON answered.
    package let body: [UInt8]
    package init(fingerprint: [UInt8], body: [UInt8]) {
        self.fingerprint = fingerprint
        self.body = body
    }
}

/// A personal access token as it is kept: its secret only as a hash.
package struct StoredToken: Sendable, Equatable {
    package let id: TokenID
    /// SHA-256 of the whole token text.
    package let hash: [UInt8]
    package let user: UserID
    package var name: String
    package var scopes: [Scope]
    /// Nil means every base.
    package var bases: [BaseID]?
    package let createdTime: Instant
    package var expirationTime: Instant?
    package var lastUsedTime: Instant?
    package var isRevoked: Bool

    package init(
        id: TokenID, hash: [UInt8], user: UserID, name: String, scopes: [Scope], bases: [BaseID]?,
        createdTime: Instant, expirationTime: Instant?, lastUsedTime: Instant?, isRevoked: Bool
    ) {
        self.id = id
        self.hash = hash
        self.user = user
        self.name = name
        self.scopes = scopes
        self.bases = bases
        self.createdTime = createdTime
        self.expirationTime = expirationTime
        self.lastUsedTime = lastUsedTime
        self.isRevoked = isRevoked
    }
}
