import CivilTime
import FormulaLanguage
import Glibc
import RowhouseJSON
import RowhouseModel
import RowhouseWire
import SQLiteStorage
import Storage
import TableEngine
import Testing

struct FilterListTests {
    var house: House
    init() throws { house = try House() }

    private func list(_ formula: String, _ more: [(String, String)] = [], table: String = "Tasks") throws -> [String] {
        try house.list([("filterByFormula", formula)] + more, table: table).rows.map(\.id)
    }

    /// Adds records `n0`, `n1`, … with a count from 0 to 6, every third one done and every other with a status.
    private func fill(_ count: Int) throws -> [String] {
        var ids: [String] = []
        for start in stride(from: 0, to: count, by: 10) {
            let records = (start..<min(count, start + 10)).map { number in
                """
                {"fields":{"Name":"n\(number)","Count":\(number % 7),"Done":\(number % 3 == 0),
                "Notes":"\(number % 10 == 0 ? "a tenth one" : "one of many")",
                "Status":\(number % 2 == 0 ? "\"doing\"" : "null")}}
                """
            }
            ids += try house.create("{\"records\":[\(records.joined(separator: ","))]}").rows.map(\.id)
        }
        return ids
    }

    @Test func `A record is kept unless the formula gives 0, false, an empty text, nothing, NaN or an error`() throws {
        let id = try house.create(#"{"fields":{"Name":"0","Count":0}}"#).rows[0].id
        let cases: [(String, Bool)] = [
            ("1", true), ("0", false), ("-0.5", true), ("\"\"", false), ("\"0\"", true), ("{Name}", true),
            ("{Count}", false), ("{Notes}", false), ("BLANK()", false), ("0/0", false), ("1/0", true),
            ("ERROR()", false), ("{Name}+\"x\"", false), ("{Tags}", false), ("TRUE()", true), ("FALSE()", false),
            ("TODAY()", true), ("IF(1, 0, \"text\")", false), ("IF(1, 2=3, \"text\")", false), ("NOT({Done})", true),
            ("{Due} < TODAY()", true), ("{Count}=BLANK()", true), ("{Count}=\"\"", false), ("{Notes}=0", true),
        ]
        for (formula, isKept) in cases {
            #expect(try list(formula) == (isKept ? [id] : []), "\(formula)")
        }
        #expect(try list("") == [id])
    }

    @Test func `Mistakes are told before any record is looked at`() throws {
        let prefix = "The formula for filtering records is invalid: "
        func message(_ formula: String) -> String? {
            failure { _ = try house.list([("filterByFormula", formula)], table: "Other") }?.message
        }
        #expect(message("{Nope}=1") == prefix + "Unknown field names: nope")
        #expect(
            message("AND(FirstName='x', {Last Name}='y', FirstName='z', {Name})") == prefix
                + "Unknown field names: firstname, last name")
        for formula in ["{Name", "1+", "NOPE(1)", "LEFT()", "1==1", ")", "\"open", "AND(1,)"] {
            let text = message(formula)
            #expect(text?.hasPrefix(prefix + "Invalid formula. Please check your formula text.") == true, "\(formula)")
            #expect(text?.contains("column") == true)
        }
        let error = failure { _ = try house.list([("filterByFormula", "1+")]) }
        #expect(error?.status == 422 && error?.type == "INVALID_FILTER_BY_FORMULA")
    }

    @Test func `A field is named in a filter by name, by id, or in another case`() throws {
        let id = try house.create(#"{"fields":{"Name":"x"}}"#).rows[0].id
        let field = try #require(try house.table().fields.first).id
        for formula in ["{Name}='x'", "Name='x'", "{\(field)}='x'", "{NAME}='x'", "name='x'"] {
            #expect(try list(formula) == [id], "\(formula)")
        }
    }

    /// Filters answered by the store alone, by the evaluator alone, and by both.
    private static let filters: [(String, @Sendable (Int) -> Bool)] = [
        ("{Count}=3", { $0 % 7 == 3 }), ("{Name}='n77'", { $0 == 77 }), ("{Count}<2", { $0 % 7 < 2 }),
        ("NOT({Done})", { $0 % 3 > 0 }), ("{Status}=\"\"", { $0 % 2 == 1 }),
        ("FIND('tenth',{Notes})", { $0 % 10 == 0 }),
        ("VALUE({Name})>650", { $0 > 650 }), ("AND({Done}, VALUE({Name})>650)", { $0 > 650 && $0 % 3 == 0 }),
        ("AND({Count}=3, RIGHT({Name},1)='7')", { $0 % 7 == 3 && $0 % 10 == 7 }),
        ("OR({Count}=3, RIGHT({Name},1)='7')", { $0 % 7 == 3 || $0 % 10 == 7 }), ("1=2", { _ in false }),
        ("LEN({Name}&{Status})=9", { $0 % 2 == 0 && $0 > 99 }),
    ]
    private static let sorts: [[(String, String)]] = [
        [], [("sort[0][field]", "Count"), ("sort[0][direction]", "desc")],
        [("sort[0][field]", "Status"), ("sort[1][field]", "Name")],
    ]

    private func checkAll(_ ids: [String], pages sizes: [Int], _ note: String) throws {
        let numbers = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
        for sort in Self.sorts {
            let all = try house.walk(sort).flatMap { $0 }.map(\.id)
            #expect(all.count == ids.count)
            for (formula, isKept) in Self.filters {
                let expected = all.filter { numbers[$0].map(isKept) ?? false }
                for size in sizes {
                    let pages = try house.walk(sort + [("filterByFormula", formula), ("pageSize", "\(size)")])
                    #expect(pages.flatMap { $0 }.map(\.id) == expected, "\(note): \(formula), \(sort), \(size)")
                    #expect(pages.dropLast().allSatisfy { $0.count == size }, "\(note): \(formula), \(sort), \(size)")
                    #expect(pages.count == max(1, (expected.count + size - 1) / size), "\(note): \(formula), \(size)")
                }
            }
        }
    }

    @Test func `Pages of a filtered list hold what is kept, in order, full until the last`() throws {
        try checkAll(fill(60), pages: [7, 100], "small")
    }

    @Test func `A filtered list of many records is the same while indexes are being made and after`() throws {
        let ids = try fill(720)
        try checkAll(ids, pages: [100], "first")
        while house.storage.isBuildingIndexes { usleep(1000) }
        try checkAll(ids, pages: [31], "indexed")
    }

    @Test mutating func `A filtered list without indexes is the same`() throws {
        house = try House(indexes: false)
        try checkAll(fill(720), pages: [31, 100], "no index")
        #expect(!house.storage.isBuildingIndexes)
    }

    @Test func `A walk begun before an index is ready goes on with it`() throws {
        let ids = try fill(720)
        let lists = [("Name", "LEN({Notes})=11"), ("Count", "{Count}<6"), ("Notes", "OR({Count}=1,{Count}=2)")]
        for (field, formula) in lists {
            let query = [
                ("sort[0][field]", field), ("sort[0][direction]", "desc"), ("filterByFormula", formula),
                ("pageSize", "50"),
            ]
            let first = try house.list(query)
            while house.storage.isBuildingIndexes { usleep(1000) }
            var (found, offset) = (first.rows.map(\.id), first.offset)
            while let next = offset {
                let page = try house.list(query + [("offset", next)])
                found += page.rows.map(\.id)
                offset = page.offset
            }
            #expect(found == (try house.walk(query).flatMap { $0 }.map(\.id)), "\(field)")
            #expect(found.count == Set(found).count && Set(found).isSubset(of: ids), "\(field)")
            #expect(found.count > 50, "\(field)")
        }
    }

    @Test func `maxRecords counts what is kept, over all pages`() throws {
        _ = try fill(100)
        let pages = try house.walk([("filterByFormula", "{Count}>0"), ("pageSize", "10"), ("maxRecords", "25")])
        #expect(pages.map(\.count) == [10, 10, 5])
        #expect(try house.list([("filterByFormula", "{Count}>0"), ("maxRecords", "3")]).offset == nil)
    }

    @Test func `An offset belongs to its filter`() throws {
        _ = try fill(30)
        let offset = try #require(try house.list([("filterByFormula", "{Count}>0"), ("pageSize", "5")]).offset)
        let error = failure { _ = try house.list([("filterByFormula", "{Count}>1"), ("offset", offset)]) }
        #expect(error == .iteratorNotAvailable)
    }

    @Test func `Only the fields asked for are shown, whatever the filter looks at`() throws {
        _ = try fill(5)
        for formula in ["{Count}=3", "VALUE({Name})=3"] {
            let rows = try house.list([("filterByFormula", formula), ("fields[]", "Done")]).rows
            #expect(rows.map(\.fields) == [["Done": true]], "\(formula)")
        }
    }

    @Test func `Five hundred records are found by their ids, in any order`() throws {
        let ids = try fill(620)
        let chosen = ids.enumerated().filter { $0.offset % 6 != 0 }.map(\.element)
        #expect(chosen.count > 500)
        let formula = "OR(\(chosen.shuffled().map { "RECORD_ID()='\($0)'" }.joined(separator: ",")))"
        #expect(formula.utf8.count > 16_000)
        #expect(try house.walk([("filterByFormula", formula)]).flatMap { $0 }.map(\.id) == chosen)
        let sorted = try house.walk([("filterByFormula", formula), ("sort[0][field]", "Count"), ("pageSize", "70")])
        #expect(Set(sorted.flatMap { $0 }.map(\.id)) == Set(chosen))
        let counts = sorted.flatMap { $0 }.map { $0["Count"]?.numberValue ?? -1 }
        #expect(counts == counts.sorted())
    }

    @Test func `Computed fields and names of linked records are filtered and sorted by`() throws {
        try house.makeLink("Links", from: "Tasks", to: "Other")
        try house.makeField(#"{"name":"Double","type":"formula","options":{"formula":"{Count}*2"}}"#)
        let others = try ["Ada, B.", "Bo"].map {
            try house.create("{\"fields\":{\"Name\":\"\($0)\"}}", table: "Other").rows[0].id
        }
        let ids = try (0..<30).map { number in
            let links =
                number % 3 == 0 ? "[\"\(others[0])\"]" : number % 3 == 1 ? "[\"\(others[0])\",\"\(others[1])\"]" : "[]"
            return try house.create("{\"fields\":{\"Count\":\(number),\"Links\":\(links)}}").rows[0].id
        }
        func kept(_ isKept: (Int) -> Bool) -> [String] { ids.indices.filter(isKept).map { ids[$0] } }
        #expect(try list("{Double}>40") == kept { $0 > 20 })
        #expect(try list("AND({Double}>40,{Count}<25)") == kept { (21..<25).contains($0) })
        #expect(try list("FIND('Bo',{Links})") == kept { $0 % 3 == 1 })
        #expect(try list("{Links}=''") == kept { $0 % 3 == 2 })
        #expect(try list("{Links}='Bo'") == [])
        #expect(try list("COUNTA({Links})=2") == kept { $0 % 3 == 1 })
        let down = [("sort[0][field]", "Double"), ("sort[0][direction]", "desc"), ("pageSize", "4")]
        let pages = try house.walk(down + [("filterByFormula", "AND({Count}>3,FIND('Ada',{Links}))")])
        #expect(pages.flatMap { $0 }.map(\.id) == kept { $0 > 3 && $0 % 3 != 2 }.reversed())
        #expect(try list("{Double}>40", [("fields[]", "Links")]).count == 9)
    }

    @Test(arguments: [false, true])
    func `What the store finds alone is shown with its computed cells and links`(isLarge: Bool) throws {
        let ids = try fill(isLarge ? 520 : 20)
        if !isLarge { try house.makeLink("Links", from: "Tasks", to: "Other") }
        try house.makeField(#"{"name":"Double","type":"formula","options":{"formula":"{Count}*2"}}"#)
        let view = ViewInput(name: "Sixes", filterByFormula: "{Count}=6")
        _ = try house.engine.createView(
            view, table: TableReference("Tasks"), in: house.base, as: house.owner, idempotency: nil)
        let queries = [
            [("filterByFormula", "{Count}=6")], [("filterByFormula", "AND({Count}>5,TRUE())")], [("view", "Sixes")],
            [("filterByFormula", "{Count}=6"), ("sort[0][field]", "Name")],
            [("filterByFormula", "{Count}=6"), ("pageSize", "1"), ("maxRecords", "2")],
            [("filterByFormula", "RECORD_ID()='\(ids[6])'")],
        ]
        for query in queries {
            let rows = try house.walk(query).flatMap { $0 }
            #expect(!rows.isEmpty && rows.allSatisfy { $0["Double"] == 12 && $0["Count"] == 6 }, "\(query)")
            let texts = [("cellFormat", "string"), ("timeZone", "utc"), ("userLocale", "en")]
            let shown = try house.walk(query + texts).flatMap { $0 }
            #expect(shown.map(\.id) == rows.map(\.id) && shown.allSatisfy { $0["Double"] == "12.0" }, "\(query)")
        }
    }

    @Test func `A formula that takes too much is refused, with a reason`() throws {
        _ = try fill(3)
        for formula in [
            "LEN(REPT(\"x\", 1000000000))>1", "LEN(REPT(REPT({Name}, 900000), 9))",
            "LEN(\(String(repeating: "REPT({Name}, 400000)&", count: 3))\"\")",
        ] {
            let error = failure { _ = try house.list([("filterByFormula", formula)]) }
            #expect(error?.status == 422 && error?.type == "INVALID_FILTER_BY_FORMULA", "\(formula)")
            #expect(error?.message?.contains("too") == true)
        }
    }

    private func now(_ formula: String, _ more: [(String, String)] = []) throws -> RecordPage? {
        var request = ListRecordsRequest(base: house.base, table: TableReference("Tasks"))
        try ListRecordsDecoder.decode(
            query: ([("filterByFormula", formula)] + more).map { (name: $0.0, value: $0.1) }, acceptsLimit: true,
            into: &request)
        return try house.engine.listRecordsNow(request, as: house.owner)
    }

    @Test func `Only what needs no search is answered while an event thread waits`() throws {
        let ids = try fill(40)
        #expect(try now("{Count}=3")?.batch.count == 6)
        #expect(try now("RECORD_ID()='\(ids[3])'")?.batch.ids.map(\.description) == [ids[3]])
        #expect(try now("LEN({Name})>1") == nil)
        #expect(try now("{Due}<TODAY()") == nil)
        _ = try fill(600)
        #expect(try now("{Count}=3") == nil)
        #expect(try now("RECORD_ID()='\(ids[3])'")?.batch.count == 1)
    }

    @Test func `Lists that search at the same time take turns and all end`() async throws {
        let ids = try fill(610)
        let (house, engine, owner) = (house.base, house.engine, house.owner)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    var request = ListRecordsRequest(base: house, table: TableReference("Tasks"))
                    request.filterByFormula = "RIGHT({Name},2)='07'"
                    return try await engine.listRecords(request, as: owner).batch.count
                }
            }
            for try await count in group { #expect(count == 6) }
        }
        #expect(ids.count == 610)
    }

    @Test func `A table that changes makes the formula anew`() throws {
        let id = try house.create(#"{"fields":{"Name":"x","Count":2}}"#).rows[0].id
        #expect(try list("{Count}=2") == [id])
        let field = try #require(try house.table().fields.first { $0.name == "Count" })
        _ = try house.changeField(field, #"{"name":"Number of"}"#, in: "Tasks")
        #expect(failure { _ = try list("{Count}=2") }?.message?.contains("Unknown field names: count") == true)
        #expect(try list("{Number of}=2") == [id])
        try house.makeField(#"{"name":"Count","type":"singleLineText"}"#)
        #expect(try list("{Count}=2") == [])
    }
}
