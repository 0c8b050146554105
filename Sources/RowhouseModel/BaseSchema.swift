package import CivilTime

/// A base as one version of the schema knows it: immutable, its tables in their order.
package final class BaseSchema: Sendable {
    package let id: BaseID
    package let name: String
    package let workspace: WorkspaceID
    package let createdTime: Instant
    package let tables: [TableSchema]
    /// Whether a table has a link field.
    package let hasLinks: Bool
    private let indexByID: [TableID: Int]
    private let indexByName: [String: Int]
    private let indexByFoldedName: [String: Int]

    package init(id: BaseID, name: String, workspace: WorkspaceID, createdTime: Instant, tables: [TableSchema]) {
        self.id = id
        self.name = name
        self.workspace = workspace
        self.createdTime = createdTime
        self.tables = tables
        hasLinks = tables.contains { $0.hasLinks }
        var byID: [TableID: Int] = [:]
        var byName: [String: Int] = [:]
        var byFolded: [String: Int] = [:]
        for (index, table) in tables.enumerated() {
            byID[table.id] = index
            byName[table.name] = index
            byFolded[table.name.lowercased()] = byFolded[table.name.lowercased()] ?? index
        }
        indexByID = byID
        indexByName = byName
        indexByFoldedName = byFolded
    }

    /// The table with this id.
    package func table(_ id: TableID) -> TableSchema? { indexByID[id].map { tables[$0] } }

    /// The table that a request names: by id, exact name, or name in another case.
    package func table(named reference: String) -> TableSchema? {
        if let id = TableID(reference), let index = indexByID[id] { return tables[index] }
        return (indexByName[reference] ?? indexByFoldedName[reference.lowercased()]).map { tables[$0] }
    }

    /// A copy with the table of the same id replaced, or added at the end.
    package func replacing(_ table: TableSchema) -> BaseSchema {
        var tables = self.tables
        if let index = indexByID[table.id] { tables[index] = table } else { tables.append(table) }
        return changed(tables: tables)
    }

    /// A copy with a table that it does not have, at this place among its tables.
    package func inserting(_ table: TableSchema, at place: Int) -> BaseSchema {
        var tables = self.tables
        tables.insert(table, at: min(max(0, place), tables.count))
        return changed(tables: tables)
    }

    /// A copy without the table.
    package func removing(_ id: TableID) -> BaseSchema { changed(tables: tables.filter { $0.id != id }) }

    private func changed(tables: [TableSchema]) -> BaseSchema {
        BaseSchema(id: id, name: name, workspace: workspace, createdTime: createdTime, tables: tables)
    }
}
