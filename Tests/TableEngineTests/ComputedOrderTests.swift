import RowhouseJSON
import RowhouseModel
import RowhouseWire
import SQLiteStorage
import Storage
import TableEngine
import Testing

/// Lists sorted by what no store can sort by.
struct ComputedOrderTests {
    let house: House
    init() throws { house = try House() }

    private typealias Query = [(name: String, value: String)]
    private static func sorted(_ fields: (String, String)..., size: Int = 100) -> Query {
        fields.enumerated().flatMap { place, field in
            [("sort[\(place)][field]", field.0), ("sort[\(place)][direction]", field.1)] as Query
        } + [("pageSize", String(size))]
    }

    @Test func `Blank cells first, then values, errors and what is no number last; descending the reverse`() throws {
        try house.formula("F", #"IF(Name = "e", ERROR(), IF(Name = "n", 0 / 0, IF(Name, LEN(Name))))"#)
        try house.records(["e", "aaa", "", "n", "bb", "a"].map { "{\"Name\":\"\($0)\"}" })
        let names = ["-", #""a""#, #""bb""#, #""aaa""#, #""n""#, #""e""#]
        #expect(try house.column("Name", Self.sorted(("F", "asc"))) == names)
        #expect(try house.column("Name", Self.sorted(("F", "desc"))) == names.reversed())
    }

    @Test func `Texts by the order of texts, numbers by value, dates by time`() throws {
        try house.formula("T", "Name & \"\"")
        try house.formula("N", "Count * 2")
        try house.formula("D", "IF(Due, DATEADD(Due, 1, 'day'))")
        try house.records([
            #"{"Name":"z11","Count":-1,"Due":"2024-01-01"}"#, #"{"Name":"Z2","Count":10}"#,
            #"{"Name":"a","Count":9,"Due":"1969-01-01"}"#,
        ])
        #expect(try house.column("Name", Self.sorted(("T", "asc"))) == [#""a""#, #""Z2""#, #""z11""#])
        #expect(try house.column("Name", Self.sorted(("N", "asc"))) == [#""z11""#, #""a""#, #""Z2""#])
        #expect(try house.column("Name", Self.sorted(("D", "asc"))) == [#""Z2""#, #""a""#, #""z11""#])
    }

    @Test func `Links by the names of linked records, lookups by their values, counts by number`() throws {
        let others = try house.records(["b", "a", "c"].map { "{\"Name\":\"\($0)\"}" }, in: "Other").map(\.id)
        try house.makeLink("Others", from: "Tasks", to: "Other")
        try house.compute("Count of others", "count", #"{"recordLinkFieldId":"@Tasks.Others@"}"#)
        try house.compute(
            "Names", "multipleLookupValues",
            #"{"recordLinkFieldId":"@Tasks.Others@","fieldIdInLinkedTable":"@Other.Name@"}"#)
        for (name, links) in [("1", [0]), ("2", [1, 2]), ("3", []), ("4", [1])] {
            let cell = links.map { "\"\(others[$0])\"" }.joined(separator: ",")
            _ = try house.create("{\"fields\":{\"Name\":\"\(name)\",\"Others\":[\(cell)]}}")
        }
        let byName = [#""3""#, #""4""#, #""2""#, #""1""#]
        #expect(try house.column("Name", Self.sorted(("Others", "asc"))) == byName)
        #expect(try house.column("Name", Self.sorted(("Names", "asc"))) == byName)
        #expect(
            try house.column("Name", Self.sorted(("Count of others", "desc"), ("Name", "asc")))
                == [#""2""#, #""1""#, #""4""#, #""3""#])
        // What lies behind the links changes: so does the order.
        _ = try house.updateOne(others[0], #"{"fields":{"Name":"0"}}"#, table: "Other")
        #expect(try house.column("Name", Self.sorted(("Others", "asc"))) == [#""3""#, #""1""#, #""4""#, #""2""#])
        try house.delete([others[1]], table: "Other")
        #expect(try house.column("Name", Self.sorted(("Others", "asc"))) == [#""3""#, #""4""#, #""1""#, #""2""#])
    }

    @Test(arguments: [1, 3, 7, 100])
    func `Pages of any size come to the same list, also after a restart in between`(size: Int) throws {
        try house.formula("F", "MOD(Count * 7, 5)")
        try house.records((0..<23).map { "{\"Count\":\($0)}" })
        let query = Self.sorted(("F", "desc"), ("Done", "asc"), size: size)
        let whole = try house.list(Self.sorted(("F", "desc"), ("Done", "asc"))).rows
        #expect(Set(whole.map(\.id)).count == 23)
        #expect(try house.walk(query).flatMap { $0 } == whole)
        let keys = whole.compactMap { $0["F"]?.numberValue }
        #expect(keys == keys.sorted(by: >))
        guard let offset = try house.list(query).offset else {
            #expect(size == 100)
            return
        }
        try house.restart()
        let rest = try house.list(Self.sorted(("F", "desc"), ("Done", "asc")) + [("offset", offset)]).rows
        #expect(rest == Array(whole.dropFirst(size)))
    }

    @Test func `Records that go or move while a walk is under way are told at most once`() throws {
        try house.formula("F", "Count")
        let rows = try house.records((0..<10).map { "{\"Count\":\($0)}" })
        let query = Self.sorted(("F", "asc"), size: 4)
        let first = try house.list(query)
        try house.delete([rows[3].id, rows[5].id])
        _ = try house.updateOne(rows[9].id, #"{"fields":{"Count":-1}}"#)
        var ids = first.rows.map(\.id)
        var offset = first.offset
        while let next = offset {
            let page = try house.list(query + [("offset", next)])
            ids += page.rows.map(\.id)
            offset = page.offset
        }
        #expect(Set(ids).count == ids.count)
        let stayed = rows.indices.filter { ![3, 5, 9].contains($0) }.map { rows[$0].id }
        #expect(Set(stayed).isSubset(of: Set(ids)))
        // A new walk sees all as it is.
        #expect(try house.walk(query).flatMap { $0 }.first?.id == rows[9].id)
    }

    @Test func `A store tells which tables a commit has touched`() throws {
        try house.makeLink("Others", from: "Tasks", to: "Other")
        let (tasks, others) = (try house.table("Tasks").id, try house.table("Other").id)
        func changed(_ work: () throws -> Void) throws -> [Bool] {
            let before = [tasks, others].map { house.storage.changeNumber(of: $0) }
            try work()
            return zip(before, [tasks, others]).map { $0 != house.storage.changeNumber(of: $1) }
        }
        var other = ""
        var task = ""
        #expect(
            try changed { other = try house.create(#"{"fields":{"Name":"o"}}"#, table: "Other").rows[0].id } == [
                false, true,
            ])
        #expect(try changed { task = try house.create(#"{"fields":{"Name":"t"}}"#).rows[0].id } == [true, false])
        #expect(try changed { _ = try house.updateOne(task, #"{"fields":{"Name":"u"}}"#) } == [true, false])
        let link = "{\"fields\":{\"Others\":[\"\(other)\"]}}"
        #expect(try changed { _ = try house.updateOne(task, link) } == [true, true])
        #expect(try changed { _ = try house.list() } == [false, false])
        #expect(try changed { try house.delete([other], table: "Other") } == [true, true])
    }
}
