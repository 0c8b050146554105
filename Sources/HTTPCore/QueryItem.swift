/// One decoded parameter of a query.
package struct QueryItem: Hashable, Sendable {
    package let name: String
    /// Empty for a parameter without an equals sign.
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
