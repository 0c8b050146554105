import Platform
import RowhouseJSON
import RowhouseModel
import RowhouseWire
import TableEngine
import Testing

struct RetypingTests {
    let house: House
    init() throws { house = try House() }

    private func request(_ field: String, _ body: String) throws -> UpdateFieldRequest {
        let body = try House.object(body)
        let id = try #require(try house.table().fields.first { $0.name == field }).id
        return UpdateFieldRequest(
            base: house.base, table: TableReference("Tasks"), field: id, name: try SchemaDecoder.name(body),
            description: try SchemaDecoder.description(body), options: try SchemaDecoder.options(body),
            type: body["type"]?.stringValue)
    }

    @discardableResult
    private func change(_ field: String, _ body: String, key: String? = nil, as caller: Caller? = nil) throws
        -> JSONObject
    {
        let written = try house.engine.updateField(
            try request(field, body), as: caller ?? house.owner, idempotency: House.idempotency(key, body))
        switch written {
        case .now(let field): return try #require(try JSONParser.parse(SchemaEncoder.field(field)).objectValue)
        case .before(let bytes): return try #require(try JSONParser.parse(bytes).objectValue)
        }
    }

    private func preview(_ field: String, _ body: String) throws -> RetypingReport {
        try house.engine.previewRetyping(try request(field, body), as: house.owner)
    }

    private func cells(_ field: String) throws -> [JSONValue?] {
        try house.walk([]).joined().map { $0[field] }
    }

    private func fill(_ notes: [String]) throws {
        for part in stride(from: 0, to: notes.count, by: 10) {
            let records = notes[part..<min(part + 10, notes.count)].map { "{\"fields\":{\"Notes\":\"\($0)\"}}" }
            _ = try house.create("{\"records\":[\(records.joined(separator: ","))]}")
        }
    }

    @Test func `A text becomes a number, what is none becomes empty, and a preview tells it before`() throws {
        try fill(["12", "x", "", "$1,000", "2.5"])
        let body = #"{"type":"number","options":{"precision":1}}"#
        let report = try preview("Notes", body)
        #expect(report.lost == 1 && report.kept == 3 && report.shortened == 0)
        let record = try #require(RecordID(try house.list().rows[1].id))
        #expect(report.examples == [RetypingReport.Example(record: record, before: "x", after: nil)])
        #expect(try house.table().fields[1].type == .multilineText && cells("Notes")[0] == "12")
        let field = try change("Notes", body)
        #expect(field["type"] == "number" && field["options"] == ["precision": 1] && field["name"] == "Notes")
        #expect(try cells("Notes") == [12, nil, nil, 1000, 2.5])
        try house.restart()
        #expect(try cells("Notes") == [12, nil, nil, 1000, 2.5])
        #expect(
            try house.list([("sort[0][field]", "Notes"), ("sort[0][direction]", "desc")]).rows.map { $0["Notes"] }
                == [1000, 12, 2.5, nil, nil])
        #expect(failure { _ = try house.create(#"{"fields":{"Notes":"text"}}"#) }?.type == "INVALID_VALUE_FOR_COLUMN")
    }

    @Test func `A name and a description may come with the type`() throws {
        let field = try change("Notes", #"{"type":"email","name":"Mail","description":"d"}"#)
        #expect(field["name"] == "Mail" && field["description"] == "d" && field["type"] == "email")
        #expect(
            failure { try change("Mail", #"{"type":"url","name":"name"}"#) } == .duplicateOrEmptyFieldName)
        #expect(try house.table().fields[1].type == .email)
    }

    @Test func `Texts become choices, and choices texts`() throws {
        try fill(["red", "green", "red", "", "blue"])
        let field = try change("Notes", #"{"type":"singleSelect"}"#)
        let choices = field["options"]?.objectValue?["choices"]?.arrayValue?.map { $0.objectValue?["name"] }
        #expect(choices == ["red", "green", "blue"])
        #expect(try cells("Notes") == ["red", "green", "red", nil, "blue"])
        #expect(
            try house.list([("sort[0][field]", "Notes")]).rows.map { $0["Notes"] }
                == [nil, "red", "red", "green", "blue"])
        try change("Notes", #"{"type":"multipleSelects"}"#)
        #expect(try cells("Notes") == [["red"], ["green"], ["red"], nil, ["blue"]])
        try change("Notes", #"{"type":"singleLineText"}"#)
        #expect(try cells("Notes") == ["red", "green", "red", nil, "blue"])
    }

    @Test func `Choices given with the type come first, missing ones are made`() throws {
        try fill(["red", "green"])
        let body =
            #"{"type":"multipleSelects","options":{"choices":[{"name":"green","color":"greenDark1"},{"name":"unused"}]}}"#
        let field = try change("Notes", body)
        let choices = field["options"]?.objectValue?["choices"]?.arrayValue ?? []
        #expect(choices.map { $0.objectValue?["name"] } == ["green", "unused", "red"])
        #expect(choices[0].objectValue?["color"] == "greenDark1")
        #expect(try cells("Notes") == [["red"], ["green"]])
    }

    @Test func `A preview of choices tells what their removal takes`() throws {
        _ = try house.create(
            #"{"records":[{"fields":{"Tags":["red","green"]}},{"fields":{"Tags":["red"]}},{"fields":{"Tags":["green"]}}]}"#
        )
        let report = try preview("Tags", #"{"options":{"choices":[{"name":"green"}]}}"#)
        #expect(report.lost == 1 && report.shortened == 1 && report.kept == 1)
        #expect(report.examples.map(\.before) == ["red, green", "red"])
        #expect(report.examples.map(\.after) == ["green", nil])
        #expect(try cells("Tags")[1] == ["red"])
    }

    @Test(arguments: [
        ("Name", #"{"type":"checkbox","options":{"icon":"check","color":"greenBright"}}"#),
        ("Name", #"{"type":"singleSelect"}"#), ("Notes", #"{"type":"formula"}"#), ("Notes", #"{"type":"autoNumber"}"#),
        ("Notes", #"{"type":"multipleRecordLinks"}"#), ("Notes", #"{"type":"multipleAttachments"}"#),
        ("Number", #"{"type":"number","options":{"precision":0}}"#), ("Made", #"{"type":"date"}"#),
        ("Notes", #"{"type":"nope"}"#), ("Notes", #"{"type":"number"}"#),
        ("Notes", #"{"type":"number","options":{"precision":99}}"#),
        ("Notes", #"{"type":"email","name":"Count"}"#),
    ])
    func `What cannot be is refused, also by the preview, and leaves the field alone`(field: String, body: String)
        throws
    {
        let before = try house.table()
        #expect(failure { try change(field, body) }?.status == 422)
        #expect(failure { _ = try preview(field, body) }?.status == 422 || body.contains("\"name\""))
        #expect(try house.table() === before)
        // And it can be tried again with something better.
        #expect(try change("Notes", #"{"type":"email"}"#)["type"] == "email")
    }

    @Test func `The primary field can become what a primary field may be`() throws {
        _ = try house.create(#"{"fields":{"Name":"7"}}"#)
        #expect(try change("Name", #"{"type":"number","options":{"precision":0}}"#)["type"] == "number")
        #expect(try cells("Name") == [7])
    }

    @Test func `Formulas and views follow a field that changes its type`() throws {
        try fill(["3", "x", "20"])
        let notes = try #require(try house.table().fields.first { $0.name == "Notes" }).id
        let formula = try SchemaDecoder.field(
            .object(try House.object(#"{"name":"F","type":"formula","options":{"formula":"{Notes}"}}"#)))
        _ = try house.engine.createField(
            formula, table: TableReference("Tasks"), in: house.base, as: house.owner, idempotency: nil)
        let view = ViewInput(
            name: "V", filterByFormula: "{Notes} != ''", sort: [SortRequest(field: "F", direction: .desc)])
        _ = try house.engine.createView(
            view, table: TableReference("Tasks"), in: house.base, as: house.owner, idempotency: nil)
        func result() throws -> FieldType? {
            guard case .formula(let options) = try house.table().fields.last?.options else { return nil }
            return options.result?.type
        }
        #expect(try result() == .singleLineText)
        #expect(try house.list([("view", "V")]).rows.map { $0["F"] } == ["x", "20", "3"])
        try change("Notes", #"{"type":"number","options":{"precision":0}}"#)
        #expect(try result() == .number)
        #expect(try house.list([("view", "V")]).rows.map { $0["F"] } == [20, 3])
        #expect(try house.table().views.last?.filter == "{\(notes)} != ''")
    }

    @Test func `A second call with the key gets the first answer, and changes nothing more`() throws {
        try fill(["1"])
        let body = #"{"type":"number","options":{"precision":0}}"#
        let first = try change("Notes", body, key: "k")
        #expect(try change("Notes", body, key: "k") == first)
        try change("Notes", #"{"type":"singleLineText"}"#)
        #expect(try change("Notes", body, key: "k") == first)
        #expect(try house.table().fields[1].type == .singleLineText)
        #expect(failure { try change("Notes", #"{"type":"email"}"#, key: "k") } == .idempotencyConflict())
        let reader = House.caller(House.bob, scopes: [.schemaRead, .recordsWrite])
        #expect(failure { try change("Notes", body, as: reader) } == .invalidPermissions)
    }

    @Test func `The log has the field before and after`() throws {
        try fill(["1", "x"])
        let start = try house.changes().count
        try change("Notes", #"{"type":"number","options":{"precision":0}}"#)
        let changes = try Array(house.changes().dropFirst(start))
        #expect(changes.map(\.kind) == ["updateTable"])
        let types = changes[0].payload["schema"]?.arrayValue?.map {
            $0.objectValue?["fields"]?.arrayValue?[1].objectValue?["type"]
        }
        #expect(types == ["multilineText", "number"])
    }

    @Test func `Clients that write while a field changes lose nothing`() throws {
        try fill((0..<1_500).map { "\($0)" })
        let ids = try house.walk([]).joined().map(\.id)
        let isOver = Guarded(false)
        let written = Guarded<[String: Double]>([:])
        let unexpected = Guarded<[String]>([])
        let (engine, base, owner) = (house.engine, house.base, house.owner)
        let writers = (0..<2).map { number in
            OwnThread(name: "client \(number)") {
                var round = 0
                while !isOver.withLock(\.self) {
                    round += 1
                    let id = ids[(round * 31 + number * 7) % ids.count]
                    let value = Double(100_000 * (number + 1) + round)
                    // A client that does not know: a text, and when that is refused a number.
                    for cell in [JSONValue.string("\(Int(value))"), .number(value)] {
                        let request = UpdateRecordsRequest(
                            base: base, table: TableReference("Tasks"),
                            records: [RecordInput(id: id, fields: JSONObject([("Notes", cell)]))], unnamed: .kept,
                            fieldsToMergeOn: nil, typecast: false, presentation: RecordPresentation(), isSingle: false)
                        do throws(APIError) {
                            _ = try engine.updateRecords(request, as: owner, idempotency: nil)
                            written.withLock { $0[id] = value }
                            break
                        } catch {
                            if error.type != "INVALID_VALUE_FOR_COLUMN" {
                                unexpected.withLock { $0.append(error.type) }
                            }
                        }
                    }
                }
            }
        }
        for _ in 0..<6 {
            try change("Notes", #"{"type":"number","options":{"precision":0}}"#)
            try change("Notes", #"{"type":"singleLineText"}"#)
        }
        try change("Notes", #"{"type":"number","options":{"precision":0}}"#)
        isOver.withLock { $0 = true }
        for writer in writers { writer?.join() }
        #expect(unexpected.withLock(\.self) == [])
        let last = written.withLock(\.self)
        #expect(last.count > 10)
        let rows = try house.walk([]).joined()
        #expect(rows.count == ids.count)
        // Two clients may have written one record: then either was last.
        for (index, row) in rows.enumerated() {
            let value = row["Notes"]?.numberValue
            if last[row.id] == nil {
                #expect(value == Double(index), "\(row.id)")
            } else {
                #expect(value ?? 0 > 100_000, "\(row.id)")
            }
        }
    }

    @Test func `Of two clients that change the type of one field both get their turn`() throws {
        try fill((0..<2_000).map { "\($0)" })
        let field = try request("Notes", #"{"type":"email"}"#).field
        let (engine, base, owner) = (house.engine, house.base, house.owner)
        let errors = Guarded<[String]>([])
        let clients = ["number", "singleLineText", "percent"].map { type in
            OwnThread(name: type) {
                for _ in 0..<4 {
                    let options = type == "singleLineText" ? nil : JSONObject([("precision", 0)])
                    let request = UpdateFieldRequest(
                        base: base, table: TableReference("Tasks"), field: field, name: nil, description: nil,
                        options: options, type: type)
                    do throws(APIError) {
                        _ = try engine.updateField(request, as: owner, idempotency: nil)
                    } catch { errors.withLock { $0.append(error.type) } }
                }
            }
        }
        for client in clients { client?.join() }
        #expect(errors.withLock(\.self) == [])
        try change("Notes", #"{"type":"singleLineText"}"#)
        #expect(try cells("Notes").count == 2_000)
    }

    @Test func `Choices made by others while a field changes are in its texts`() throws {
        let ids = try house.create(
            "{\"records\":[\(Array(repeating: #"{"fields":{"Status":"todo"}}"#, count: 10).joined(separator: ","))]}"
        ).rows.map(\.id)
        let (engine, base, owner) = (house.engine, house.base, house.owner)
        let written = Guarded<[String: String]>([:])
        let writer = OwnThread(name: "client") {
            for round in 0..<40 {
                let id = ids[round % ids.count]
                let request = UpdateRecordsRequest(
                    base: base, table: TableReference("Tasks"),
                    records: [RecordInput(id: id, fields: JSONObject([("Status", .string("made \(round)"))]))],
                    unnamed: .kept, fieldsToMergeOn: nil, typecast: true, presentation: RecordPresentation(),
                    isSingle: false)
                let done = try? engine.updateRecords(request, as: owner, idempotency: nil)
                if done != nil { written.withLock { $0[id] = "made \(round)" } }
            }
        }
        for _ in 0..<4 {
            for body in [#"{"type":"singleLineText"}"#, #"{"type":"singleSelect"}"#, #"{"type":"multipleSelects"}"#] {
                // Refused when others change the field all the time.
                while let error = failure({ try change("Status", body) }) { #expect(error == .retriable) }
            }
        }
        writer?.join()
        try change("Status", #"{"type":"singleLineText"}"#)
        let last = written.withLock(\.self)
        #expect(last.count == ids.count)
        for row in try house.list().rows { #expect(row["Status"]?.stringValue == last[row.id]) }
    }

    // MARK: choices

    @Test func `A removed choice empties cells, leaves a log of them, and its number is not given again`() throws {
        let rows = try house.create(
            #"{"records":[{"fields":{"Status":"done","Tags":["red","green"]}},{"fields":{"Status":"todo"}},{"fields":{"Tags":["green"]}}]}"#
        ).rows
        let start = try house.changes().count
        try change("Status", #"{"options":{"choices":[{"name":"todo"},{"name":"doing"}]}}"#)
        try change("Tags", #"{"options":{"choices":[{"name":"red"}]}}"#)
        #expect(try cells("Status") == [nil, "todo", nil] && cells("Tags") == [["red"], nil, nil])
        let changes = try Array(house.changes().dropFirst(start))
        #expect(changes.map(\.kind) == ["updateTable", "updateRecords", "updateTable", "updateRecords"])
        let logged = changes.map { $0.payload["records"]?.arrayValue?.map { $0.objectValue?["id"]?.stringValue } }
        #expect(logged[1] == [rows[0].id] && logged[3] == [rows[0].id, rows[2].id])
        // done was 3: what comes now must be 4, also after a restart.
        try house.restart()
        try change("Status", #"{"options":{"choices":[{"name":"todo"},{"name":"doing"},{"name":"done"}]}}"#)
        let status = try #require(try house.table().fields.first { $0.name == "Status" })
        #expect(status.choices.map(\.number) == [1, 2, 4])
        _ = try house.create(#"{"fields":{"Status":"more"},"typecast":true}"#)
        #expect(try house.table().fields.first { $0.name == "Status" }?.choices.map(\.number) == [1, 2, 4, 5])
        #expect(try cells("Status") == [nil, "todo", nil, "more"])
    }

    @Test func `Choices in another order sort in that order`() throws {
        _ = try house.create(
            #"{"records":[{"fields":{"Status":"todo"}},{"fields":{"Status":"done"}},{"fields":{"Status":"doing"}}]}"#)
        try change("Status", #"{"options":{"choices":[{"name":"done"},{"name":"todo"},{"name":"doing"}]}}"#)
        #expect(
            try house.list([("sort[0][field]", "Status")]).rows.map { $0["Status"] } == ["done", "todo", "doing"])
        #expect(try cells("Status") == ["todo", "done", "doing"])
    }

    @Test func `Many cleared cells are logged in bounded parts`() throws {
        let batch =
            "{\"records\":[\(Array(repeating: #"{"fields":{"Status":"done"}}"#, count: 10).joined(separator: ","))]}"
        for _ in 0..<250 { _ = try house.create(batch) }
        let start = try house.changes().count
        try change("Status", #"{"options":{"choices":[{"name":"todo"}]}}"#)
        let counts = try house.changes().dropFirst(start + 1).map { $0.payload["records"]?.arrayValue?.count }
        #expect(counts == [1_000, 1_000, 500])
        #expect(try cells("Status").allSatisfy { $0 == nil })
    }
}
