import RowhouseJSON
import RowhouseModel
import RowhouseWire
import TableEngine
import Testing

/// What a `lastModifiedTime` field says of the fields that it watches.
struct LastModifiedTests {
    let house: House
    init() throws { house = try House() }

    private func options(_ field: String = "Last") throws -> JSONObject? {
        let field = try #require(try house.field(field, in: "Tasks"))
        return try JSONParser.parse(SchemaEncoder.field(field)).objectValue?["options"]?.objectValue
    }

    private func id(_ name: String, in table: String = "Tasks") throws -> JSONValue {
        .string(try #require(try house.field(name, in: table)).id.description)
    }

    @Test(arguments: [
        #""x""#, "1", #"{"a":1}"#, "[1]", #"["Notes"]"#, #"["fldAAAAAAAAAAAAAA"]"#,
        #"["@Tasks.Notes@","fldAAAAAAAAAAAAAA"]"#, #"["@Other.Name@"]"#,
    ])
    func `Only a list of fields of the table is watched`(watched: String) throws {
        let error = failure {
            try house.compute("Last", "lastModifiedTime", "{\"referencedFieldIds\":\(watched)}")
        }
        #expect(error?.type == "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE")
        #expect(error?.message?.contains("referencedFieldIds") == true)
        #expect(try house.field("Last", in: "Tasks") == nil)
    }

    @Test(arguments: ["[]", "null"])
    func `No field stands for all fields`(watched: String) throws {
        try house.compute("Last", "lastModifiedTime", "{\"referencedFieldIds\":\(watched)}")
        #expect(try options()?["isValid"] == true && options()?["referencedFieldIds"] == [])
    }

    @Test func `Deleted fields leave the list, and with the last of them the field is no longer valid`() throws {
        try house.compute(
            "Last", "lastModifiedTime", #"{"referencedFieldIds":["@Tasks.Notes@","@Tasks.Count@","@Tasks.Notes@"]}"#)
        #expect(try options()?["referencedFieldIds"] == [try id("Notes"), try id("Count")])
        let row = try house.create(#"{"fields":{"Count":1}}"#).rows[0]
        try house.deleteField(try #require(try house.field("Notes", in: "Tasks")), in: "Tasks")
        #expect(try options()?["referencedFieldIds"] == [try id("Count")])
        #expect(try options()?["isValid"] == true)
        // What is read can be written back.
        let field = try #require(try house.field("Last", in: "Tasks"))
        let read = String(decoding: JSONValue.object(try #require(try options())).bytes, as: UTF8.self)
        #expect(try house.changeField(field, "{\"options\":\(read)}", in: "Tasks") == field)
        try house.deleteField(try #require(try house.field("Count", in: "Tasks")), in: "Tasks")
        #expect(try options()?["isValid"] == false && options()?["referencedFieldIds"] == .null)
        // It watches nothing now, rather than everything.
        let before = try house.get(row.id)["Last"]
        #expect(try house.updateOne(row.id, #"{"fields":{"Name":"n"}}"#)["Last"] == before)
        try house.restart()
        #expect(try options()?["isValid"] == false)
        #expect(try house.updateOne(row.id, #"{"fields":{"Name":"m"}}"#)["Last"] == before)
    }
}
