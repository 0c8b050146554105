import RowhouseModel
import Storage

/// An order on one version of a table, with all that reading by it needs.
final class ResolvedOrder {
    /// Kept alive so that its identity can stand for its version.
    let table: TableSchema
    let users: UserDirectory
    let encoder: SortKeyEncoder
    let definition: SortDefinition
    let isBackwards: Bool
    let fingerprint: String
    /// Whether an index can serve this order: not by cells that are made from other records.
    let hasIndex: Bool
    private let dependsOnUsers: Bool
    private var index: SortIndex?

    init?(order: [SortKey], table: TableSchema, users: UserDirectory) {
        guard let (definition, isBackwards) = SortDefinition.serving(order, of: table),
            let fingerprint = definition.fingerprint(in: table, users: users)
        else { return nil }
        self.table = table
        self.users = users
        self.definition = definition
        self.isBackwards = isBackwards
        self.fingerprint = fingerprint
        hasIndex = order.allSatisfy { table.fields[$0.field].type.hasSortKey }
        encoder = SortKeyEncoder(table: table, order: order, users: users)
        dependsOnUsers = order.contains { table.fields[$0.field].type.showsPeople }
    }

    /// Whether this still holds for these users.
    func isValid(for users: UserDirectory) -> Bool { !dependsOnUsers || users === self.users }

    /// The index that serves this order, if it is ready.
    func readyIndex(of physical: PhysicalTable, in registry: IndexRegistry) -> SortIndex? {
        if let index, index.status == .ready { return index }
        index = registry.indexes(ofTable: physical.number).first { index in
            index.status == .ready && index.definition == definition && index.fingerprint == fingerprint
        }
        return index
    }
}
