import RowhouseJSON
package import RowhouseModel

/// Writes schemas in the JSON of the meta API.
package enum SchemaEncoder {
    /// `{"bases":[{"id","name","permissionLevel"}],"offset"?}`.
    package static func bases(_ bases: [BaseSchema], offset: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("bases")
        writer.beginArray()
        for base in bases {
            writer.beginObject()
            writer.member("id", base.id.description)
            writer.member("name", base.name)
            writer.member("permissionLevel", "create")
            writer.endObject()
        }
        writer.endArray()
        if let offset { writer.member("offset", offset) }
        writer.endObject()
        return writer.finish()
    }

    /// `{"tables":[…]}` of a base.
    package static func tables(_ base: BaseSchema, visibleFieldIDs: Bool) -> [UInt8] {
        var writer = JSONWriter(capacity: 4_096)
        writer.beginObject()
        writeTables(base, visibleFieldIDs: visibleFieldIDs, to: &writer)
        writer.endObject()
        return writer.finish()
    }

    /// `{"id","tables":[…]}` of a base just made.
    package static func createdBase(_ base: BaseSchema) -> [UInt8] {
        var writer = JSONWriter(capacity: 4_096)
        writer.beginObject()
        writer.member("id", base.id.description)
        writeTables(base, visibleFieldIDs: false, to: &writer)
        writer.endObject()
        return writer.finish()
    }

    /// A table with its fields and views.
    package static func table(_ table: TableSchema) -> [UInt8] {
        var writer = JSONWriter(capacity: 2_048)
        write(table, visibleFieldIDs: false, to: &writer)
        return writer.finish()
    }

    /// A field.
    package static func field(_ field: Field) -> [UInt8] {
        var writer = JSONWriter()
        write(field, to: &writer)
        return writer.finish()
    }

    /// `{"views":[…]}` of a base, or of one table.
    package static func views(of tables: [TableSchema], visibleFieldIDs: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("views")
        writer.beginArray()
        for table in tables {
            for view in table.views { write(view, of: table, visibleFieldIDs: visibleFieldIDs, to: &writer) }
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    /// One view.
    package static func view(_ view: View, of table: TableSchema, visibleFieldIDs: Bool) -> [UInt8] {
        var writer = JSONWriter()
        write(view, of: table, visibleFieldIDs: visibleFieldIDs, to: &writer)
        return writer.finish()
    }

    /// One view with all that is set for it, as the calls that make and change views answer it.
    package static func view(_ shown: TableView) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writeMembers(of: shown.view, in: shown.table, to: &writer)
        writeVisibleFields(of: shown.view, in: shown.table, to: &writer)
        writer.endObject()
        return writer.finish()
    }

    private static func writeTables(_ base: BaseSchema, visibleFieldIDs: Bool, to writer: inout JSONWriter) {
        writer.key("tables")
        writer.beginArray()
        for table in base.tables { write(table, visibleFieldIDs: visibleFieldIDs, to: &writer) }
        writer.endArray()
    }

    private static func write(_ table: TableSchema, visibleFieldIDs: Bool, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", table.id.description)
        writer.member("name", table.name)
        if let description = table.description { writer.member("description", description) }
        writer.member("primaryFieldId", table.primaryFieldID.description)
        writer.key("fields")
        writer.beginArray()
        for field in table.fields { write(field, to: &writer) }
        writer.endArray()
        writer.key("views")
        writer.beginArray()
        for view in table.views { write(view, of: table, visibleFieldIDs: visibleFieldIDs, to: &writer) }
        writer.endArray()
        writer.endObject()
    }

    private static func write(
        _ view: View, of table: TableSchema, visibleFieldIDs: Bool, to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writeMembers(of: view, in: table, to: &writer)
        if visibleFieldIDs, view.type == "grid" { writeVisibleFields(of: view, in: table, to: &writer) }
        writer.endObject()
    }

    /// Airtable's members, and ours where they say something.
    private static func writeMembers(of view: View, in table: TableSchema, to writer: inout JSONWriter) {
        writer.member("id", view.id.description)
        writer.member("name", view.name)
        writer.member("type", view.type)
        if let filter = view.filter { writer.member("filterByFormula", filter) }
        let sort = view.sort(in: table)
        guard !sort.isEmpty else { return }
        writer.key("sort")
        writer.beginArray()
        for key in sort {
            writer.beginObject()
            writer.member("field", key.field.description)
            writer.member("direction", key.direction.rawValue)
            writer.endObject()
        }
        writer.endArray()
    }

    private static func writeVisibleFields(of view: View, in table: TableSchema, to writer: inout JSONWriter) {
        writer.key("visibleFieldIds")
        writer.beginArray()
        for id in view.visibleFieldIDs(of: table.fields) { writer.string(id.description) }
        writer.endArray()
    }

    private static func write(_ field: Field, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("type", field.type.rawValue)
        if let options = FieldOptionsEncoder.encode(field.options) {
            writer.key("options")
            writer.value(.object(options))
        }
        writer.member("id", field.id.description)
        writer.member("name", field.name)
        if let description = field.description { writer.member("description", description) }
        writer.endObject()
    }
}

extension JSONWriter {
    mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }
}
