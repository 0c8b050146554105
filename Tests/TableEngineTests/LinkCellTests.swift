import RowhouseJSON
import RowhouseModel
import RowhouseWire
import SQLiteStorage
import Storage
import TableEngine
import Testing

struct LinkCellTests {
    let house: House
    init() throws {
        house = try House()
        try house.makeLink("Part of", from: "Tasks", to: "Other")
        try house.makeLink("Parent", from: "Tasks", to: "Tasks")
    }

    private func others(_ names: String...) throws -> [String] {
        let records = names.map { "{\"fields\":{\"Name\":\(Self.quoted($0))}}" }.joined(separator: ",")
        return try house.create("{\"records\":[\(records)]}", table: "Other").rows.map(\.id)
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).bytes, as: UTF8.self)
    }

    private static func list(_ ids: [String]) -> String { "[" + ids.map(quoted).joined(separator: ",") + "]" }

    private func task(_ cell: String, typecast: Bool = false) throws -> House.Row {
        try house.create("{\"fields\":{\"Part of\":\(cell)},\"typecast\":\(typecast)}").rows[0]
    }

    private func names() throws -> [String?] {
        try house.list(table: "Other").rows.map { $0["Name"]?.stringValue }
    }

    private static func ids(_ value: JSONValue?) -> [String]? { value?.arrayValue?.compactMap(\.stringValue) }

    // MARK: ids

    @Test func `Links are read as an array of ids on both sides, in their order and each once`() throws {
        let ids = try others("A", "B", "C")
        let task = try task(Self.list([ids[2], ids[0], ids[2]]))
        #expect(Self.ids(task["Part of"]) == [ids[2], ids[0]])
        let second = try self.task("[{\"id\":\"\(ids[0])\",\"name\":\"whatever\"}]")
        #expect(Self.ids(try house.get(ids[0], table: "Other")["Tasks"]) == [task.id, second.id])
        #expect(try house.get(ids[1], table: "Other")["Tasks"] == nil)
        try house.restart()
        #expect(try house.list().rows == [task, second])
    }

    @Test func `What a read returns can be written back and reads the same`() throws {
        let ids = try others("A", "B")
        let task = try task(Self.list([ids[1], ids[0]]))
        let cell = String(decoding: try #require(task["Part of"]).bytes, as: UTF8.self)
        let count = try house.changes().count
        #expect(try house.updateOne(task.id, "{\"fields\":{\"Part of\":\(cell)}}") == task)
        #expect(try house.changes().count == count)
        let other = try house.get(ids[0], table: "Other")
        let fields = String(decoding: JSONValue.object(other.fields).bytes, as: UTF8.self)
        #expect(try house.updateOne(ids[0], "{\"fields\":\(fields)}", table: "Other") == other)
    }

    @Test(arguments: ["null", "[]"])
    func `Null and the empty array clear both sides`(cell: String) throws {
        let ids = try others("A")
        let task = try task(Self.list(ids))
        #expect(try house.updateOne(task.id, "{\"fields\":{\"Part of\":\(cell)}}")["Part of"] == nil)
        #expect(try house.get(ids[0], table: "Other")["Tasks"] == nil)
    }

    @Test func `PUT clears links that it does not name, PATCH keeps them`() throws {
        let ids = try others("A")
        let task = try task(Self.list(ids))
        #expect(Self.ids(try house.updateOne(task.id, #"{"fields":{"Name":"x"}}"#)["Part of"]) == ids)
        #expect(try house.updateOne(task.id, #"{"fields":{"Name":"x"}}"#, .cleared)["Part of"] == nil)
    }

    @Test func `A link within one table shows on its own side only`() throws {
        let first = try house.create(#"{"fields":{"Name":"A"}}"#).rows[0].id
        let second = try house.create("{\"fields\":{\"Name\":\"B\",\"Parent\":[\"\(first)\"]}}").rows[0]
        #expect(Self.ids(second["Parent"]) == [first])
        #expect(try house.get(first)["Parent"] == nil)
        #expect(Self.ids(try house.updateOne(first, "{\"fields\":{\"Parent\":[\"\(first)\"]}}")["Parent"]) == [first])
        try house.delete([first])
        #expect(try house.get(second.id)["Parent"] == nil)
    }

    @Test func `A deleted record leaves every cell`() throws {
        let ids = try others("A", "B")
        let task = try task(Self.list(ids))
        try house.delete([ids[0]], table: "Other")
        #expect(Self.ids(try house.get(task.id)["Part of"]) == [ids[1]])
        try house.delete([task.id])
        #expect(try house.get(ids[1], table: "Other")["Tasks"] == nil)
        let log = try #require(try house.changes().last)
        let cells = log.payload["records"]?.arrayValue?.first?.objectValue?["cells"]?.objectValue
        let field = try #require(try house.field("Part of", in: "Tasks")).id
        #expect(cells?[field.description] == [.string(ids[1]), .null])
    }

    @Test(arguments: [
        (#""recA""#, "INVALID_VALUE_FOR_COLUMN"), ("5", "INVALID_VALUE_FOR_COLUMN"),
        ("[5]", "INVALID_VALUE_FOR_COLUMN"),
        ("[null]", "INVALID_VALUE_FOR_COLUMN"), ("{}", "INVALID_VALUE_FOR_COLUMN"),
        ("[{}]", "INVALID_VALUE_FOR_COLUMN"),
        (#"["A"]"#, "INVALID_RECORD_ID"), (#"[""]"#, "INVALID_RECORD_ID"),
        (#"["rec0000000000000"]"#, "INVALID_RECORD_ID"),
        (#"["rec00000000000000"]"#, "ROW_DOES_NOT_EXIST"), (#"["@",  "rec00000000000000"]"#, "ROW_DOES_NOT_EXIST"),
        (#"["@","%"]"#, "ROW_TABLE_DOES_NOT_MATCH_LINKED_TABLE"),
    ])
    func `What is no array of ids of the linked table is refused, and nothing is written`(cell: String, type: String)
        throws
    {
        let other = try others("A")[0]
        let task = try house.create(#"{"fields":{"Name":"T"}}"#).rows[0]
        let cell = cell.split(separator: "@", omittingEmptySubsequences: false).joined(separator: other)
            .split(separator: "%", omittingEmptySubsequences: false).joined(separator: task.id)
        #expect(failure { _ = try self.task(cell) }?.type == type)
        #expect(
            failure { _ = try house.updateOne(task.id, "{\"fields\":{\"Name\":\"X\",\"Part of\":\(cell)}}") }?.type
                == type)
        #expect(try house.list().rows == [task])
        #expect(try house.get(other, table: "Other")["Tasks"] == nil)
    }

    @Test func `The errors of links tell what is wrong`() throws {
        let error = failure { _ = try task(#""A""#) }
        #expect(
            error?.message
                == "Field \"Part of\" cannot accept the provided value. Value is not an array of record IDs.")
        #expect(
            failure { _ = try task(#"["rec00000000000000"]"#) }?.message
                == "Record ID rec00000000000000 does not exist in this table")
    }

    @Test func `Links written on one side are no change of the other side's record`() throws {
        let task = try house.create(#"{"fields":{"Name":"T"}}"#).rows[0]
        let changed = try house.makeField(#"{"name":"Changed","type":"lastModifiedTime"}"#, in: "Other")
        let other = try others("A")[0]
        let before = try house.get(other, table: "Other")[changed.name]
        _ = try house.updateOne(task.id, "{\"fields\":{\"Part of\":[\"\(other)\"]}}")
        #expect(try house.get(other, table: "Other")["Changed"] == before && before != nil)
    }

    @Test func `The change log has the side that was written, with what was there before`() throws {
        let ids = try others("A", "B")
        let task = try task(Self.list([ids[0]]))
        _ = try house.updateOne(task.id, "{\"fields\":{\"Part of\":\(Self.list(ids))}}")
        let log = try #require(try house.changes().last)
        let record = try #require(log.payload["records"]?.arrayValue?.first?.objectValue)
        let field = try #require(try house.field("Part of", in: "Tasks")).id
        #expect(record["id"] == .string(task.id))
        #expect(
            record["cells"]?.objectValue?[field.description]
                == [.string(ids[0]), .string(ids.joined(separator: ","))])
        #expect(log.payload["records"]?.arrayValue?.count == 1)
    }

    @Test func `A request adds and moves so many links at most, and may send any that stay`() throws {
        let ids = try manyOthers(20_001)
        let task = try task(Self.list(Array(ids.dropLast())))
        #expect(Self.ids(task["Part of"]) == Array(ids.dropLast()))
        #expect(failure { _ = try self.task(Self.list(ids)) }?.type == "INVALID_REQUEST_UNKNOWN")
        #expect(
            Self.ids(try house.updateOne(task.id, "{\"fields\":{\"Part of\":\(Self.list(ids))}}")["Part of"]) == ids)
        // Without the first all others stay where they are.
        let rest = Array(ids.dropFirst())
        #expect(
            Self.ids(try house.updateOne(task.id, "{\"fields\":{\"Part of\":\(Self.list(rest))}}")["Part of"]) == rest)
        let turned = Self.list(Array(ids.reversed()))
        #expect(
            failure { _ = try house.updateOne(task.id, "{\"fields\":{\"Part of\":\(turned)}}") }?.type
                == "INVALID_REQUEST_UNKNOWN")
    }

    private func manyOthers(_ count: Int) throws -> [String] {
        let table = try house.table("Other")
        return try house.storage.write { (writer) throws(APIError) in
            let records = (0..<count).map { _ in NewRecord(id: writer.newRecordID(), cells: []) }
            try writer.insert(records, in: table, by: House.ada.id)
            return records.map(\.id.description)
        }
    }

    // MARK: typecast

    @Test func `Typecast links by the exact name, the first of several, and makes what is missing once`() throws {
        let ids = try others("A", "a", "B", "B")
        let task = try task(#"["B","New","A","B"]"#, typecast: true)
        #expect(try names() == ["A", "a", "B", "B", "New"])
        let made = try house.list(table: "Other").rows[4]
        #expect(Self.ids(task["Part of"]) == [ids[2], made.id, ids[0]])
        #expect(Self.ids(made["Tasks"]) == [task.id])
        let again = try house.create(
            #"{"records":[{"fields":{"Part of":"Newer"}},{"fields":{"Part of":["Newer","New"]}}],"typecast":true}"#
        ).rows
        #expect(try names() == ["A", "a", "B", "B", "New", "Newer"])
        #expect(again[0]["Part of"]?.arrayValue?.first == again[1]["Part of"]?.arrayValue?.first)
    }

    @Test(
        arguments: [
            (#""A, B""#, ["A", "B"]), (#""A,B""#, ["A", "B"]), (#"" A ,, B ,""#, ["A", "B"]), (#""""#, []),
            (#""\"C, D\",A""#, ["C, D", "A"]), (#""\"say \"\"hi\"\", D\"""#, [#"say "hi", D"#]),
            (#""5\" pipe, A""#, [#"5" pipe"#, "A"]), (#""\"A\" and B""#, [#""A" and B"#]), (#""\"A""#, [#""A"#]),
            (#"["C, D","A"]"#, ["C, D", "A"]), (#"[" A"]"#, [" A"]), (#"["",null]"#, nil), ("7", ["7"]),
            ("[7,true]", ["7", "true"]),
            ("[]", []), ("null", []), (#""recrystallization""#, ["recrystallization"]), ("{}", nil), ("[[]]", nil),
        ] as [(String, [String]?)])
    func `Names come in an array, or in one text with commas and quotes`(cell: String, expected: [String]?) throws {
        guard let expected else {
            #expect(failure { _ = try self.task(cell, typecast: true) }?.type == "INVALID_VALUE_FOR_COLUMN")
            return #expect(try names().isEmpty)
        }
        let task = try task(cell, typecast: true)
        #expect(try names() == expected)
        #expect(Self.ids(task["Part of"]) ?? [] == (try house.list(table: "Other").rows.map(\.id)))
    }

    @Test func `Ids are taken with typecast too, as text and as object`() throws {
        let ids = try others("A", "B")
        let task = try task("[\"\(ids[1])\",{\"id\":\"\(ids[0])\"}]", typecast: true)
        #expect(Self.ids(task["Part of"]) == [ids[1], ids[0]])
        #expect(Self.ids(try self.task("\"\(ids[1]), A\"", typecast: true)["Part of"]) == [ids[1], ids[0]])
        #expect(try names() == ["A", "B"])
    }

    @Test func `Records that typecast made are undone with the request, and logged in their own table`() throws {
        let body =
            #"{"records":[{"fields":{"Part of":["New"]}},{"fields":{"Count":"x","Status":5,"Number":1}}],"typecast":true}"#
        #expect(failure { _ = try house.create(body) }?.type == "INVALID_VALUE_FOR_COLUMN")
        #expect(try names().isEmpty)
        let count = try house.changes().count
        _ = try task(#"["New","Newer"]"#, typecast: true)
        let changes = try house.changes().dropFirst(count)
        #expect(changes.map(\.kind) == ["createRecords", "createRecords"])
        #expect(changes.first?.payload["records"]?.arrayValue?.count == 2)
        #expect(changes.first?.table != changes.last?.table)
    }

    @Test func `Names of other types are read as typecast reads their field`() throws {
        _ = try house.makeTable(
            #"{"name":"Prices","fields":[{"name":"P","type":"currency","options":{"precision":2,"symbol":"$"}}]}"#)
        _ = try house.makeTable(
            #"{"name":"Numbers","fields":[{"name":"N","type":"autoNumber"},{"name":"T","type":"email"}]}"#)
        try house.makeLink("Price", from: "Tasks", to: "Prices")
        try house.makeLink("Auto", from: "Tasks", to: "Numbers")
        let price = try house.create(#"{"fields":{"P":12.5}}"#, table: "Prices").rows[0].id
        let made = try house.create(#"{"fields":{"Price":["$12.50","7"]},"typecast":true}"#).rows[0]
        #expect(Self.ids(made["Price"])?.first == price)
        #expect(try house.list(table: "Prices").rows.map { $0["P"] } == [12.5, 7])
        #expect(
            failure { _ = try house.create(#"{"fields":{"Price":["cheap"]},"typecast":true}"#) }
                == .cannotAccept("Price"))
        let number = try house.create(#"{"fields":{"T":"x"}}"#, table: "Numbers").rows[0].id
        #expect(Self.ids(try house.create(#"{"fields":{"Auto":"1"},"typecast":true}"#).rows[0]["Auto"]) == [number])
        // Nobody can write the primary field of a record that is missing.
        #expect(
            failure { _ = try house.create(#"{"fields":{"Auto":"2"},"typecast":true}"#) } == .cannotAccept("Auto"))
    }

    @Test func `A name is found in a large table too, and one request looks up so many names at most`() throws {
        for start in stride(from: 0, to: 1_000, by: 500) {
            let names = (start..<start + 500).map { "\"n \($0)\"" }.joined(separator: ",")
            _ = try task("[\(names)]", typecast: true)
        }
        let all = Array(try house.walk([("pageSize", "100")], table: "Other").joined())
        #expect(all.count == 1_000)
        _ = try task(#""n 1000, n 1001""#, typecast: true)
        let task = try task(#""n 999, n 5""#, typecast: true)
        #expect(Self.ids(task["Part of"]) == [all[999], all[5]].map(\.id))
        let many = (0...1_000).map { "\"m \($0)\"" }.joined(separator: ",")
        #expect(failure { _ = try self.task("[\(many)]", typecast: true) }?.type == "INVALID_REQUEST_UNKNOWN")
        #expect(try house.walk([("pageSize", "100")], table: "Other").joined().count == 1_002)
    }

    @Test func `An upsert writes links too`() throws {
        let ids = try others("A")
        let body =
            "{\"performUpsert\":{\"fieldsToMergeOn\":[\"Name\"]},\"records\":[{\"fields\":{\"Name\":\"T\",\"Part of\":\(Self.list(ids))}}]}"
        let made = try house.update(body).rows[0]
        #expect(Self.ids(made["Part of"]) == ids)
        #expect(try house.update(body).ids("updatedRecords") == [made.id])
        #expect(Self.ids(try house.get(ids[0], table: "Other")["Tasks"]) == [made.id])
    }
}
