/// A table as one version of the schema knows it: immutable, shared by every request that reads it.
package final class TableSchema: Sendable {
    package let id: TableID
    package let base: BaseID
    package let name: String
    package let description: String?
    package let primaryFieldID: FieldID
    package let fields: [Field]
    package let views: [View]
    /// Counts up with every change of this table's schema.
    package let version: Int
    /// Whether there is a link field.
    package let hasLinks: Bool
    /// The positions of all fields: what a whole record is read by.
    package let positions: [Int]
    private let indexByID: [FieldID: Int]
    private let indexByName: [String: Int]

    package init(
        id: TableID, base: BaseID, name: String, description: String?, primaryFieldID: FieldID, fields: [Field],
        views: [View], version: Int
    ) {
        self.id = id
        self.base = base
        self.name = name
        self.description = description
        self.primaryFieldID = primaryFieldID
        self.fields = fields
        self.views = views
        self.version = version
        hasLinks = fields.contains { $0.type == .multipleRecordLinks }
        positions = Array(fields.indices)
        var byID: [FieldID: Int] = [:]
        var byName: [String: Int] = [:]
        for (index, field) in fields.enumerated() {
            byID[field.id] = index
            byName[field.name] = index
        }
        indexByID = byID
        indexByName = byName
    }

    /// The position in `fields` of the field with this id.
    package func index(of id: FieldID) -> Int? { indexByID[id] }

    /// The position in `fields` of the field that a request names: by id or exact name.
    package func index(named reference: String) -> Int? {
        if let id = FieldID(reference), let index = indexByID[id] { return index }
        return indexByName[reference]
    }

    /// The view that a request names, by id or exact name.
    package func view(named reference: String) -> View? {
        if let id = ViewID(reference), let view = views.first(where: { $0.id == id }) { return view }
        return views.first { $0.name == reference }
    }

    /// A copy with some parts changed and the version counted up.
    package func changed(
        name: String? = nil, description: String?? = nil, fields: [Field]? = nil, views: [View]? = nil
    ) -> TableSchema {
        TableSchema(
            id: id, base: base, name: name ?? self.name, description: description ?? self.description,
            primaryFieldID: primaryFieldID, fields: fields ?? self.fields,
            views: views ?? self.views,
            version: version + 1)
    }
}
