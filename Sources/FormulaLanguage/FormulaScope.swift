package import RowhouseModel

/// The names that a formula may use.
///
/// Matching is as Airtable's: an id in braces, then the exact name, then the name in another case.
package struct FormulaScope: Sendable {
    /// One field as formulas see it.
    package struct Name: Sendable {
        package let id: FieldID
        package let name: String
        package let type: FormulaType
        package init(id: FieldID, name: String, type: FormulaType) {
            self.id = id
            self.name = name
            self.type = type
        }
    }

    package let names: [Name]
    private let byID: [FieldID: Int]
    private var byName: [String: Int]
    private var byFoldedName: [String: Int]

    package init(_ names: [Name]) {
        self.names = names
        var byID: [FieldID: Int] = [:]
        var byName: [String: Int] = [:]
        var byFoldedName: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            byID[name.id] = index
            byName[name.name] = byName[name.name] ?? index
            let folded = name.name.lowercased()
            byFoldedName[folded] = byFoldedName[folded] ?? index
        }
        self.byID = byID
        self.byName = byName
        self.byFoldedName = byFoldedName
    }

    /// The scope of a formula that is kept with field ids: a name means nothing there, so that no field that comes to
    /// be called `TRUE` changes what the formula says.
    package static func ofIDs(_ names: [Name]) -> FormulaScope {
        var scope = FormulaScope(names)
        scope.byName = [:]
        scope.byFoldedName = [:]
        return scope
    }

    /// The position in `names` of what a formula calls so.
    package func find(_ reference: String) -> Int? {
        if let id = FieldID(reference), let index = byID[id] { return index }
        return byName[reference] ?? byFoldedName[reference.lowercased()]
    }
}
