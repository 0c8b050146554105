import CivilTime
import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Testing

struct SchemaCodingTests {
    private static let name = Field(
        id: FieldID(text: IdentifierText(time: 0, counter: 1)), name: "Name", type: .singleLineText, options: .none)
    private static let cost = Field(
        id: FieldID(text: IdentifierText(time: 0, counter: 2)), name: "Cost", type: .currency,
        options: .currency(precision: 2, symbol: "$"), description: "In \"dollars\"")

    private static func table(description: String? = nil, views: [View]? = nil) -> TableSchema {
        TableSchema(
            id: TableID(text: IdentifierText(time: 0, counter: 3)),
            base: BaseID(text: IdentifierText(time: 0, counter: 4)),
            name: "Tasks", description: description, primaryFieldID: name.id, fields: [name, cost],
            views: views ?? [
                View(id: ViewID(text: IdentifierText(time: 0, counter: 5)), name: "Grid view", type: "grid")
            ],
            version: 1)
    }

    private static func base(_ tables: [TableSchema]) -> BaseSchema {
        BaseSchema(
            id: BaseID(text: IdentifierText(time: 0, counter: 4)), name: "Base",
            workspace: WorkspaceID(text: IdentifierText(time: 0, counter: 6)), createdTime: Instant(milliseconds: 0),
            tables: tables)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static let fieldsText =
        #"[{"type":"singleLineText","id":"fld00000000000001","name":"Name"},{"type":"currency","options":{"precision":2,"symbol":"$"},"id":"fld00000000000002","name":"Cost","description":"In \"dollars\""}]"#
    private static let tableText =
        #"{"id":"tbl00000000000003","name":"Tasks","primaryFieldId":"fld00000000000001","fields":\#(fieldsText),"views":[{"id":"viw00000000000005","name":"Grid view","type":"grid"}]}"#

    // MARK: written

    @Test func `A table is shown with its fields and views in Airtable's order of keys`() {
        #expect(Self.text(SchemaEncoder.table(Self.table())) == Self.tableText)
        #expect(
            Self.text(SchemaEncoder.table(Self.table(description: "About")))
                .hasPrefix(#"{"id":"tbl00000000000003","name":"Tasks","description":"About","primaryFieldId":"#))
    }

    @Test func `Tables of a base are shown with the visible fields of grid views only where asked for`() {
        let form = View(id: ViewID(text: IdentifierText(time: 0, counter: 7)), name: "Form", type: "form")
        let grid = Self.table().views[0]
        let base = Self.base([Self.table(views: [grid, form])])
        #expect(
            Self.text(SchemaEncoder.tables(Self.base([Self.table()]), visibleFieldIDs: false))
                == "{\"tables\":[\(Self.tableText)]}")
        let shown = Self.text(SchemaEncoder.tables(base, visibleFieldIDs: true))
        #expect(
            shown.hasSuffix(
                #""views":[{"id":"viw00000000000005","name":"Grid view","type":"grid","visibleFieldIds":["fld00000000000001","fld00000000000002"]},{"id":"viw00000000000007","name":"Form","type":"form"}]}]}"#
            ))
        #expect(Self.text(SchemaEncoder.tables(Self.base([]), visibleFieldIDs: true)) == #"{"tables":[]}"#)
    }

    @Test func `A new base is shown by its id and tables`() {
        #expect(
            Self.text(SchemaEncoder.createdBase(Self.base([Self.table()])))
                == "{\"id\":\"app00000000000004\",\"tables\":[\(Self.tableText)]}")
    }

    @Test func `Bases are listed with names and rights, and an offset where there is one`() {
        let base = #"{"id":"app00000000000004","name":"Base","permissionLevel":"create"}"#
        #expect(Self.text(SchemaEncoder.bases([Self.base([])], offset: nil)) == "{\"bases\":[\(base)]}")
        #expect(
            Self.text(SchemaEncoder.bases([Self.base([])], offset: "x")) == "{\"bases\":[\(base)],\"offset\":\"x\"}")
        #expect(Self.text(SchemaEncoder.bases([], offset: nil)) == #"{"bases":[]}"#)
    }

    @Test func `Views are listed and shown alone`() {
        let table = Self.table()
        #expect(
            Self.text(SchemaEncoder.views(of: [table], visibleFieldIDs: false))
                == #"{"views":[{"id":"viw00000000000005","name":"Grid view","type":"grid"}]}"#)
        #expect(
            Self.text(SchemaEncoder.view(table.views[0], of: table, visibleFieldIDs: true))
                == #"{"id":"viw00000000000005","name":"Grid view","type":"grid","visibleFieldIds":["fld00000000000001","fld00000000000002"]}"#
        )
    }

    @Test func `What is told about a base holds the parts that were asked for`() throws {
        let all = BaseInfoEncoder.Included(collaborators: true, inviteLinks: true, interfaces: true)
        let none = BaseInfoEncoder.Included(collaborators: false, inviteLinks: false, interfaces: false)
        let short = try Sample.json(
            Self.text(BaseInfoEncoder.encode(Self.base([]), users: Sample.users, included: none)))
        #expect(
            short.objectValue?.keys == ["id", "name", "createdTime", "permissionLevel", "workspaceId"])
        #expect(short.objectValue?["createdTime"] == "1970-01-01T00:00:00.000Z")
        let long = try Sample.object(
            Self.text(BaseInfoEncoder.encode(Self.base([]), users: Sample.users, included: all)))
        for key in ["interfaces", "groupCollaborators", "individualCollaborators", "collaborators", "inviteLinks"] {
            #expect(long[key]?.objectValue != nil, "\(key)")
        }
        let people = try #require(long["individualCollaborators"]?.objectValue?["baseCollaborators"]?.arrayValue)
        #expect(
            people.compactMap { $0.objectValue?["userId"]?.stringValue } == Sample.users.users.map(\.id.description))
    }

    // MARK: errors

    @Test func `Errors are written in Airtable's two shapes`() {
        #expect(Self.text(ErrorEncoder.encode(.notFound)) == #"{"error":"NOT_FOUND"}"#)
        #expect(
            Self.text(ErrorEncoder.encode(.unknownFieldName("a\\b")))
                == #"{"error":{"type":"UNKNOWN_FIELD_NAME","message":"Unknown field name: \"a\\b\""}}"#)
        #expect(
            Self.text(ErrorEncoder.encode(.iteratorNotAvailable))
                == #"{"error":{"type":"LIST_RECORDS_ITERATOR_NOT_AVAILABLE"}}"#)
    }

    // MARK: read

    private static func field(_ json: String) throws -> FieldInput { try SchemaDecoder.field(try Sample.json(json)) }
    private static func table(_ json: String) throws -> TableInput { try SchemaDecoder.table(try Sample.json(json)) }

    @Test func `A field is read with name, type and what else is sent`() throws {
        #expect(
            try Self.field(#"{"name":"A","type":"number","options":{"precision":1},"description":"d","id":"x"}"#)
                == FieldInput(name: "A", type: "number", description: "d", options: ["precision": 1]))
        #expect(
            try Self.field(#"{"name":"A","type":"number","options":null,"description":null}"#)
                == FieldInput(name: "A", type: "number", description: nil, options: nil))
    }

    @Test func `A table is read with its fields`() throws {
        let table = try Self.table(#"{"name":"T","description":"d","fields":[{"name":"A","type":"email"}]}"#)
        #expect(table.name == "T" && table.description == "d")
        #expect(table.fields == [FieldInput(name: "A", type: "email", description: nil, options: nil)])
    }

    @Test func `A base is read with its tables`() throws {
        let base = try SchemaDecoder.createBase(
            try Sample.object(
                #"{"name":"B","workspaceId":"wsp1","tables":[{"name":"T","fields":[{"name":"A","type":"email"}]}]}"#))
        #expect(base.name == "B" && base.workspace == "wsp1" && base.tables.map(\.name) == ["T"])
    }

    @Test func `What is missing or malformed in a schema call is refused`() {
        for json in [
            "[]", "{}", #"{"name":"A"}"#, #"{"type":"number"}"#, #"{"name":1,"type":"number"}"#,
            #"{"name":"A","type":1}"#, #"{"name":"A","type":"number","options":[]}"#,
            #"{"name":"A","type":"number","description":1}"#,
        ] { #expect(errorType { _ = try Self.field(json) } == "INVALID_REQUEST_UNKNOWN", "\(json)") }
        for json in [
            "{}", #"{"name":"T"}"#, #"{"name":"T","fields":[]}"#, #"{"name":"T","fields":{}}"#,
            #"{"fields":[{"name":"A","type":"email"}]}"#, #"{"name":"T","fields":["A"]}"#,
        ] { #expect(errorType { _ = try Self.table(json) } == "INVALID_REQUEST_UNKNOWN", "\(json)") }
        for json in [
            "{}", #"{"name":"B","workspaceId":"w","tables":[]}"#,
            #"{"name":"B","tables":[{"name":"T","fields":[{"name":"A","type":"email"}]}]}"#,
            #"{"workspaceId":"w","tables":[{"name":"T","fields":[{"name":"A","type":"email"}]}]}"#,
        ] {
            #expect(
                errorType { _ = try SchemaDecoder.createBase(try Sample.object(json)) } == "INVALID_REQUEST_UNKNOWN",
                "\(json)")
        }
    }

    @Test func `A description has up to 20,000 characters; null clears it`() throws {
        let longest = String(repeating: "é", count: 20_000)
        #expect(try SchemaDecoder.description(["description": .string(longest)]) == .some(longest))
        #expect(throws: APIError.invalidRequest) {
            try SchemaDecoder.description(["description": .string(longest + "x")])
        }
        #expect(try SchemaDecoder.description(["description": nil]) == .some(nil))
        #expect(try SchemaDecoder.description([:]) == nil)
    }
}
