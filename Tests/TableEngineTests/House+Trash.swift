import RowhouseJSON
import RowhouseModel
import RowhouseWire
import SQLiteStorage
import TableEngine
import Testing

extension House {
    func trash(as caller: Caller? = nil) throws -> [TrashEntry] {
        try engine.listTrash(of: base, pageSize: 100, offset: nil, as: caller ?? owner).entries
    }

    @discardableResult
    func restore(_ id: String, as caller: Caller? = nil, key: String? = nil) throws -> JSONObject {
        let reference = try #require(TrashReference(id))
        let written = try engine.restore(
            reference, in: base, as: caller ?? owner, idempotency: Self.idempotency(key, id))
        let bytes: [UInt8] =
            switch written {
            case .now(let restoration): TrashEncoder.restoration(restoration)
            case .before(let bytes): bytes
            }
        return try #require(try JSONParser.parse(bytes).objectValue)
    }

    func deleteTable(_ name: String) throws {
        _ = try engine.deleteTable(TableReference(name), in: base, as: owner, idempotency: nil)
    }

    /// Every table as schema calls show it, and its records as lists show them.
    func everything() throws -> [String] {
        try (storage.schema.base(base)?.tables ?? []).flatMap { table in
            [String(decoding: SchemaEncoder.table(table), as: UTF8.self)]
                + (try walk([], table: table.name).joined().map { row in
                    row.id + String(decoding: JSONValue.object(row.fields).bytes, as: UTF8.self)
                })
        }
    }

    func history(_ id: String, table: String = "Tasks", as caller: Caller? = nil) throws -> [RecordHistoryEntry] {
        let request = RecordHistoryRequest(
            base: base, table: TableReference(table), record: try #require(RecordID(id)), pageSize: 100, offset: nil)
        return try engine.recordHistory(request, as: caller ?? owner).entries
    }

    @discardableResult
    func restoreCell(
        _ id: String, _ entry: RecordHistoryEntry, _ field: String, _ value: RestoreCellRequest.Value = .before,
        as caller: Caller? = nil
    ) throws -> Row {
        let request = RestoreCellRequest(
            base: base, table: TableReference("Tasks"), record: try #require(RecordID(id)), entry: entry.id,
            field: field, value: value)
        guard case .now(let written) = try engine.restoreCell(request, as: caller ?? owner, idempotency: nil) else {
            throw APIError.internalError
        }
        _ = written
        return try get(id)
    }
}
