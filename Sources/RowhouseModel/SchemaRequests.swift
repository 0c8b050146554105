package import RowhouseJSON

/// A field as a schema call describes it, its options not yet checked.
package struct FieldInput: Sendable, Equatable {
    package var name: String
    package var type: String
    package var description: String?
    package var options: JSONObject?
    package init(name: String, type: String, description: String?, options: JSONObject?) {
        self.name = name
        self.type = type
        self.description = description
        self.options = options
    }
}

/// A table as a schema call describes it.
package struct TableInput: Sendable, Equatable {
    package var name: String
    package var description: String?
    /// The first becomes the primary field.
    package var fields: [FieldInput]
    package init(name: String, description: String?, fields: [FieldInput]) {
        self.name = name
        self.description = description
        self.fields = fields
    }
}

/// Airtable's "Create base".
package struct CreateBaseRequest: Sendable, Equatable {
    package var name: String
    package var workspace: String
    package var tables: [TableInput]
    package init(name: String, workspace: String, tables: [TableInput]) {
        self.name = name
        self.workspace = workspace
        self.tables = tables
    }
}

/// Airtable's "Update table".
package struct UpdateTableRequest: Sendable, Equatable {
    package var base: BaseID
    package var table: TableReference
    package var name: String?
    /// The inner nil clears the description.
    package var description: String??
    package init(base: BaseID, table: TableReference, name: String?, description: String??) {
        self.base = base
        self.table = table
        self.name = name
        self.description = description
    }
}

/// Airtable's "Update field".
package struct UpdateFieldRequest: Sendable, Equatable {
    package var base: BaseID
    package var table: TableReference
    package var field: FieldID
    package var name: String?
    package var description: String??
    package var options: JSONObject?
    /// The type asked for, where one was sent.
    package var type: String?
    package init(
        base: BaseID, table: TableReference, field: FieldID, name: String?, description: String??,
        options: JSONObject?, type: String?
    ) {
        self.base = base
        self.table = table
        self.field = field
        self.name = name
        self.description = description
        self.options = options
        self.type = type
    }
}
