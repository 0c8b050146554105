import RowhouseJSON
import RowhouseModel
import RowhouseWire
import TableEngine
import Testing

/// Schema calls, with the bodies that clients send.
extension House {
    @discardableResult
    func makeField(_ body: String, in table: String = "Tasks") throws -> Field {
        let input = try SchemaDecoder.field(.object(try Self.object(body)))
        guard
            case .now(let field) = try engine.createField(
                input, table: TableReference(table), in: base, as: owner, idempotency: nil)
        else { throw APIError.internalError }
        return field
    }

    /// Makes a link field from one table to another; the options with the id of the linked table in place of `@`.
    @discardableResult
    func makeLink(_ name: String, from table: String, to linked: String, more: String = "") throws -> Field {
        let id = try self.table(linked).id
        return try makeField(
            "{\"name\":\"\(name)\",\"type\":\"multipleRecordLinks\",\"options\":{\"linkedTableId\":\"\(id)\"\(more)}}",
            in: table)
    }

    func makeTable(_ body: String) throws -> TableSchema {
        let input = try SchemaDecoder.table(.object(try Self.object(body)))
        guard case .now(let table) = try engine.createTable(input, in: base, as: owner, idempotency: nil) else {
            throw APIError.internalError
        }
        return table
    }

    func changeField(_ field: Field, _ body: String, in table: String) throws -> Field {
        let body = try Self.object(body)
        let request = UpdateFieldRequest(
            base: base, table: TableReference(table), field: field.id, name: try SchemaDecoder.name(body),
            description: try SchemaDecoder.description(body), options: try SchemaDecoder.options(body),
            type: body["type"]?.stringValue)
        guard case .now(let field) = try engine.updateField(request, as: owner, idempotency: nil) else {
            throw APIError.internalError
        }
        return field
    }

    func deleteField(_ field: Field, in table: String) throws {
        _ = try engine.deleteField(field.id, table: TableReference(table), in: base, as: owner, idempotency: nil)
    }

    func field(_ name: String, in table: String) throws -> Field? {
        try self.table(table).fields.first { $0.name == name }
    }
}

extension Field {
    /// The options of a link field.
    var links: LinkOptions? {
        if case .links(let links) = options { links } else { nil }
    }
}
