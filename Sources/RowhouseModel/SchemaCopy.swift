/// A base to be made like another one: its schema, by the identifiers that the other one had.
package struct SchemaCopy: Sendable, Equatable {
    package struct Table: Sendable, Equatable {
        package var id: String
        package var input: TableInput
        /// The identifiers of the fields, in the order of `input.fields`.
        package var fieldIDs: [String]
        package var primaryFieldID: String
        package var views: [View]

        package init(id: String, input: TableInput, fieldIDs: [String], primaryFieldID: String, views: [View]) {
            self.id = id
            self.input = input
            self.fieldIDs = fieldIDs
            self.primaryFieldID = primaryFieldID
            self.views = views
        }
    }

    package struct View: Sendable, Equatable {
        package var id: String
        package var name: String
        package var type: String
        package var filter: String?
        package var sort: [SortRequest]
        /// Nil shows every field.
        package var visibleFieldIDs: [String]?

        package init(
            id: String, name: String, type: String, filter: String?, sort: [SortRequest], visibleFieldIDs: [String]?
        ) {
            self.id = id
            self.name = name
            self.type = type
            self.filter = filter
            self.sort = sort
            self.visibleFieldIDs = visibleFieldIDs
        }
    }

    package var name: String
    package var tables: [Table]

    package init(name: String, tables: [Table]) {
        self.name = name
        self.tables = tables
    }
}
