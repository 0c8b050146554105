import RowhouseJSON
import RowhouseModel
import Testing

struct RecordWriteTests {
    let house: House
    init() throws { house = try House() }

    private func names(table: String = "Tasks") throws -> [String?] {
        try house.list(table: table).rows.map { $0["Name"]?.stringValue }
    }

    /// Three records: A, B, C.
    private func three() throws -> [String] {
        try house.create(
            #"{"records":[{"fields":{"Name":"A","Count":1}},{"fields":{"Name":"B","Count":2}},{"fields":{"Name":"C","Count":3}}]}"#
        ).rows.map(\.id)
    }

    // MARK: create

    @Test func `Created records are answered in order, and a list shows the same`() throws {
        let made = try house.create(
            #"{"records":[{"fields":{"Name":"b","Count":0,"Done":true,"Status":"done","Tags":["green","red"],"Due":"2024-05-01","Owner":{"email":"bob@example.org"}}},{"fields":{}},{"fields":{"Name":null,"Notes":"x"}}]}"#
        ).rows
        #expect(made.map { $0["Number"] } == [1, 2, 3])
        #expect(made[0]["Count"] == 0 && made[0]["Done"] == true && made[0]["Status"] == "done")
        #expect(made[0]["Tags"] == ["green", "red"] && made[0]["Due"] == "2024-05-01")
        #expect(
            made[0]["Owner"] == ["id": .string(House.bob.id.description), "email": "bob@example.org", "name": "Bob"])
        #expect(made[0]["Maker"]?.objectValue?["id"] == .string(House.ada.id.description))
        #expect(made[1].fields.keys == ["Number", "Made", "Maker"] || made[1].fields["Name"] == nil)
        #expect(made[2]["Name"] == nil && made[2]["Notes"] == "x")
        #expect(made[0].createdTime.hasSuffix(".000Z"))
        #expect(try house.list().rows == made)
        for row in made { #expect(try house.get(row.id) == row) }
        #expect(made.map(\.id) == made.map(\.id).sorted())
    }

    @Test func `Fields are named by name or id, not both for one`() throws {
        let count = try #require(try house.table().fields.first { $0.name == "Count" }).id
        let made = try house.create("{\"fields\":{\"Name\":\"A\",\"\(count)\":5}}").rows
        #expect(made[0]["Count"] == 5)
        #expect(
            failure { _ = try house.create("{\"fields\":{\"Count\":1,\"\(count)\":5}}") }?.type
                == "INVALID_REQUEST_UNKNOWN")
    }

    @Test(arguments: [
        (#"{"records":[{"fields":{"Name":"A"}},{"fields":{"Count":"x"}}]}"#, "INVALID_VALUE_FOR_COLUMN"),
        (#"{"records":[{"fields":{"Name":"A"}},{"fields":{"Nope":1}}]}"#, "UNKNOWN_FIELD_NAME"),
        // Names are told before values.
        (#"{"records":[{"fields":{"Count":"x"}},{"fields":{"Nope":1}}]}"#, "UNKNOWN_FIELD_NAME"),
        (#"{"records":[{"fields":{"name":"A"}}]}"#, "UNKNOWN_FIELD_NAME"),
        (#"{"records":[{"fields":{"Name":"A"}},{"fields":{"Status":"nope"}}]}"#, "INVALID_MULTIPLE_CHOICE_OPTIONS"),
        (#"{"records":[{"fields":{"Name":"A"}},{"fields":{"Number":1}}]}"#, "INVALID_VALUE_FOR_COLUMN"),
        (#"{"records":[{"fields":{"Made":null}}]}"#, "INVALID_VALUE_FOR_COLUMN"),
    ])
    func `One bad record and nothing is written`(body: String, type: String) throws {
        #expect(failure { _ = try house.create(body) }?.type == type)
        #expect(try house.list().rows.isEmpty)
        #expect(try house.create(#"{"fields":{}}"#).rows[0]["Number"] == 1)
    }

    // MARK: update

    @Test func `PATCH keeps the cells that are not named`() throws {
        let ids = try three()
        let changed = try house.update(
            "{\"records\":[{\"id\":\"\(ids[2])\",\"fields\":{\"Count\":30}},{\"id\":\"\(ids[0])\",\"fields\":{}}]}")
        #expect(changed.rows.map(\.id) == [ids[2], ids[0]])
        #expect(changed.rows[0]["Name"] == "C" && changed.rows[0]["Count"] == 30)
        #expect(changed.rows[1]["Name"] == "A" && changed.rows[1]["Count"] == 1)
        #expect(changed.ids("createdRecords") == nil && changed.ids("updatedRecords") == nil)
        #expect(try house.updateOne(ids[1], #"{"fields":{"Name":"Z"}}"#)["Count"] == 2)
    }

    @Test func `PUT clears every writable cell that is not named, and no other`() throws {
        let made = try house.create(
            #"{"fields":{"Name":"A","Notes":"n","Count":1,"Done":true,"Status":"todo","Tags":["red"],"Due":"2024-05-01","Owner":{"email":"bob@example.org"}}}"#
        ).rows[0]
        let put = try house.updateOne(made.id, #"{"fields":{"Notes":"kept"}}"#, .cleared)
        for name in ["Name", "Count", "Done", "Status", "Tags", "Due", "Owner"] { #expect(put[name] == nil, "\(name)") }
        #expect(put["Notes"] == "kept")
        for name in ["Number", "Made", "Maker"] { #expect(put[name] == made[name], "\(name)") }
        #expect(put.createdTime == made.createdTime)
        let batch = try house.update("{\"records\":[{\"id\":\"\(made.id)\",\"fields\":{\"Name\":\"B\"}}]}", .cleared)
            .rows[0]
        #expect(batch["Notes"] == nil && batch["Name"] == "B")
    }

    @Test(arguments: [
        ("Name", "null"), ("Name", #""""#), ("Notes", #""""#), ("Count", "null"), ("Done", "false"), ("Done", "null"),
        ("Status", "null"), ("Tags", "[]"), ("Tags", "null"), ("Due", "null"), ("Owner", "null"),
    ])
    func `A cell is cleared by the empty value of its type`(name: String, value: String) throws {
        let made = try house.create(
            #"{"fields":{"Name":"A","Notes":"n","Count":1,"Done":true,"Status":"todo","Tags":["red"],"Due":"2024-05-01","Owner":{"email":"bob@example.org"}}}"#
        ).rows[0]
        let row = try house.updateOne(made.id, "{\"fields\":{\"\(name)\":\(value)}}")
        #expect(row[name] == nil)
        #expect(row.fields.keys.filter { $0 != "Changed" } == made.fields.keys.filter { $0 != name && $0 != "Changed" })
    }

    @Test func `An edit from one spelling of a letter to another is kept`() throws {
        let id = try house.create(#"{"fields":{"Name":"caf\u00e9"}}"#).rows[0].id
        let row = try house.updateOne(id, #"{"fields":{"Name":"cafe\u0301"}}"#)
        #expect(row["Name"] == .string("cafe\u{301}"))
        #expect(try house.get(id)["Name"] == .string("cafe\u{301}"))
    }

    @Test func `A record that is missing fails the whole batch`() throws {
        let ids = try three()
        let stranger = try house.create(#"{"fields":{"Name":"S"}}"#, table: "Other").rows[0].id
        for missing in ["rec00000000000000", stranger, "nope"] {
            let body =
                "{\"records\":[{\"id\":\"\(ids[0])\",\"fields\":{\"Name\":\"Z\"}},{\"id\":\"\(missing)\",\"fields\":{}}]}"
            for unnamed in [UpdateRecordsRequest.Unnamed.kept, .cleared] {
                #expect(failure { _ = try house.update(body, unnamed) } == .recordDoesNotExist(missing))
            }
        }
        #expect(try names() == ["A", "B", "C"])
        #expect(failure { _ = try house.updateOne("rec00000000000000", #"{"fields":{}}"#) } == .recordNotFound)
        #expect(failure { _ = try house.updateOne(stranger, #"{"fields":{}}"#) } == .recordNotFound)
        #expect(try house.get(stranger)["Name"] == "S")
    }

    @Test func `A record named twice fails the whole batch`() throws {
        let ids = try three()
        let body =
            "{\"records\":[{\"id\":\"\(ids[0])\",\"fields\":{\"Name\":\"Z\"}},{\"id\":\"\(ids[0])\",\"fields\":{}}]}"
        #expect(failure { _ = try house.update(body) }?.status == 422)
        #expect(failure { try house.delete([ids[0], ids[0]]) }?.status == 422)
        #expect(try names() == ["A", "B", "C"])
    }

    // MARK: delete

    @Test func `Deleted records are answered in order and are gone`() throws {
        let ids = try three()
        #expect(try house.delete([ids[2], ids[0]]) == [ids[2], ids[0]])
        #expect(try names() == ["B"])
        #expect(failure { _ = try house.get(ids[0]) } == .recordNotFound)
        #expect(failure { _ = try house.updateOne(ids[0], #"{"fields":{}}"#) } == .recordNotFound)
        #expect(failure { try house.delete([ids[0]], single: true) } == .recordNotFound)
    }

    @Test func `A record that is missing fails the whole deletion`() throws {
        let ids = try three()
        #expect(
            failure { try house.delete([ids[0], "rec00000000000000"]) } == .recordDoesNotExist("rec00000000000000"))
        #expect(failure { try house.delete([ids[0]], table: "Other") } == .recordDoesNotExist(ids[0]))
        #expect(try names() == ["A", "B", "C"])
    }

    @Test func `More than ten records are refused`() throws {
        let ids = (0..<11).map { "rec000000000000\($0 + 10)" }
        #expect(failure { try house.delete(ids) } == .invalidRecordsForDelete)
        #expect(failure { try house.delete([]) } == .invalidRecordsForDelete)
    }

    // MARK: upsert

    private func upsert(
        _ records: String, on fields: String = #"["Name"]"#, _ unnamed: UpdateRecordsRequest.Unnamed = .kept,
        typecast: Bool = false
    ) throws -> House.Answer {
        try house.update(
            "{\"records\":\(records),\"performUpsert\":{\"fieldsToMergeOn\":\(fields)},\"typecast\":\(typecast)}",
            unnamed)
    }

    @Test func `An upsert updates what matches and creates what does not`() throws {
        let ids = try three()
        let answer = try upsert(
            #"[{"fields":{"Name":"D","Count":4}},{"fields":{"Name":"B","Count":20}},{"fields":{"Name":"b","Count":5}}]"#
        )
        #expect(answer.rows.map { $0["Count"] } == [4, 20, 5])
        #expect(answer.rows[1].id == ids[1])
        #expect(answer.ids("updatedRecords") == [ids[1]])
        #expect(answer.ids("createdRecords") == [answer.rows[0].id, answer.rows[2].id])
        #expect(try names() == ["A", "B", "C", "D", "b"])
    }

    @Test func `An upsert is one entry of the change log, which tells what it made`() throws {
        let ids = try three()
        let start = try house.changes().count
        let answer = try upsert(
            #"[{"fields":{"Name":"D","Count":4}},{"fields":{"Name":"B","Count":20}},{"fields":{"Name":"C"}}]"#)
        let changes = try Array(house.changes().dropFirst(start))
        #expect(changes.map(\.kind) == ["upsertRecords"])
        let records = changes.first?.payload["records"]?.arrayValue?.compactMap(\.objectValue) ?? []
        // The third names a record and changes nothing of it.
        #expect(records.map { $0["id"]?.stringValue } == [answer.rows[0].id, ids[1]])
        #expect(records.map { $0["created"]?.boolValue } == [true, nil])
    }

    @Test func `An upsert of nothing new leaves both lists in place`() throws {
        _ = try three()
        let answer = try upsert(#"[{"fields":{"Name":"A"}}]"#)
        #expect(answer.ids("createdRecords") == [] && answer.ids("updatedRecords")?.count == 1)
    }

    @Test func `All merge fields must be equal`() throws {
        let ids = try three()
        let answer = try upsert(
            #"[{"fields":{"Name":"A","Count":1,"Notes":"x"}},{"fields":{"Name":"A","Count":2,"Notes":"y"}}]"#,
            on: #"["Name","Count"]"#)
        #expect(answer.ids("updatedRecords") == [ids[0]] && answer.ids("createdRecords")?.count == 1)
    }

    @Test func `An empty value matches no record`() throws {
        _ = try house.create(#"{"records":[{"fields":{"Count":7}},{"fields":{}}]}"#)
        for unnamed in [UpdateRecordsRequest.Unnamed.kept, .cleared] {
            let answer = try upsert(#"[{"fields":{"Name":null,"Count":7}}]"#, on: #"["Name","Count"]"#, unnamed)
            #expect(answer.ids("createdRecords")?.count == 1 && answer.ids("updatedRecords") == [])
        }
    }

    @Test func `A PUT upsert clears what is not named`() throws {
        let ids = try three()
        let answer = try upsert(#"[{"fields":{"Name":"A","Notes":"n"}}]"#, .cleared)
        #expect(answer.rows[0].id == ids[0] && answer.rows[0]["Count"] == nil && answer.rows[0]["Notes"] == "n")
    }

    @Test func `Records of one upsert match those that it made before`() throws {
        let answer = try upsert(#"[{"fields":{"Name":"N","Count":1}},{"fields":{"Name":"N","Count":2}}]"#)
        #expect(answer.rows[0].id == answer.rows[1].id)
        #expect(try names() == ["N"])
        #expect(try house.list().rows[0]["Count"] == 2)
        #expect(answer.ids("createdRecords") == [answer.rows[0].id] && answer.ids("updatedRecords") == [])
    }

    @Test func `A record with an id is updated by it`() throws {
        let ids = try three()
        let answer = try upsert("[{\"id\":\"\(ids[0])\",\"fields\":{\"Name\":\"B\"}}]")
        #expect(answer.rows[0].id == ids[0] && answer.ids("updatedRecords") == [ids[0]])
        #expect(
            failure { _ = try upsert(#"[{"id":"rec00000000000000","fields":{"Name":"B"}}]"#) }
                == .recordDoesNotExist("rec00000000000000"))
    }

    @Test func `An upsert matches what typecast makes of the values`() throws {
        let ids = try three()
        let answer = try upsert(#"[{"fields":{"Count":"2","Status":"new"}}]"#, on: #"["Count"]"#, typecast: true)
        #expect(answer.ids("updatedRecords") == [ids[1]] && answer.rows[0]["Status"] == "new")
    }

    @Test(arguments: [
        (#"[{"fields":{"Name":"X"}},{"fields":{"Count":1}}]"#, #"["Name"]"#, "INVALID_REQUEST_UNKNOWN"),
        (#"[{"fields":{"Name":"X"}},{"fields":{"Name":"twin"}}]"#, #"["Name"]"#, "INVALID_REQUEST_UNKNOWN"),
        (#"[{"fields":{"Name":"X"}}]"#, #"["Nope"]"#, "UNKNOWN_FIELD_NAME"),
        (#"[{"fields":{"Name":"X","Done":true}}]"#, #"["Done"]"#, "INVALID_REQUEST_UNKNOWN"),
        (#"[{"fields":{"Name":"X"}}]"#, #"["Number"]"#, "INVALID_REQUEST_UNKNOWN"),
    ])
    func `An upsert that cannot be decided writes nothing`(records: String, fields: String, type: String) throws {
        _ = try house.create(#"{"records":[{"fields":{"Name":"twin"}},{"fields":{"Name":"twin"}}]}"#)
        #expect(failure { _ = try upsert(records, on: fields) }?.type == type)
        #expect(try names() == ["twin", "twin"])
    }

    @Test func `Every type that may be merged on matches its own values`() throws {
        let made = try house.create(
            #"{"fields":{"Name":"A","Notes":"n","Count":1.5,"Status":"done","Tags":["red","green"],"Due":"2024-05-01"}}"#
        ).rows[0]
        for (name, value) in [
            ("Name", #""A""#), ("Notes", #""n""#), ("Count", "1.5"), ("Status", #""done""#),
            ("Tags", #"["red","green"]"#), ("Due", #""2024-05-01""#),
        ] {
            let answer = try upsert("[{\"fields\":{\"\(name)\":\(value)}}]", on: "[\"\(name)\"]")
            #expect(answer.ids("updatedRecords") == [made.id], "\(name)")
        }
    }

    // MARK: typecast

    private func choices(_ name: String) throws -> [String] {
        try #require(try house.table().fields.first { $0.name == name }).choices.map(\.name)
    }

    @Test func `Typecast adds the choices that are missing`() throws {
        let made = try house.create(
            #"{"records":[{"fields":{"Status":"new","Tags":"red, blue"}},{"fields":{"Status":"new","Tags":["pink"]}}],"typecast":true}"#
        ).rows
        #expect(made[0]["Status"] == "new" && made[0]["Tags"] == ["red", "blue"] && made[1]["Tags"] == ["pink"])
        #expect(try choices("Status") == ["todo", "doing", "done", "new"])
        #expect(try choices("Tags") == ["red", "green", "blue", "pink"])
        try house.restart()
        #expect(try choices("Status") == ["todo", "doing", "done", "new"])
        #expect(try house.list().rows == made)
    }

    @Test func `Choices of a call that fails later are not kept`() throws {
        let bodies = [
            #"{"records":[{"fields":{"Status":"new"}},{"fields":{"Owner":"nobody"}}],"typecast":true}"#,
            #"{"records":[{"fields":{"Status":"new"}},{"fields":{"Nope":1}}],"typecast":true}"#,
        ]
        for body in bodies { #expect(failure { _ = try house.create(body) } != nil) }
        let missing = #"{"records":[{"id":"rec00000000000000","fields":{"Status":"new"}}],"typecast":true}"#
        #expect(failure { _ = try house.update(missing) } == .recordDoesNotExist("rec00000000000000"))
        #expect(try choices("Status") == ["todo", "doing", "done"])
        try house.restart()
        #expect(try choices("Status") == ["todo", "doing", "done"])
        #expect(try house.create(#"{"fields":{"Status":"newer"},"typecast":true}"#).rows[0]["Status"] == "newer")
    }
}
