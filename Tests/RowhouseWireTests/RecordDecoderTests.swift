import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Testing

struct RecordDecoderTests {
    private static let base = BaseID(text: IdentifierText(time: 0, counter: 0))
    private static let table = TableReference("Tasks")
    private static let record = RecordID(text: IdentifierText(time: 0, counter: 1))

    private static func create(
        _ body: String, query: RecordPresentation = RecordPresentation()
    ) throws -> CreateRecordsRequest {
        try RecordDecoder.create(try Sample.object(body), base: base, table: table, query: query)
    }

    private static func update(_ body: String) throws -> UpdateRecordsRequest {
        try RecordDecoder.updateBatch(
            try Sample.object(body), base: base, table: table, unnamed: .kept, query: RecordPresentation())
    }

    private static func updateOne(_ body: String) throws -> UpdateRecordsRequest {
        try RecordDecoder.updateOne(
            try Sample.object(body), record: record, base: base, table: table, unnamed: .cleared,
            query: RecordPresentation())
    }

    @Test func `A body is an object, and an empty one an empty object`() throws {
        #expect(try RecordDecoder.object([]) == [:])
        #expect(try RecordDecoder.object(Array(#" {"a":1} "#.utf8)) == ["a": 1])
    }

    @Test(arguments: [
        ("{", 1), (#"{"a":}"#, 5), (#"{"a":1,}"#, 7), ("{'a':1}", 1), ("nope", 1), (#"{"a":1} x"#, 8),
    ])
    func `A body that is no JSON is refused with the place of the mistake`(body: String, offset: Int) {
        do {
            _ = try RecordDecoder.object(Array(body.utf8))
            Issue.record("accepted")
        } catch {
            #expect(error.status == 422 && error.type == "INVALID_REQUEST_BODY")
            #expect(error.message?.hasSuffix(" at byte \(offset)") == true, "\(error.message ?? "")")
        }
    }

    @Test(arguments: ["[]", "null", "1", #""a""#, "true"])
    func `A body that is JSON but no object is refused`(body: String) {
        #expect(errorType { _ = try RecordDecoder.object(Array(body.utf8)) } == "INVALID_REQUEST_BODY")
    }

    @Test func `One record is created without a wrapper, up to ten with one`() throws {
        let one = try Self.create(#"{"fields":{"A":1}}"#)
        #expect(one.isSingle && one.records == [RecordInput(fields: ["A": 1])] && !one.typecast)
        #expect(one.base == Self.base && one.table == Self.table && one.presentation == RecordPresentation())
        #expect(try Self.create(#"{"fields":{}}"#).records == [RecordInput(fields: [:])])
        let many = try Self.create(#"{"records":[{"fields":{"A":1}},{"fields":{}}],"typecast":true}"#)
        #expect(!many.isSingle && many.records.count == 2 && many.typecast)
        let ten = "[" + Array(repeating: #"{"fields":{}}"#, count: 10).joined(separator: ",") + "]"
        #expect(try Self.create("{\"records\":\(ten)}").records.count == 10)
    }

    @Test func `Unknown keys are ignored`() throws {
        let request = try Self.create(
            #"{"records":[{"fields":{"A":1},"createdTime":"x","commentCount":1}],"other":1,"method":"post"}"#)
        #expect(request.records == [RecordInput(fields: ["A": 1])])
    }

    @Test func `The keys of fields come in any body or query`() throws {
        let byID = RecordPresentation(returnFieldsByFieldID: true)
        #expect(try Self.create(#"{"fields":{},"returnFieldsByFieldId":true}"#).presentation == byID)
        #expect(try Self.create(#"{"fields":{}}"#, query: byID).presentation == byID)
        #expect(
            try Self.create(#"{"fields":{},"returnFieldsByFieldId":false}"#, query: byID).presentation
                == RecordPresentation())
    }

    @Test func `A create without records is told what is missing`() {
        let rows: [(String, APIError)] = [
            ("{}", .missingField("fields")), (#"{"typecast":true}"#, .missingField("fields")),
            (#"{"fields":[]}"#, .invalidRequest), (#"{"fields":null}"#, .invalidRequest),
            (#"{"records":[]}"#, .invalidRecordsForCreate), (#"{"records":{}}"#, .invalidRecordsForCreate),
            (#"{"records":null}"#, .invalidRecordsForCreate), (#"{"records":[1]}"#, .invalidRecordsForCreate),
            (#"{"records":[{}]}"#, .invalidRecordsForCreate),
            (#"{"records":[{"fields":1}]}"#, .invalidRecordsForCreate),
            (#"{"fields":{},"typecast":"maybe"}"#, .invalidRequest), (#"{"fields":{},"typecast":{}}"#, .invalidRequest),
        ]
        for (body, error) in rows {
            #expect(throws: error, "\(body)") { try Self.create(body) }
        }
        let eleven = "[" + Array(repeating: #"{"fields":{}}"#, count: 11).joined(separator: ",") + "]"
        #expect(throws: APIError.invalidRecordsForCreate) { try Self.create("{\"records\":\(eleven)}") }
    }

    @Test func `A batch of updates names each record by its id`() throws {
        let request = try Self.update(
            #"{"records":[{"id":"rec1","fields":{"A":null},"createdTime":"x"}],"typecast":1}"#)
        #expect(request.records == [RecordInput(id: "rec1", fields: ["A": nil])])
        #expect(request.typecast && request.fieldsToMergeOn == nil && !request.isSingle && request.unnamed == .kept)
    }

    @Test func `An upsert may leave ids out and names one to three fields`() throws {
        let request = try Self.update(
            #"{"records":[{"fields":{"A":1}},{"id":"rec1","fields":{}}],"performUpsert":{"fieldsToMergeOn":["A","B","C"]}}"#
        )
        #expect(request.fieldsToMergeOn == ["A", "B", "C"])
        #expect(request.records.map(\.id) == [nil, "rec1"])
        for merge in ["[]", #"["A","B","C","D"]"#, "[1]", "null", #""A""#] {
            let body = "{\"records\":[{\"fields\":{}}],\"performUpsert\":{\"fieldsToMergeOn\":\(merge)}}"
            #expect(errorType { _ = try Self.update(body) } == "INVALID_REQUEST_UNKNOWN", "\(merge)")
        }
        #expect(
            errorType { _ = try Self.update(#"{"records":[{"fields":{}}],"performUpsert":true}"#) }
                == "INVALID_REQUEST_UNKNOWN")
        #expect(try Self.update(#"{"records":[{"id":"r","fields":{}}],"performUpsert":null}"#).fieldsToMergeOn == nil)
    }

    @Test func `A batch of updates without its parts is refused`() {
        let rows: [(String, APIError)] = [
            ("{}", .missingField("records")), (#"{"fields":{}}"#, .missingField("records")),
            (#"{"records":[]}"#, .invalidRecordsForUpdate), (#"{"records":[{"fields":{}}]}"#, .invalidRecordsForUpdate),
            (#"{"records":[{"id":null,"fields":{}}]}"#, .invalidRecordsForUpdate),
            (#"{"records":[{"id":5,"fields":{}}]}"#, .invalidRecordsForUpdate),
            (#"{"records":[{"id":"rec1"}]}"#, .invalidRecordsForUpdate),
            (#"{"records":"rec1"}"#, .invalidRecordsForUpdate),
        ]
        for (body, error) in rows {
            #expect(throws: error, "\(body)") { try Self.update(body) }
        }
        let eleven = "[" + Array(repeating: #"{"id":"r","fields":{}}"#, count: 11).joined(separator: ",") + "]"
        #expect(throws: APIError.invalidRecordsForUpdate) { try Self.update("{\"records\":\(eleven)}") }
    }

    @Test func `One record is updated by the id of its path`() throws {
        let request = try Self.updateOne(#"{"fields":{"A":1},"id":"recOTHER"}"#)
        #expect(request.records == [RecordInput(id: Self.record.description, fields: ["A": 1])])
        #expect(request.isSingle && request.unnamed == .cleared)
        #expect(throws: APIError.missingField("fields")) { try Self.updateOne("{}") }
        #expect(throws: APIError.invalidRequest) { try Self.updateOne(#"{"fields":[]}"#) }
    }
}
