import RowhouseJSON
import Testing

@testable import Transfer

struct BaseFileTests {
    private func document(_ records: (String, String), format: Bool = true) -> String {
        """
        {\(format ? "\"format\":\"rowhouse-base-1\"," : "")"name":"B","tables":[
        {"id":"tblA","name":"A","primaryFieldId":"fldA","fields":[
        {"id":"fldA","name":"Name","type":"singleLineText"},
        {"id":"fldL","name":"L","type":"multipleRecordLinks","options":{"linkedTableId":"tblB"}}],
        "records":[\(records.0)]},
        {"id":"tblB","name":"B","primaryFieldId":"fldB","fields":[{"id":"fldB","name":"Name","type":"singleLineText"}],
        "records":[\(records.1)]}]}
        """
    }

    private func read(_ text: String) throws -> BaseFile { try BaseFile.read(Array(text.utf8), path: "f") }

    @Test func `A byte order mark is passed over`() throws {
        let text = document((#"{"id":"rec1","fields":{"Name":"a"}}"#, ""))
        #expect(try read("\u{FEFF}" + text) == read(text))
        #expect(throws: TransferError.self) { try read("\u{FEFF}\u{FEFF}" + text) }
    }

    @Test(arguments: [
        (
            #"{"id":"rec1","fields":{}},{"id":"rec1","fields":{}}"#, "",
            "f: tables[0].records[1]: there are two records rec1."
        ),
        (
            #"{"id":"rec1","fields":{}}"#, #"{"id":"rec1","fields":{}}"#,
            "f: tables[1].records[0]: there are two records rec1."
        ),
        (
            #"{"id":"rec1","fields":{"Name":"a","Extra":1}}"#, "",
            "f: tables[0].records[0]: the table A has no field Extra."
        ),
        (
            #"{"id":"rec1","fields":{"name":"a"}}"#, "", "f: tables[0].records[0]: the table A has no field name."
        ),
        (
            #"{"id":"rec1","fields":{}},{"id":"rec2","fields":{"L":["rec3","rec9"]}}"#,
            #"{"id":"rec3","fields":{}}"#,
            "f: tables[0].records[1]: L links to rec9, which is no record of the table B."
        ),
        (
            #"{"id":"rec1","fields":{"L":["rec1"]}}"#, "",
            "f: tables[0].records[0]: L links to rec1, which is no record of the table B."
        ),
    ])
    func `Records of an export belong to its tables and to each other`(
        first: String, second: String, message: String
    ) throws {
        #expect(throws: TransferError.file(message)) { try read(document((first, second))) }
    }

    @Test func `What belongs together is read`() throws {
        let file = try read(
            document((#"{"id":"rec1","fields":{"Name":"a","L":["rec2"]}}"#, #"{"id":"rec2","fields":{}}"#)))
        #expect(file.tables[0].records == [["Name": "a", "L": ["rec2"]]])
        #expect(file.tables[0].recordIDs == ["rec1"])
    }
}
