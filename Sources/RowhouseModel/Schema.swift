/// Everything a folder holds, as one committed version: immutable and shared.
package final class Schema: Sendable {
    /// Counts up with every change of any base.
    package let version: Int
    /// In order of creation.
    package let bases: [BaseSchema]
    private let byID: [BaseID: BaseSchema]

    package init(version: Int, bases: [BaseSchema]) {
        self.version = version
        self.bases = bases
        byID = Dictionary(bases.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The base with this id.
    package func base(_ id: BaseID) -> BaseSchema? { byID[id] }

    /// A copy with the base of the same id replaced, or added at the end.
    package func replacing(_ base: BaseSchema) -> Schema {
        var bases = self.bases
        if let index = bases.firstIndex(where: { $0.id == base.id }) { bases[index] = base } else { bases.append(base) }
        return Schema(version: version + 1, bases: bases)
    }

    /// A copy with a base that it does not have, at this place among its bases.
    package func inserting(_ base: BaseSchema, at place: Int) -> Schema {
        var bases = self.bases
        bases.insert(base, at: min(max(0, place), bases.count))
        return Schema(version: version + 1, bases: bases)
    }

    /// A copy without the base.
    package func removing(_ id: BaseID) -> Schema {
        Schema(version: version + 1, bases: bases.filter { $0.id != id })
    }
}
