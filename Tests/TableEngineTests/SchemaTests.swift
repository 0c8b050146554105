import RowhouseJSON
import RowhouseModel
import RowhouseWire
import TableEngine
import Testing

struct SchemaTests {
    let house: House
    init() throws { house = try House() }

    private func createTable(_ body: String) throws -> TableSchema {
        let input = try SchemaDecoder.table(.object(try House.object(body)))
        guard
            case .now(let table) = try house.engine.createTable(
                input, in: house.base, as: house.owner, idempotency: nil)
        else { throw APIError.internalError }
        return table
    }

    private func createField(_ body: String, table: String = "Tasks") throws -> Field {
        let input = try SchemaDecoder.field(.object(try House.object(body)))
        guard
            case .now(let field) = try house.engine.createField(
                input, table: TableReference(table), in: house.base, as: house.owner, idempotency: nil)
        else { throw APIError.internalError }
        return field
    }

    /// The id of a field of Tasks; for a name that there is not, an id that there is not.
    private func fieldID(_ name: String) throws -> FieldID {
        try house.table().fields.first { $0.name == name }?.id ?? FieldID(text: IdentifierText(time: 0, counter: 0))
    }

    private func updateField(_ field: String, _ body: String, table: String = "Tasks") throws -> Field {
        let body = try House.object(body)
        let request = UpdateFieldRequest(
            base: house.base, table: TableReference(table), field: try fieldID(field),
            name: try SchemaDecoder.name(body),
            description: try SchemaDecoder.description(body), options: try SchemaDecoder.options(body),
            type: body["type"]?.stringValue)
        guard case .now(let field) = try house.engine.updateField(request, as: house.owner, idempotency: nil) else {
            throw APIError.internalError
        }
        return field
    }

    private func updateTable(_ table: String, name: String? = nil, description: String?? = nil) throws -> TableSchema {
        let request = UpdateTableRequest(
            base: house.base, table: TableReference(table), name: name, description: description)
        guard case .now(let table) = try house.engine.updateTable(request, as: house.owner, idempotency: nil) else {
            throw APIError.internalError
        }
        return table
    }

    private func tables() throws -> [TableSchema] {
        try house.engine.baseSchema(house.base, as: house.owner).tables
    }

    // MARK: tables

    @Test func `A new table stands at the end, with one grid view and its first field as primary`() throws {
        let made = try createTable(
            #"{"name":"New","description":"d","fields":[{"name":"A","type":"email"},{"name":"B","type":"number","options":{"precision":1}}]}"#
        )
        #expect(made.primaryFieldID == made.fields[0].id && made.description == "d")
        #expect(made.views.map(\.name) == ["Grid view"] && made.views.map(\.type) == ["grid"])
        #expect(try tables().map(\.name) == ["Tasks", "Other", "New"])
        try house.restart()
        let again = try #require(try tables().last)
        #expect(again.id == made.id && again.fields == made.fields && again.views == made.views)
        #expect(again.description == "d" && again.primaryFieldID == made.primaryFieldID)
    }

    @Test(arguments: [
        (#"{"name":"tasks","fields":[{"name":"A","type":"email"}]}"#, "DUPLICATE_TABLE_NAME"),
        (#"{"name":"","fields":[{"name":"A","type":"email"}]}"#, "DUPLICATE_TABLE_NAME"),
        (
            #"{"name":"N","fields":[{"name":"A","type":"email"},{"name":"a","type":"email"}]}"#,
            "DUPLICATE_OR_EMPTY_FIELD_NAME"
        ),
        (#"{"name":"N","fields":[{"name":"","type":"email"}]}"#, "DUPLICATE_OR_EMPTY_FIELD_NAME"),
        (#"{"name":"N","fields":[{"name":"A","type":"nope"}]}"#, "INVALID_REQUEST_UNKNOWN"),
        (#"{"name":"N","fields":[{"name":"A","type":"number"}]}"#, "INVALID_REQUEST_UNKNOWN"),
        (#"{"name":"N","fields":[{"name":"A","type":"aiText","options":{}}]}"#, "UNSUPPORTED_FIELD_TYPE_FOR_CREATE"),
        (#"{"name":"N","fields":[{"name":"A","type":"singleCollaborator"}]}"#, "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE"),
        (
            #"{"name":"N","fields":[{"name":"A","type":"checkbox","options":{"icon":"check","color":"redBright"}}]}"#,
            "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE"
        ),
    ])
    func `A table that breaks a rule is not made`(body: String, type: String) throws {
        #expect(failure { _ = try createTable(body) }?.type == type)
        #expect(try tables().count == 2)
    }

    @Test func `A table is renamed and described, and is found by its new name`() throws {
        let made = try house.create(#"{"fields":{"Name":"A"}}"#).rows[0]
        #expect(try updateTable("Tasks", name: "Jobs", description: .some("d")).name == "Jobs")
        #expect(try house.list(table: "Jobs").rows == [made])
        #expect(failure { _ = try house.list(table: "Tasks") } == .invalidPermissionsOrModelNotFound)
        #expect(try updateTable("Jobs", description: .some(nil)).description == nil)
        #expect(try updateTable("Jobs", name: "JOBS").name == "JOBS")
        #expect(failure { _ = try updateTable("JOBS", name: "other") } == .duplicateTableName)
        #expect(failure { _ = try updateTable("JOBS") } == .invalidRequest)
    }

    @Test func `A deleted table is gone with its records, and its name is free`() throws {
        let id = try house.create(#"{"fields":{"Name":"A"}}"#).rows[0].id
        _ = try house.engine.deleteTable(TableReference("Tasks"), in: house.base, as: house.owner, idempotency: nil)
        #expect(try tables().map(\.name) == ["Other"])
        #expect(failure { _ = try house.list() } == .invalidPermissionsOrModelNotFound)
        #expect(failure { _ = try house.get(id, table: "Other") } == .recordNotFound)
        _ = try createTable(House.everyField)
        #expect(try house.list().rows.isEmpty)
    }

    @Test func `A deleted base is gone`() throws {
        _ = try house.engine.deleteBase(house.base, as: house.owner, idempotency: nil)
        #expect(try house.engine.listBases(as: house.owner).isEmpty)
        #expect(failure { _ = try house.list() } == .invalidPermissionsOrModelNotFound)
        try house.restart()
        #expect(try house.engine.listBases(as: house.owner).isEmpty)
    }

    @Test func `A token for certain bases makes no base`() throws {
        let request = try SchemaDecoder.createBase(
            try House.object("{\"name\":\"B\",\"workspaceId\":\"w\",\"tables\":[\(House.other)]}"))
        #expect(
            failure {
                _ = try house.engine.createBase(
                    request, as: House.caller(House.ada, bases: [house.base]), idempotency: nil)
            } == .invalidPermissions)
        #expect(
            failure {
                _ = try house.engine.createBase(
                    request, as: House.caller(House.ada, scopes: [.schemaRead]), idempotency: nil)
            } == .invalidPermissions)
    }

    // MARK: fields

    @Test func `A new field is empty in every record and can be written`() throws {
        let id = try house.create(#"{"fields":{"Name":"A"}}"#).rows[0].id
        let field = try createField(
            #"{"name":"Price","type":"currency","options":{"precision":2,"symbol":"$"},"description":"d"}"#)
        #expect(field.description == "d")
        #expect(try tables()[0].fields.last == field)
        #expect(try house.get(id)["Price"] == nil)
        #expect(try house.updateOne(id, #"{"fields":{"Price":2.5}}"#)["Price"] == 2.5)
        try house.restart()
        #expect(try house.get(id)["Price"] == 2.5)
    }

    @Test(arguments: ["Name", "name", "NAME", ""])
    func `A field's name is taken once, whatever the case`(name: String) throws {
        #expect(
            failure { _ = try createField("{\"name\":\"\(name)\",\"type\":\"email\"}") } == .duplicateOrEmptyFieldName)
        #expect(failure { _ = try updateField("Notes", "{\"name\":\"\(name)\"}") } == .duplicateOrEmptyFieldName)
    }

    @Test func `A field keeps its cells when it is renamed, also to another case`() throws {
        let id = try house.create(#"{"fields":{"Name":"A","Count":5}}"#).rows[0].id
        #expect(try updateField("Count", #"{"name":"COUNT"}"#).name == "COUNT")
        #expect(try house.get(id)["COUNT"] == 5)
        #expect(failure { _ = try house.updateOne(id, #"{"fields":{"Count":1}}"#) } == .unknownFieldName("Count"))
        #expect(try updateField("COUNT", #"{"description":"d"}"#).description == "d")
        #expect(try updateField("COUNT", #"{"options":{"precision":3}}"#).options == .number(precision: 3))
        #expect(try house.get(id)["COUNT"] == 5)
    }

    @Test func `A field that is changed to nothing or not there is refused`() throws {
        #expect(failure { _ = try updateField("Count", "{}") } == .invalidRequest)
        #expect(failure { _ = try updateField("Nope", #"{"name":"X"}"#) } == .invalidPermissionsOrModelNotFound)
        #expect(
            failure { _ = try updateField("Count", #"{"options":{"precision":99}}"#) }?.type
                == "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE")
    }

    @Test func `Renamed and moved choices keep their cells, removed ones empty them`() throws {
        let rows = try house.create(
            #"{"records":[{"fields":{"Status":"todo","Tags":["red","green"]}},{"fields":{"Status":"done","Tags":["red"]}}]}"#
        ).rows
        let status = try #require(try house.table().fields.first { $0.name == "Status" }).choices
        _ = try updateField(
            "Status",
            "{\"options\":{\"choices\":[{\"id\":\"\(status[2].id)\",\"name\":\"finished\"},{\"name\":\"new\"},{\"id\":\"\(status[1].id)\"}]}}"
        )
        _ = try updateField("Tags", #"{"options":{"choices":[{"name":"green"}]}}"#)
        #expect(try house.get(rows[0].id)["Status"] == nil && house.get(rows[0].id)["Tags"] == ["green"])
        #expect(try house.get(rows[1].id)["Status"] == "finished" && house.get(rows[1].id)["Tags"] == nil)
        // The choice made now does not take up cells of the one removed.
        #expect(try house.create(#"{"fields":{"Status":"new"}}"#).rows[0]["Status"] == "new")
        #expect(try house.list([("sort[0][field]", "Status")]).rows.map { $0["Status"] } == [nil, "finished", "new"])
    }

    @Test func `A deleted field is gone from records, and its name is free`() throws {
        let id = try house.create(#"{"fields":{"Name":"A","Count":5}}"#).rows[0].id
        _ = try house.engine.deleteField(
            try fieldID("Count"), table: TableReference("Tasks"), in: house.base, as: house.owner, idempotency: nil)
        #expect(try house.get(id)["Count"] == nil)
        #expect(failure { _ = try house.updateOne(id, #"{"fields":{"Count":1}}"#) } == .unknownFieldName("Count"))
        _ = try createField(#"{"name":"Count","type":"singleLineText"}"#)
        #expect(try house.get(id)["Count"] == nil)
        #expect(
            failure {
                _ = try house.engine.deleteField(
                    try fieldID("Name"), table: TableReference("Tasks"), in: house.base, as: house.owner,
                    idempotency: nil)
            }?.type == "INVALID_REQUEST_UNKNOWN")
    }

    // MARK: the change log

    @Test func `Every write leaves who did what, with the values before and after`() throws {
        let bob = House.caller(House.bob)
        let count = try #require(try house.table().fields.first { $0.name == "Count" }).id.description
        let name = try #require(try house.table().fields.first { $0.name == "Name" }).id.description
        let start = try house.changes().count
        let id = try house.create(#"{"fields":{"Name":"A","Notes":null}}"#, as: bob).rows[0].id
        _ = try house.updateOne(id, #"{"fields":{"Name":"A","Count":5}}"#)
        _ = try house.updateOne(id, #"{"fields":{"Name":"A"}}"#)
        try house.delete([id])
        let changes = try Array(house.changes().dropFirst(start))
        // The second update changes nothing and leaves nothing.
        #expect(changes.map(\.kind) == ["createRecords", "updateRecords", "deleteRecords"])
        #expect(changes.allSatisfy { $0.payload["records"]?.arrayValue?.count == 1 })
        let cells = changes.map { $0.payload["records"]?.arrayValue?.first?.objectValue?["cells"] }
        #expect(cells[0] == .object([name: [nil, "A"]]))
        #expect(cells[1] == .object([count: [nil, 5]]))
        // All that is kept goes, the time of the last change too.
        let changed = try #require(try house.table().fields.first { $0.name == "Changed" }).id.description
        #expect(cells[2]?.objectValue?[name] == ["A", nil] && cells[2]?.objectValue?[count] == [5, nil])
        #expect(Set(cells[2]?.objectValue?.keys ?? []) == [name, count, changed])
        #expect(
            Set(changes.compactMap { $0.payload["records"]?.arrayValue?.first?.objectValue?["id"]?.stringValue }) == [
                id
            ])
        #expect(changes[0].user != changes[1].user && changes[1].user == changes[2].user)
    }

    @Test func `A change of the schema leaves the table before and after`() throws {
        let start = try house.changes().count
        _ = try createField(#"{"name":"New","type":"email"}"#)
        _ = try house.create(#"{"fields":{"Status":"added"},"typecast":true}"#)
        _ = try createTable(#"{"name":"Third","fields":[{"name":"A","type":"email"}]}"#)
        _ = try house.engine.deleteTable(TableReference("Third"), in: house.base, as: house.owner, idempotency: nil)
        let changes = try Array(house.changes().dropFirst(start))
        #expect(
            changes.map(\.kind) == ["updateTable", "updateTable", "createRecords", "createTable", "deleteTable"])
        let schemas = changes.map { $0.payload["schema"]?.arrayValue ?? [] }
        #expect(schemas[0].compactMap { $0.objectValue?["fields"]?.arrayValue?.count } == [12, 13])
        #expect(schemas[1].count == 2 && schemas[1][0] != schemas[1][1])
        #expect(schemas[3].map(\.isNull) == [true, false])
        #expect(schemas[4].map(\.isNull) == [false, true])
    }

    @Test func `A write that fails leaves nothing in the change log`() throws {
        let start = try house.changes().count
        #expect(failure { _ = try house.create(#"{"records":[{"fields":{}},{"fields":{"Nope":1}}]}"#) } != nil)
        #expect(failure { try house.delete(["rec00000000000000"]) } != nil)
        #expect(try house.changes().count == start)
    }
}
