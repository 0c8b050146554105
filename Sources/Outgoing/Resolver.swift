package import RowhouseModel

/// Finds the addresses of a name.
package protocol Resolver: Sendable {
    /// All addresses of a name, the best first; never an empty list. Blocks.
    func addresses(of name: String) throws(RemoteFileError) -> [NetworkAddress]
}
