import RowhouseJSON
import RowhouseModel

/// A base with its records as a document: what `base create --from` reads.
struct BaseFile: Sendable, Equatable {
    struct Table: Sendable, Equatable {
        let input: TableInput
        let records: [JSONObject]
    }

    /// The document's greatest length in bytes.
    static let limit = 64 * 1024 * 1024

    let name: String
    let tables: [Table]

    /// Reads the UTF-8 JSON of a document; `path` is for messages.
    static func read(_ bytes: [UInt8], path: String) throws(CommandError) -> BaseFile {
        let value: JSONValue
        do { value = try JSONParser.parse(bytes, limits: .init(bytes: limit)) } catch {
            throw CommandError(.failure, "\(path) is not JSON: \(error.reason) at byte \(error.offset).")
        }
        do { return try BaseFile(value) } catch { throw CommandError(.failure, "\(path): \(error.message)") }
    }

    /// Checks the document's shape; what fields and cells may hold is the engine's to say.
    init(_ value: JSONValue) throws(CommandError) {
        guard let object = value.objectValue, let name = object["name"]?.stringValue else {
            throw Self.wrong("the base", "an object with a \"name\"")
        }
        guard let tables = object["tables"]?.arrayValue, !tables.isEmpty else {
            throw Self.wrong("\"tables\"", "a list of one table or more")
        }
        self.name = name
        var read: [Table] = []
        for (index, table) in tables.enumerated() { read.append(try Self.table(table, at: "tables[\(index)]")) }
        self.tables = read
    }

    private static func table(_ value: JSONValue, at place: String) throws(CommandError) -> Table {
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
        return Table(
            input: TableInput(name: name, description: object["description"]?.stringValue, fields: inputs),
            records: try records(object["records"] ?? [], at: "\(place).records"))
    }

    private static func field(_ value: JSONValue, at place: String) throws(CommandError) -> FieldInput {
        guard let object = value.objectValue, let name = object["name"]?.stringValue,
            let type = object["type"]?.stringValue
        else { throw wrong(place, "an object with a \"name\" and a \"type\"") }
        return FieldInput(
            name: name, type: type, description: object["description"]?.stringValue,
            options: object["options"]?.objectValue)
    }

    private static func records(_ value: JSONValue, at place: String) throws(CommandError) -> [JSONObject] {
        guard let elements = value.arrayValue else { throw wrong(place, "a list") }
        let records = elements.compactMap(\.objectValue)
        guard records.count == elements.count else { throw wrong(place, "a list of objects") }
        return records
    }

    private static func wrong(_ place: String, _ expected: String) -> CommandError {
        CommandError(.failure, "\(place) must be \(expected).")
    }
}

extension BaseFile {
    /// The document again.
    var json: JSONObject {
        ["name": .string(name), "tables": .array(tables.map { .object($0.json) })]
    }
}

extension BaseFile.Table {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["name": .string(input.name)]
        object["description"] = input.description.map { .string($0) }
        object["fields"] = .array(input.fields.map { .object($0.json) })
        object["records"] = .array(records.map { .object($0) })
        return object
    }
}

extension FieldInput {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["name": .string(name), "type": .string(type)]
        object["description"] = description.map { .string($0) }
        object["options"] = options.map { .object($0) }
        return object
    }
}
