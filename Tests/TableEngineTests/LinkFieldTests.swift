import RowhouseJSON
import RowhouseModel
import RowhouseWire
import TableEngine
import Testing

struct LinkFieldTests {
    let house: House
    init() throws { house = try House() }

    @Test func `A new link field has another side, named after its own table with a number if that is taken`() throws {
        let first = try house.makeLink("Part of", from: "Tasks", to: "Other")
        let inverse = try #require(try house.field("Tasks", in: "Other"))
        #expect(inverse.type == .multipleRecordLinks)
        #expect(first.links?.inverseLinkFieldID == inverse.id && inverse.links?.inverseLinkFieldID == first.id)
        #expect(try inverse.links?.linkedTableID == house.table().id)
        try house.makeLink("Again", from: "Tasks", to: "Other")
        try house.makeLink("And again", from: "Tasks", to: "Other")
        #expect(try house.table("Other").fields.map(\.name) == ["Name", "Tasks", "Tasks 2", "Tasks 3"])
        // The names that fields had are not case to case apart.
        try house.makeField(#"{"name":"other","type":"email"}"#, in: "Tasks")
        try house.makeLink("Back", from: "Other", to: "Tasks")
        #expect(try house.table().fields.last?.name == "Other 2")
        try house.restart()
        #expect(try house.field("Part of", in: "Tasks") == first)
        #expect(try house.field("Tasks", in: "Other") == inverse)
    }

    @Test func `A link within one table has no other side`() throws {
        let count = try house.table().fields.count
        let parent = try house.makeLink("Parent", from: "Tasks", to: "Tasks")
        #expect(parent.links?.inverseLinkFieldID == nil)
        #expect(try house.table().fields.count == count + 1)
    }

    @Test func `Keys that only answers have are passed over, so that a schema can be sent as it was read`() throws {
        let field = try house.makeLink(
            "Part of", from: "Tasks", to: "Other",
            more: #","isReversed":true,"inverseLinkFieldId":"fld00000000000000","prefersSingleRecordLink":true"#)
        #expect(field.links?.isReversed == false && field.links?.prefersSingleRecordLink == true)
        #expect(field.links?.inverseLinkFieldID != FieldID("fld00000000000000"))
    }

    @Test func `Tables made together link to each other by name, whatever their order`() throws {
        let body = #"""
            {"name":"B","workspaceId":"wsp00000000000000","tables":[
            {"name":"Orders","fields":[{"name":"N","type":"email"},
              {"name":"Customer","type":"multipleRecordLinks","options":{"linkedTableId":"Customers"}},
              {"name":"Follows","type":"multipleRecordLinks","options":{"linkedTableId":"Orders"}}]},
            {"name":"Customers","fields":[{"name":"N","type":"email"},
              {"name":"Favourite","type":"multipleRecordLinks","options":{"linkedTableId":"Orders"}}]}]}
            """#
        let request = try SchemaDecoder.createBase(try House.object(body))
        guard case .now(let base) = try house.engine.createBase(request, as: house.owner, idempotency: nil) else {
            throw APIError.internalError
        }
        #expect(base.tables[0].fields.map(\.name) == ["N", "Customer", "Follows", "Customers"])
        #expect(base.tables[1].fields.map(\.name) == ["N", "Favourite", "Orders"])
        #expect(base.tables[0].fields[1].links?.inverseLinkFieldID == base.tables[1].fields[2].id)
        #expect(base.tables[0].fields[3].links?.inverseLinkFieldID == base.tables[1].fields[1].id)
        #expect(base.tables[0].fields[2].links?.inverseLinkFieldID == nil)
        let known = try house.engine.baseSchema(base.id, as: house.owner)
        #expect(known.tables.map(\.fields) == base.tables.map(\.fields))
    }

    @Test func `A table made later links to those there are and to itself`() throws {
        let other = try house.table("Other").id
        let made = try house.makeTable(
            "{\"name\":\"New\",\"fields\":[{\"name\":\"N\",\"type\":\"email\"},"
                + "{\"name\":\"O\",\"type\":\"multipleRecordLinks\",\"options\":{\"linkedTableId\":\"\(other)\"}},"
                + "{\"name\":\"S\",\"type\":\"multipleRecordLinks\",\"options\":{\"linkedTableId\":\"New\"}}]}")
        #expect(made.fields[1].links?.inverseLinkFieldID == (try house.field("New", in: "Other")?.id))
        #expect(made.fields[2].links?.linkedTableID == made.id)
        #expect(try house.table("New").fields == made.fields)
    }

    @Test(arguments: [
        (#"{"name":"L","type":"multipleRecordLinks"}"#, "INVALID_REQUEST_UNKNOWN"),
        (#"{"name":"L","type":"multipleRecordLinks","options":{}}"#, "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE"),
        (
            #"{"name":"L","type":"multipleRecordLinks","options":{"linkedTableId":"tbl00000000000000"}}"#,
            "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE"
        ),
        (
            #"{"name":"L","type":"multipleRecordLinks","options":{"linkedTableId":5}}"#,
            "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE"
        ),
        (
            #"{"name":"L","type":"multipleRecordLinks","options":{"linkedTableId":"Other","prefersSingleRecordLink":1}}"#,
            "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE"
        ),
        (
            #"{"name":"L","type":"multipleRecordLinks","options":{"linkedTableId":"Other","viewIdForRecordSelection":"viw00000000000000"}}"#,
            "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE"
        ),
        (
            #"{"name":"name","type":"multipleRecordLinks","options":{"linkedTableId":"Other"}}"#,
            "DUPLICATE_OR_EMPTY_FIELD_NAME"
        ),
    ])
    func `A link field that leads nowhere is not made, nor its other side`(body: String, type: String) throws {
        #expect(failure { try house.makeField(body) }?.type == type)
        #expect(try house.table("Other").fields.count == 1)
        #expect(try house.field("L", in: "Tasks") == nil)
    }

    @Test func `A link leads to no table of another base`() throws {
        let body =
            #"{"name":"B","workspaceId":"wsp00000000000000","tables":[{"name":"T","fields":[{"name":"N","type":"email"}]}]}"#
        let request = try SchemaDecoder.createBase(try House.object(body))
        guard case .now(let base) = try house.engine.createBase(request, as: house.owner, idempotency: nil) else {
            throw APIError.internalError
        }
        let id = base.tables[0].id
        let error = failure {
            try house.makeField(
                "{\"name\":\"L\",\"type\":\"multipleRecordLinks\",\"options\":{\"linkedTableId\":\"\(id)\"}}")
        }
        #expect(error?.message == "Invalid options for Tasks.L: there is no table \(id) in this base")
    }

    @Test func `A link field cannot be the primary one, and a full linked table takes no other side`() throws {
        let body =
            #"{"name":"P","fields":[{"name":"L","type":"multipleRecordLinks","options":{"linkedTableId":"Other"}}]}"#
        #expect(failure { _ = try house.makeTable(body) }?.type == "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE")
        for number in 1..<500 { try house.makeField("{\"name\":\"F \(number)\",\"type\":\"email\"}", in: "Other") }
        #expect(
            failure { try house.makeLink("L", from: "Tasks", to: "Other") }?.message
                == "Invalid options for Tasks.L: the linked table is full of fields")
        #expect(try house.field("L", in: "Tasks") == nil)
    }

    @Test func `The options of a link field are changed, but not where it leads`() throws {
        let field = try house.makeLink("Part of", from: "Tasks", to: "Other")
        let view = try house.table("Other").views[0].id
        let changed = try house.changeField(
            field,
            "{\"options\":{\"prefersSingleRecordLink\":true,\"viewIdForRecordSelection\":\"\(view)\",\"isReversed\":true}}",
            in: "Tasks")
        #expect(changed.links?.prefersSingleRecordLink == true && changed.links?.viewIDForRecordSelection == view)
        #expect(changed.links?.inverseLinkFieldID == field.links?.inverseLinkFieldID)
        let cleared = try house.changeField(
            field, #"{"options":{"viewIdForRecordSelection":null,"linkedTableId":"Other"}}"#, in: "Tasks")
        #expect(cleared.links?.viewIDForRecordSelection == nil && cleared.links?.prefersSingleRecordLink == true)
        #expect(
            failure {
                _ = try house.changeField(field, #"{"options":{"linkedTableId":"Tasks"}}"#, in: "Tasks")
            }?.type == "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE")
        #expect(try house.changeField(field, #"{"name":"New"}"#, in: "Tasks").links == cleared.links)
    }

    @Test func `A deleted link field takes its other side with it`() throws {
        let field = try house.makeLink("Part of", from: "Tasks", to: "Other")
        try house.deleteField(field, in: "Tasks")
        #expect(try house.field("Part of", in: "Tasks") == nil && house.field("Tasks", in: "Other") == nil)
        try house.makeLink("Part of", from: "Tasks", to: "Other")
        let inverse = try #require(try house.field("Tasks", in: "Other"))
        try house.deleteField(inverse, in: "Other")
        #expect(try house.field("Part of", in: "Tasks") == nil && house.field("Tasks", in: "Other") == nil)
    }

    @Test func `A deleted table takes the fields that lead to it with it`() throws {
        let fields = try house.table().fields
        try house.makeLink("Part of", from: "Tasks", to: "Other")
        try house.makeLink("Parent", from: "Tasks", to: "Tasks")
        _ = try house.engine.deleteTable(
            TableReference("Other"), in: house.base, as: house.owner, idempotency: nil)
        #expect(try house.table().fields.map(\.name) == fields.map(\.name) + ["Parent"])
        #expect(try house.create(#"{"fields":{"Name":"A"}}"#).rows[0]["Name"] == "A")
    }

    @Test func `What happens to both tables is in the change log`() throws {
        let count = try house.changes().count
        try house.makeLink("Part of", from: "Tasks", to: "Other")
        let changes = try house.changes().dropFirst(count)
        #expect(changes.map(\.kind) == ["updateTable", "updateTable"])
        #expect(
            Set(changes.compactMap(\.table))
                == Set(
                    [try house.table().id.text, try house.table("Other").id.text].map { text in
                        var bytes: [UInt8] = []
                        text.append(to: &bytes)
                        return String(decoding: bytes, as: UTF8.self)
                    }))
    }
}
