import RowhouseJSON
import RowhouseModel
import RowhouseWire
import TableEngine
import Testing

struct RecordListTests {
    let house: House
    init() throws { house = try House() }

    private func fill(_ count: Int) throws -> [String] {
        var ids: [String] = []
        for start in stride(from: 0, to: count, by: 10) {
            let records = (start..<min(count, start + 10)).map {
                "{\"fields\":{\"Name\":\"n\($0)\",\"Count\":\($0 % 7)}}"
            }
            ids += try house.create("{\"records\":[\(records.joined(separator: ","))]}").rows.map(\.id)
        }
        return ids
    }

    @Test func `Without a sort records come in the order they were made`() throws {
        let ids = try fill(25)
        #expect(try house.list().rows.map(\.id) == ids)
        #expect(try house.list().offset == nil)
        #expect(try house.list(table: "Other").rows.isEmpty)
    }

    @Test func `Only the fields asked for are shown`() throws {
        _ = try fill(1)
        #expect(try house.list([("fields[]", "Count")]).rows[0].fields == ["Count": 0])
        #expect(try house.list([("fields[]", "Notes")]).rows[0].fields == [:])
        let count = try #require(try house.table().fields.first { $0.name == "Count" }).id.description
        #expect(
            try house.list([("fields[]", count), ("fields[]", "Name"), ("returnFieldsByFieldId", "1")]).rows[0].fields
                .count
                == 2)
        #expect(failure { _ = try house.list([("fields[]", "Nope")]) } == .unknownFieldName("Nope"))
        #expect(failure { _ = try house.list([("fields[]", "name")]) } == .unknownFieldName("name"))
    }

    @Test func `Pages are full until the last, which has no offset`() throws {
        let ids = try fill(9)
        for (size, sizes) in [
            (3, [3, 3, 3]), (4, [4, 4, 1]), (8, [8, 1]), (9, [9]), (10, [9]), (1, Array(repeating: 1, count: 9)),
        ] {
            let pages = try house.walk([("pageSize", "\(size)")])
            #expect(pages.map(\.count) == sizes)
            #expect(pages.flatMap { $0 }.map(\.id) == ids)
        }
    }

    private func now(_ query: [(name: String, value: String)] = []) throws -> RecordPage? {
        var request = ListRecordsRequest(base: house.base, table: TableReference("Tasks"))
        try ListRecordsDecoder.decode(query: query, acceptsLimit: true, into: &request)
        return try house.engine.listRecordsNow(request, as: house.owner)
    }

    @Test func `No event thread waits for records that are long`() throws {
        let text = String(repeating: "x", count: 90_000)
        let ids = try (0..<8).flatMap { _ in try house.create(#"{"fields":{"Notes":"\#(text)"}}"#).rows.map(\.id) }
        #expect(try now([("pageSize", "5")])?.batch.count == 5)
        #expect(try now([("pageSize", "8")]) == nil)
        #expect(try now([("pageSize", "8"), ("sort[0][field]", "Name")]) == nil)
        #expect(try now([("pageSize", "8"), ("filterByFormula", "{Name}='a'")])?.batch.count == 0)
        #expect(try now([("pageSize", "8"), ("filterByFormula", "{Count}=BLANK()")]) == nil)
        #expect(try now([("pageSize", "8"), ("fields[]", "Name")])?.batch.count == 8)
        #expect(try house.list().rows.map(\.id) == ids)
    }

    @Test func `No event thread waits for one record that is long`() throws {
        let id = try house.create(#"{"fields":{"Notes":"n"}}"#).rows[0].id
        let request = GetRecordRequest(
            base: house.base, table: TableReference("Tasks"), record: try #require(RecordID(id)))
        #expect(try house.engine.getRecordNow(request, as: house.owner)?.batch.count == 1)
        for number in 0..<6 { _ = try house.makeField(#"{"name":"Long \#(number)","type":"multilineText"}"#) }
        let text = String(repeating: "x", count: 99_000)
        let cells = (0..<6).map { #""Long \#($0)":"\#(text)""# }.joined(separator: ",")
        _ = try house.updateOne(id, "{\"fields\":{\(cells)}}")
        #expect(try house.engine.getRecordNow(request, as: house.owner) == nil)
        #expect(try house.get(id)["Long 5"]?.stringValue == text)
    }

    @Test func `maxRecords counts over all pages`() throws {
        let ids = try fill(30)
        for (size, most, sizes) in [
            (10, 25, [10, 10, 5]), (10, 20, [10, 10]), (10, 30, [10, 10, 10]), (10, 31, [10, 10, 10]), (10, 5, [5]),
            (100, 7, [7]), (3, 1, [1]),
        ] {
            let pages = try house.walk([("pageSize", "\(size)"), ("maxRecords", "\(most)")])
            #expect(pages.map(\.count) == sizes, "\(size) \(most)")
            #expect(pages.flatMap { $0 }.map(\.id) == Array(ids.prefix(most)))
        }
    }

    @Test func `Sorted pages hold every record once, in one order`() throws {
        let ids = try fill(40)
        for direction in ["asc", "desc"] {
            let query = [("sort[0][field]", "Count"), ("sort[0][direction]", direction)]
            let whole = try house.list(query).rows
            #expect(Set(whole.map(\.id)) == Set(ids))
            let counts = whole.compactMap { $0["Count"]?.numberValue }
            #expect(counts == (direction == "asc" ? counts.sorted() : counts.sorted(by: >)))
            for size in [1, 3, 7, 39, 40] {
                #expect(try house.walk(query + [("pageSize", "\(size)")]).flatMap { $0 } == whole, "\(size)")
            }
        }
    }

    @Test func `Empty cells come first ascending, and descending is exactly the reverse`() throws {
        _ = try house.create(
            #"{"records":[{"fields":{"Name":"z2","Count":5,"Status":"done"}},{"fields":{"Name":"z11","Done":true,"Status":"todo"}},{"fields":{"Count":0,"Status":"doing"}},{"fields":{"Name":"A","Count":-1,"Due":"2024-05-01"}},{"fields":{"Name":"a","Count":5,"Due":"1969-01-01"}}]}"#
        )
        let rows = try house.list().rows
        let orders: [(String, [Int])] = [
            ("Name", [2, 3, 4, 0, 1]), ("Count", [1, 3, 2, 0, 4]), ("Done", [0, 2, 3, 4, 1]),
            // Choices sort in the order of the field's options: todo, doing, done.
            ("Status", [3, 4, 1, 2, 0]), ("Due", [0, 1, 2, 4, 3]), ("Number", [0, 1, 2, 3, 4]),
            ("Made", [0, 1, 2, 3, 4]),
        ]
        for (field, order) in orders {
            let ascending = try house.list([("sort[0][field]", field)]).rows
            #expect(ascending.map(\.id) == order.map { rows[$0].id }, "\(field)")
            let descending = try house.list([("sort[0][field]", field), ("sort[0][direction]", "desc")]).rows
            #expect(descending == ascending.reversed(), "\(field)")
        }
        let two = try house.list([
            ("sort[0][field]", "Count"), ("sort[0][direction]", "desc"), ("sort[1][field]", "Name"),
        ]).rows
        #expect(two.map(\.id) == [4, 0, 2, 3, 1].map { rows[$0].id })
        #expect(failure { _ = try house.list([("sort[0][field]", "Nope")]) } == .unknownFieldName("Nope"))
    }

    // MARK: offsets

    @Test func `An offset begins like Airtable's and keeps its iterator over the walk`() throws {
        let ids = try fill(6)
        let first = try #require(try house.list([("pageSize", "2")]).offset)
        let second = try #require(try house.list([("pageSize", "2"), ("offset", first)]).offset)
        #expect(first.hasPrefix("itr") && first.prefix(17) == second.prefix(17))
        #expect(first.split(separator: "/")[1] == ids[1] && second.split(separator: "/")[1] == ids[3])
    }

    @Test func `An offset goes on after its record is deleted, changed, or the program starts again`() throws {
        let ids = try fill(6)
        let plain = try #require(try house.list([("pageSize", "3")]).offset)
        let query = [("sort[0][field]", "Name"), ("pageSize", "3")]
        let sorted = try #require(try house.list(query).offset)
        try house.delete([ids[2]])
        #expect(try house.list([("pageSize", "3"), ("offset", plain)]).rows.map(\.id) == Array(ids[3...]))
        #expect(try house.list(query + [("offset", sorted)]).rows.map(\.id) == Array(ids[3...]))
        try house.restart()
        #expect(try house.list([("pageSize", "3"), ("offset", plain)]).rows.map(\.id) == Array(ids[3...]))
        #expect(try house.list(query + [("offset", sorted)]).rows.map(\.id) == Array(ids[3...]))
    }

    @Test func `A walk shows no record twice while others are added and removed`() throws {
        let ids = try fill(12)
        var seen: [String] = []
        var offset: String?
        repeat {
            let page = try house.list([("pageSize", "3")] + (offset.map { [("offset", $0)] } ?? []))
            seen += page.rows.map(\.id)
            offset = page.offset
            if seen.count == 3 { try house.delete([ids[2], ids[0]]) }
            if seen.count == 6 { _ = try house.create(#"{"fields":{"Name":"late"}}"#) }
        } while offset != nil && seen.count < 50
        #expect(Set(seen).count == seen.count)
        #expect(Array(seen.prefix(12)) == ids)
    }

    @Test(arguments: [
        "x", "itr", "itrAAAAAAAAAAAAAA", "itrAAAAAAAAAAAAAA/", "itrAAAAAAAAAAAAAA/nope", "/", "//", "rec00000000000000",
        "recAAAAAAAAAAAAAA/itrAAAAAAAAAAAAAA", "itrAAAAAAAAAAAAAA/recAAAAAAAAAAAAAA/%",
        "itrAAAAAAAAAAAAAA/recAAAAAAAAAAAAAA/x/y",
        "itrAAAAAAAAAAAAAA/recAAAAAAAAAAAAAA/", "itrAAAAAAAAAAAAAA/recAAAAAAAAAAAAAA/AAAA",
    ])
    func `A malformed offset is told as such`(offset: String) throws {
        #expect(failure { _ = try house.list([("offset", offset)]) } == .invalidOffset(offset))
    }

    @Test func `An offset of another list or another house is no longer available`() throws {
        _ = try fill(6)
        for index in 0..<3 { _ = try house.create("{\"fields\":{\"Name\":\"o\(index)\"}}", table: "Other") }
        let offset = try #require(try house.list([("pageSize", "2")]).offset)
        let foreign: [(String, [(String, String)])] = [
            ("Other", []), ("Tasks", [("sort[0][field]", "Name")]), ("Tasks", [("view", "Grid view")]),
        ]
        for (table, query) in foreign {
            #expect(
                failure { _ = try house.list(query + [("offset", offset)], table: table) } == .iteratorNotAvailable,
                "\(table) \(query)")
        }
        let sorted = try #require(try house.list([("pageSize", "2"), ("sort[0][field]", "Name")]).offset)
        #expect(failure { _ = try house.list([("offset", sorted)]) } == .iteratorNotAvailable)
        #expect(
            failure {
                _ = try house.list([("offset", sorted), ("sort[0][field]", "Name"), ("sort[0][direction]", "desc")])
            } == .iteratorNotAvailable)
        #expect(
            failure { _ = try house.list([("offset", "itrAAAAAAAAAAAAAA/recAAAAAAAAAAAAAA")]) } == .iteratorNotAvailable
        )
    }

    @Test func `An offset altered in any place is refused`() throws {
        _ = try fill(6)
        let offset = try #require(
            try house.list([("pageSize", "2"), ("maxRecords", "4"), ("sort[0][field]", "Name")]).offset)
        let characters = Array(offset)
        // The last character carries bits beyond the last byte; those before it are all signed.
        for place in characters.indices.dropLast() {
            var altered = characters
            altered[place] = altered[place] == "A" ? "B" : "A"
            let error = failure {
                _ = try house.list([("sort[0][field]", "Name"), ("offset", String(altered))])
            }
            #expect(error?.status == 422, "\(place): \(String(altered))")
        }
    }

    // MARK: views

    @Test func `A view is named by id or name, and must be of the table`() throws {
        let ids = try fill(2)
        let view = try house.table().views[0].id.description
        #expect(try house.list([("view", view)]).rows.map(\.id) == ids)
        #expect(try house.list([("view", "Grid view")]).rows.map(\.id) == ids)
        let elsewhere = try house.table("Other").views[0].id.description
        #expect(failure { _ = try house.list([("view", elsewhere)]) } == .failedStateCheck)
        #expect(failure { _ = try house.list([("view", "Nope")]) } == .viewNotFound("Nope"))
        #expect(
            failure { _ = try house.list([("view", "viw00000000000000")]) }?.type == "VIEW_ID_NOT_FOUND")
    }

    // MARK: get

    @Test func `A record is found by its id from any table of the base`() throws {
        let made = try house.create(#"{"fields":{"Name":"o"}}"#, table: "Other").rows[0]
        #expect(try house.get(made.id, table: "Tasks") == made)
        #expect(try house.get(made.id, table: "Other") == made)
        #expect(failure { _ = try house.get(made.id, table: "Nope") } == .invalidPermissionsOrModelNotFound)
        #expect(failure { _ = try house.get("rec00000000000000") } == .recordNotFound)
    }
}
