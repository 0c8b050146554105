/// One decoded segment of a path, in the two forms clients mean.
package struct PathSegment: Hashable, Sendable {
    /// Decoded as RFC 3986 says: a plus sign is a plus sign.
    package let exact: String
    /// Decoded as some clients write table names: a plus sign is a space.
    package let plusAsSpace: String

    package init(exact: String, plusAsSpace: String) {
        self.exact = exact
        self.plusAsSpace = plusAsSpace
    }
}
