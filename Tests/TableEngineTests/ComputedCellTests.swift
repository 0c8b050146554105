import RowhouseJSON
import RowhouseModel
import RowhouseWire
import SQLiteStorage
import Storage
import TableEngine
import Testing

/// The cells of computed fields, in lists, in single reads and in the answers to writes.
struct ComputedCellTests {
    let house: House
    init() throws { house = try House() }

    /// The value of a JSON text; none for `-`.
    private static func json(_ text: String) throws -> JSONValue? {
        text == "-" ? Optional.none : try JSONParser.parse(Array(text.utf8))
    }

    /// Orders with their lines: two lines with the amounts 1 and 2.5, the second order has none.
    private func makeOrders() throws -> (orders: [House.Row], lines: [House.Row]) {
        _ = try house.makeTable(
            #"""
            {"name":"Lines","fields":[{"name":"Name","type":"singleLineText"},
            {"name":"Amount","type":"number","options":{"precision":1}},
            {"name":"Kinds","type":"multipleSelects","options":{"choices":[{"name":"red"},{"name":"green"}]}},
            {"name":"By","type":"singleCollaborator"},{"name":"Day","type":"date","options":{"dateFormat":{"name":"iso"}}}]}
            """#)
        _ = try house.makeTable(#"{"name":"Orders","fields":[{"name":"Name","type":"singleLineText"}]}"#)
        try house.makeLink("Lines", from: "Orders", to: "Lines")
        let lines = try house.records(
            [
                #"{"Name":"tea","Amount":1,"Kinds":["green","red"],"Day":"2024-02-29"}"#,
                "{\"Name\":\"cups, big\",\"Amount\":2.5,\"By\":{\"id\":\"\(House.ada.id)\"},\"Kinds\":[\"red\"]}",
                #"{"Name":"none"}"#,
            ], in: "Lines")
        let orders = try house.records(
            [
                "{\"Name\":\"first\",\"Lines\":[\"\(lines[0].id)\",\"\(lines[1].id)\",\"\(lines[2].id)\"]}",
                #"{"Name":"second"}"#,
            ],
            in: "Orders")
        return (orders, lines)
    }

    private func follow(_ name: String, _ type: String, _ field: String, _ more: String = "") throws {
        try house.compute(
            name, type,
            "{\"recordLinkFieldId\":\"@Orders.Lines@\",\"fieldIdInLinkedTable\":\"@Lines.\(field)@\"\(more)}",
            in: "Orders")
    }

    /// Whatever way the records are read, they are the same; the cells of this field.
    private func cells(_ name: String, in table: String, _ ids: [String]) throws -> [JSONValue?] {
        let listed = try house.list(table: table).rows
        for id in ids { #expect(try house.get(id, table: table) == listed.first { $0.id == id }) }
        return ids.map { id in listed.first { $0.id == id }?[name] }
    }

    // MARK: one record alone

    @Test(arguments: [
        (#"Name & "-" & Count"#, #""a-2""#), ("Count * 1.5", "3"), ("Count / 0", #"{"specialValue":"Infinity"}"#),
        ("-Count / 0", #"{"specialValue":"-Infinity"}"#), ("Name + 1", #"{"specialValue":"NaN"}"#),
        ("ERROR()", ##"{"error":"#ERROR!"}"##), ("Done", "1"), ("NOT(Done)", "0"), ("Count = 2", "1"),
        ("Status", #""doing""#), ("Tags", #"["green","red"]"#), (#"Tags & "!""#, #""green, red!""#),
        ("Due", #""2024-02-29""#), ("DATEADD(Due, 1, 'day')", #""2024-03-01""#), ("Owner", #""Ada""#), ("Number", "1"),
        ("BLANK()", "-"), (#""""#, "-"), ("Notes", "-"), ("IF(Count = 3, Name)", "-"),
        ("Made = CREATED_TIME()", "1"), ("LEN(RECORD_ID())", "17"), ("Maker", #""Ada""#), ("Count & \"\"", #""2""#),
        ("IF(Done, 0, \"x\")", "-"),
    ])
    func `A formula over the record's own cells`(formula: String, expected: String) throws {
        try house.formula("F", formula)
        let made = try house.create(
            """
            {"fields":{"Name":"a","Count":2,"Done":true,"Status":"doing","Tags":["green","red"],"Due":"2024-02-29",
            "Owner":{"id":"\(House.ada.id)"}}}
            """
        ).rows[0]
        #expect(made["F"] == (try Self.json(expected)))
        #expect(try cells("F", in: "Tasks", [made.id]) == [made["F"]])
    }

    @Test func `The text of a cell may hold a megabyte`() throws {
        try house.formula("F", #"LEN(REPT(Name, 9000) & "")"#)
        try house.formula("G", "LEN(REPT(Name, 10001))")
        let row = try house.create("{\"fields\":{\"Name\":\"\(String(repeating: "x", count: 100))\"}}").rows[0]
        #expect(row["F"] == 900_000)
        #expect(row["G"] == ["error": "#ERROR!"])
    }

    @Test func `A box as the format of a formula is true or not there`() throws {
        let box = #","result":{"type":"checkbox","options":{"icon":"check","color":"greenBright"}}"#
        try house.formula("Big", "Count > 1", more: box)
        let rows = try house.records([#"{"Count":2}"#, #"{"Count":1}"#])
        #expect(rows.map { $0["Big"] } == [true, nil])
    }

    @Test func `Formulas see other formulas, whatever the order of the fields and of what is asked for`() throws {
        try house.formula("C", "Count")
        try house.formula("A", "C + 1")
        let field = try #require(try house.field("C", in: "Tasks"))
        _ = try house.changeField(field, #"{"options":{"formula":"Count * 10"}}"#, in: "Tasks")
        let row = try house.create(#"{"fields":{"Count":4}}"#).rows[0]
        #expect(row["A"] == 41)
        #expect(try house.list([("fields[]", "A")]).rows[0].fields == ["A": 41])
        #expect(try house.list([("fields[]", "A"), ("fields[]", "Count")]).rows[0].fields == ["A": 41, "Count": 4])
        let changed = try house.updateOne(row.id, #"{"fields":{"Count":5}}"#)
        #expect(changed["A"] == 51)
        #expect(failure { _ = try house.updateOne(row.id, #"{"fields":{"A":1}}"#) }?.status == 422)
    }

    @Test func `A formula sees when its record was last changed`() throws {
        try house.formula("Ever", "LAST_MODIFIED_TIME() >= CREATED_TIME()")
        try house.formula("Since", "LAST_MODIFIED_TIME(Name) & \"\"")
        let made = try house.create(#"{"fields":{"Name":"x"}}"#).rows[0]
        #expect(made["Ever"] == 1)
        #expect(made["Since"] == Optional.none)
        let changed = try house.updateOne(made.id, #"{"fields":{"Name":"y"}}"#)
        #expect(changed["Since"]?.stringValue?.hasSuffix("Z") == true)
        #expect(try house.list([("filterByFormula", "LAST_MODIFIED_TIME(Name)")]).rows == [changed])
    }

    @Test func `A button has a label, and an address where its formula gives one`() throws {
        try house.compute("Open", "button", #"{"label":"Go","url":"IF(Name, \"https://example.org/\" & Name)"}"#)
        try house.compute("Plain", "button", #"{"label":"Do"}"#)
        let rows = try house.records([#"{"Name":"x"}"#, "{}"])
        #expect(rows[0]["Open"] == ["label": "Go", "url": "https://example.org/x"])
        #expect(rows[1]["Open"] == ["label": "Go", "url": nil])
        #expect(rows[1]["Plain"] == ["label": "Do", "url": nil])
    }

    @Test func `A formula may be the primary field, and its texts are the names of links`() throws {
        _ = try house.makeTable(
            #"{"name":"Keyed","fields":[{"name":"Key","type":"formula","options":{"formula":"\"K\" & {No}"}},{"name":"No","type":"autoNumber"}]}"#
        )
        let keyed = try house.records(["{}", "{}"], in: "Keyed").map(\.id)
        try house.makeLink("Keys", from: "Tasks", to: "Keyed")
        try house.formula("Names", "ARRAYJOIN(Keys, \"+\")")
        try house.formula("Plain", "Keys & \"\"")
        let row = try house.create("{\"fields\":{\"Keys\":[\"\(keyed[1])\",\"\(keyed[0])\"]}}").rows[0]
        #expect(row["Names"] == "K2+K1")
        #expect(row["Plain"] == "K2, K1")
        #expect(try house.get(row.id) == row)
    }

    // MARK: links

    @Test func `Lookups keep the type of the values, laid out flat in the order of the links`() throws {
        let (orders, lines) = try makeOrders()
        try house.formula("Bad", "IF(Amount = 1, ERROR(), Amount)", in: "Lines")
        for field in ["Name", "Amount", "Kinds", "By", "Day", "Orders", "Bad"] {
            try follow("L " + field, "multipleLookupValues", field)
        }
        let row = try house.get(orders[0].id, table: "Orders")
        #expect(row["L Name"] == ["tea", "cups, big", "none"])
        #expect(row["L Amount"] == [1, 2.5])
        #expect(row["L Kinds"] == ["green", "red", "red"])
        #expect(row["L By"] == [["id": .string(House.ada.id.description), "email": "ada@example.org", "name": "Ada"]])
        #expect(row["L Day"] == ["2024-02-29"])
        #expect(row["L Orders"] == .array(Array(repeating: .string(orders[0].id), count: 3)))
        #expect(row["L Bad"] == [["error": "#ERROR!"], 2.5])
        #expect(try house.get(orders[1].id, table: "Orders").fields == ["Name": "second"])
        #expect(try cells("L Name", in: "Orders", orders.map(\.id)) == [row["L Name"], nil])
        let answer = try house.updateOne(
            orders[1].id, "{\"fields\":{\"Lines\":[\"\(lines[1].id)\"]}}", table: "Orders")
        #expect(answer["L Amount"] == [2.5])
    }

    @Test(
        arguments: [
            ("Amount", "SUM(values)", "3.5", "0"), ("Amount", "MAX(values)", "2.5", "0"),
            ("Amount", "COUNTALL(values)", "3", "0"), ("Amount", "COUNTA(values)", "2", "0"),
            ("Name", "ARRAYJOIN(values, \" + \")", "\"tea + cups, big + none\"", "-"),
            ("Kinds", "ARRAYUNIQUE(values)", #"["green","red"]"#, "-"), ("Day", "MAX(values)", "\"2024-02-29\"", "-"),
            ("Name", "values & \"\"", "\"tea, cups, big, none\"", "-"), ("Amount", "AND(values)", "0", "1"),
        ] as [(String, String, String, String?)])
    func `Rollups`(field: String, formula: String, first: String, second: String?) throws {
        let (orders, _) = try makeOrders()
        let text = String(decoding: JSONValue.string(formula).bytes, as: UTF8.self)
        try follow("R", "rollup", field, ",\"formula\":\(text)")
        let cells = try cells("R", in: "Orders", orders.map(\.id))
        #expect(cells[0] == (try Self.json(first)))
        if let second { #expect(cells[1] == (try Self.json(second))) }
    }

    @Test func `A count is told also when it is 0`() throws {
        let (orders, lines) = try makeOrders()
        try house.compute("Lines in all", "count", #"{"recordLinkFieldId":"@Orders.Lines@"}"#, in: "Orders")
        try house.compute("Half", "formula", #"{"formula":"{Lines in all} / 2"}"#, in: "Orders")
        #expect(try cells("Lines in all", in: "Orders", orders.map(\.id)) == [3, 0])
        #expect(try house.column("Half", in: "Orders", [("fields[]", "Half")]) == ["1.5", "0"])
        try house.delete([lines[0].id], table: "Lines")
        #expect(try cells("Lines in all", in: "Orders", orders.map(\.id)) == [2, 0])
    }

    @Test func `Lookups of lookups, and formulas and rollups over them`() throws {
        let (orders, _) = try makeOrders()
        try follow("Amounts", "multipleLookupValues", "Amount")
        try house.makeLink("Orders", from: "Tasks", to: "Orders")
        try house.compute(
            "All", "multipleLookupValues",
            #"{"recordLinkFieldId":"@Tasks.Orders@","fieldIdInLinkedTable":"@Orders.Amounts@"}"#)
        try house.compute(
            "Most", "rollup",
            #"{"recordLinkFieldId":"@Tasks.Orders@","fieldIdInLinkedTable":"@Orders.Amounts@","formula":"MAX(values)"}"#
        )
        try house.formula("Text", "All & \"\"")
        try house.formula("Names", "ARRAYJOIN(Orders, \"/\")")
        let ids = orders.map { "\"\($0.id)\"" }.joined(separator: ",")
        let row = try house.create("{\"fields\":{\"Orders\":[\(ids)]}}").rows[0]
        #expect(row["All"] == [1, 2.5])
        #expect(row["Most"] == 2.5)
        #expect(row["Text"] == "1, 2.5")
        #expect(row["Names"] == "first/second")
        #expect(try cells("All", in: "Tasks", [row.id]) == [[1, 2.5]])
    }

    @Test func `Names with commas stand in quotes where links are a text`() throws {
        let (orders, _) = try makeOrders()
        try house.formula("Text", "Lines & \"\"", in: "Orders")
        #expect(try cells("Text", in: "Orders", [orders[0].id]) == [#"tea, "cups, big", none"#])
    }

    @Test func `Cells as texts for a person`() throws {
        let (_, _) = try makeOrders()
        for field in ["Amount", "Kinds", "By", "Day", "Orders"] {
            try follow("L " + field, "multipleLookupValues", field)
        }
        try house.formula(
            "Half", "1 / 2", in: "Orders", more: #","result":{"type":"percent","options":{"precision":1}}"#)
        try house.formula("Bad", "ERROR()", in: "Orders")
        try house.formula("None", "0 / 0", in: "Orders")
        try house.compute("How many", "count", #"{"recordLinkFieldId":"@Orders.Lines@"}"#, in: "Orders")
        try house.compute("Go", "button", #"{"label":"Open it"}"#, in: "Orders")
        let shown: [(name: String, value: String)] = [
            ("cellFormat", "string"), ("timeZone", "utc"), ("userLocale", "en"),
        ]
        let fields = try house.list(shown, table: "Orders").rows[0].fields
        #expect(
            fields == [
                "Name": "first", "Lines": #"tea, "cups, big", none"#, "L Amount": "1.0, 2.5",
                "L Kinds": "green, red, red", "L By": "Ada", "L Day": "2024-02-29", "L Orders": "first, first, first",
                "Half": "50.0%", "Bad": "#ERROR!", "None": "NaN", "How many": "3", "Go": "Open it",
            ])
    }

    // MARK: bounds

    @Test func `A record linked by twelve thousand is read within its budget`() throws {
        let (orders, _) = try makeOrders()
        try follow("Total", "rollup", "Amount")
        try follow("Amounts", "multipleLookupValues", "Amount")
        let table = try house.table("Lines")
        let link = try #require(table.fields.firstIndex { $0.name == "Orders" })
        let amount = try #require(table.fields.firstIndex { $0.name == "Amount" })
        let order = try #require(RecordID(orders[1].id))
        try house.storage.write { (writer) throws(APIError) in
            let records = (0..<12_000).map { number in
                NewRecord(
                    id: writer.newRecordID(), cells: [(amount, .real(Double(number))), (link, .links([order]))])
            }
            try writer.insert(records, in: table, by: House.ada.id)
        }
        let row = try house.get(orders[1].id, table: "Orders")
        #expect(row["Total"] == 71_994_000)
        #expect(row["Amounts"]?.arrayValue?.count == 12_000)
        #expect(row["Lines"]?.arrayValue?.count == 12_000)
        #expect(try house.list(table: "Orders").rows.first { $0.id == row.id } == row)
        #expect(try house.updateOne(orders[1].id, #"{"fields":{"Name":"x"}}"#, table: "Orders")["Total"] == 71_994_000)
        // What is kept for a repetition of the call is made with the write.
        let name = #"{"records":[{"id":"@","fields":{"Name":"y"}}]}"#.replacing("@", with: orders[1].id)
        let kept = try house.update(name, table: "Orders", key: "k")
        #expect(kept.rows[0]["Total"] == 71_994_000)
        #expect(try house.update(name, table: "Orders", key: "k").bytes == kept.bytes)
    }

    @Test func `One costly cell is an error and its page goes on`() throws {
        try house.formula("F", #"IF(Count = 1, LEN(REPT(REPT(REPT("x", 1000000), 1000), 1000)), "ok")"#)
        try house.records([#"{"Count":1}"#, #"{"Count":2}"#])
        #expect(try house.column("F") == [##"{"error":"#ERROR!"}"##, #""ok""#])
    }

    @Test func `Links that lead on and on are cut off at some depth`() throws {
        try house.makeLink("Next", from: "Other", to: "Other")
        var last = "Name"
        for number in 0..<16 {
            let name = "L\(number)"
            try house.compute(
                name, "multipleLookupValues",
                "{\"recordLinkFieldId\":\"@Other.Next@\",\"fieldIdInLinkedTable\":\"@Other.\(last)@\"}", in: "Other")
            last = name
        }
        let row = try house.create(#"{"fields":{"Name":"a"}}"#, table: "Other").rows[0]
        let ring = try house.updateOne(row.id, "{\"fields\":{\"Next\":[\"\(row.id)\"]}}", table: "Other")
        #expect(ring["L0"] == ["a"])
        #expect(ring["L10"] == ["a"])
        #expect(ring["L15"] == [["error": "#ERROR!"]])
    }
}
