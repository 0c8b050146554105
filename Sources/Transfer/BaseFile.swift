package import RowhouseJSON
package import RowhouseModel

/// A base with its records as a document: what `base create --from` reads and `base export` writes.
///
/// Written by hand it is `{"name","tables":[{"name","description"?,"fields":[…],"records"?:[{"field": value}]}]}`.
/// An export says so in `format`; its tables, fields, views and records have identifiers, by which links and formulas
/// refer to each other, and a record's cells stand in `fields`.
package struct BaseFile: Sendable, Equatable {
    package struct Table: Sendable, Equatable {
        package let input: TableInput
        /// The cells of each record.
        package let records: [JSONObject]
        /// In an export, the identifier that each record had.
        package let recordIDs: [String]
        /// In an export, the schema with the identifiers that it had.
        package let copy: SchemaCopy.Table?
    }

    /// The document's greatest length in bytes.
    package static let limit = 64 * 1024 * 1024
    /// What an export says in `format`.
    package static let exportFormat = "rowhouse-base-1"

    package let name: String
    package let tables: [Table]
    /// The document itself.
    package let json: JSONObject

    /// The schema to copy, where the document is an export.
    package var schema: SchemaCopy? {
        let copies = tables.compactMap(\.copy)
        return copies.count == tables.count ? SchemaCopy(name: name, tables: copies) : nil
    }

    /// Reads the UTF-8 JSON of a document, which may begin with a byte order mark; `path` is for messages.
    package static func read(_ bytes: [UInt8], path: String) throws(TransferError) -> BaseFile {
        let value: JSONValue
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        do { value = try JSONParser.parse(bytes, limits: .init(bytes: limit)) } catch {
            throw .file("\(path) is not JSON: \(error.reason) at byte \(error.offset).")
        }
        do { return try BaseFile(value) } catch {
            guard case .file(let message) = error else { throw error }
            throw .file("\(path): \(message)")
        }
    }

    /// Checks the document's shape; what fields and cells may hold is the engine's to say.
    package init(_ value: JSONValue) throws(TransferError) {
        guard let object = value.objectValue, let name = object["name"]?.stringValue else {
            throw Self.wrong("the base", "an object with a \"name\"")
        }
        guard let tables = object["tables"]?.arrayValue, !tables.isEmpty else {
            throw Self.wrong("\"tables\"", "a list of one table or more")
        }
        let format = object["format"]
        guard format == nil || format == .string(Self.exportFormat) else {
            throw Self.wrong("\"format\"", "\"\(Self.exportFormat)\" or absent")
        }
        self.name = name
        json = object
        var read: [Table] = []
        for (index, table) in tables.enumerated() {
            read.append(try Self.table(table, isExport: format != nil, at: "tables[\(index)]"))
        }
        self.tables = read
        if format != nil { try checkRecords() }
    }

    private static func table(_ value: JSONValue, isExport: Bool, at place: String) throws(TransferError) -> Table {
        guard let object = value.objectValue, let name = object["name"]?.stringValue else {
            throw wrong(place, "an object with a \"name\"")
        }
        guard let fields = object["fields"]?.arrayValue, !fields.isEmpty else {
            throw wrong("\(place).fields", "a list of one field or more")
        }
        var inputs: [FieldInput] = []
        for (index, field) in fields.enumerated() {
            inputs.append(try self.field(field, at: "\(place).fields[\(index)]"))
        }
        let input = TableInput(name: name, description: object["description"]?.stringValue, fields: inputs)
        let records = try records(object["records"] ?? [], at: "\(place).records")
        guard isExport else { return Table(input: input, records: records, recordIDs: [], copy: nil) }
        var (cells, ids): ([JSONObject], [String]) = ([], [])
        for (index, record) in records.enumerated() {
            guard let id = record["id"]?.stringValue, let fields = record["fields"]?.objectValue else {
                throw wrong("\(place).records[\(index)]", "an object with \"id\" and \"fields\"")
            }
            ids.append(id)
            cells.append(fields)
        }
        let copy = try copy(object, input, at: place)
        return Table(input: input, records: cells, recordIDs: ids, copy: copy)
    }

    private static func field(_ value: JSONValue, at place: String) throws(TransferError) -> FieldInput {
        guard let object = value.objectValue, let name = object["name"]?.stringValue,
            let type = object["type"]?.stringValue
        else { throw wrong(place, "an object with a \"name\" and a \"type\"") }
        return FieldInput(
            name: name, type: type, description: object["description"]?.stringValue,
            options: object["options"]?.objectValue)
    }

    private static func records(_ value: JSONValue, at place: String) throws(TransferError) -> [JSONObject] {
        guard let elements = value.arrayValue else { throw wrong(place, "a list") }
        let records = elements.compactMap(\.objectValue)
        guard records.count == elements.count else { throw wrong(place, "a list of objects") }
        return records
    }

    static func wrong(_ place: String, _ expected: String) -> TransferError { .file("\(place) must be \(expected).") }
}
