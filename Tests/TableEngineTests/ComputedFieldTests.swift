import RowhouseJSON
import RowhouseModel
import RowhouseWire
import TableEngine
import Testing

/// What the schema tells of computed fields, and how it stays true.
struct ComputedFieldTests {
    let house: House
    init() throws {
        house = try House()
        try house.makeLink("Part of", from: "Tasks", to: "Other")
        try house.makeField(
            #"{"name":"Cost","type":"currency","options":{"precision":2,"symbol":"$"}}"#, in: "Tasks")
    }

    private func field(_ name: String, in table: String = "Tasks") throws -> Field {
        try #require(try house.field(name, in: table))
    }

    @Test func `A formula is kept with the ids of fields, in the order of their appearance`() throws {
        let made = try house.formula("Sum", #"{Count} + {Cost} & " {Count}" & Name & {@Tasks.Count@}"#)
        let (count, cost, name) = (try field("Count"), try field("Cost"), try field("Name"))
        guard case .formula(let formula) = made.options else { throw APIError.internalError }
        #expect(formula.formula == "{\(count.id)} + {\(cost.id)} & \" {Count}\" & {\(name.id)} & {\(count.id)}")
        #expect(formula.referencedFieldIDs == [count.id, cost.id, name.id])
        #expect(formula.isValid)
        #expect(made == (try field("Sum")))
    }

    @Test(arguments: [
        ("1 + )", "Line 1, column 5"), ("{Count} +\n  {Nowhere}", "Line 2, column 3"), ("NOSUCH(1)", "NOSUCH"),
        ("LEN()", "LEN"), ("", "Line 1"), ("\"", "Line 1"),
    ])
    func `A formula that cannot be read is refused with the place`(formula: String, told: String) throws {
        let error = try #require(failure { try house.formula("Bad", formula) })
        #expect(error.status == 422)
        #expect(error.type == "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE")
        #expect(error.message?.hasPrefix("Invalid options for Tasks.Bad: ") == true)
        #expect(error.message?.contains(told) == true)
        #expect(error.message?.contains("^") == true)
        #expect(try house.field("Bad", in: "Tasks") == nil)
    }

    @Test func `Fields that lead nowhere are refused`() throws {
        for (type, options) in [
            ("rollup", #"{"recordLinkFieldId":"@Tasks.Name@","fieldIdInLinkedTable":"@Other.Name@"}"#),
            ("rollup", #"{"recordLinkFieldId":"@Tasks.Part of@","fieldIdInLinkedTable":"@Tasks.Name@"}"#),
            (
                "rollup",
                #"{"recordLinkFieldId":"@Tasks.Part of@","fieldIdInLinkedTable":"@Other.Name@","formula":"{Name}"}"#
            ),
            ("multipleLookupValues", #"{"recordLinkFieldId":"@Tasks.Part of@"}"#),
            ("multipleLookupValues", #"{"recordLinkFieldId":"@Tasks.Part of@","fieldIdInLinkedTable":"fld"}"#),
            ("count", #"{"recordLinkFieldId":"@Other.Name@"}"#), ("formula", "{}"), ("formula", #"{"formula":7}"#),
            ("formula", #"{"formula":"1","result":{"type":"number"}}"#),
        ] {
            #expect(failure { try house.compute("X", type, options) }?.status == 422, "\(type) \(options)")
        }
    }

    @Test(arguments: [
        ("Name", "singleLineText", "none"), ("1", "number", "number(precision: 0)"),
        ("0.5", "number", "number(precision: 1)"), ("Cost", "currency", #"currency(precision: 2, symbol: "$")"#),
        ("Cost + Cost", "currency", #"currency(precision: 2, symbol: "$")"#),
        ("SUM(Cost, -Cost)", "currency", #"currency(precision: 2, symbol: "$")"#),
        ("Cost * 2", "number", "number(precision: 1)"), ("Count = 1", "number", "number(precision: 0)"),
        ("AND(Done, Name)", "number", "number(precision: 0)"), ("LEN(Name)", "number", "number(precision: 0)"),
        ("IF(Done, \"Yes\")", "singleLineText", "none"), ("IF(Done, Due)", "date", "date"),
        ("DATETIME_DIFF(Due, Made, 'days')", "number", "number(precision: 0)"), ("Made", "dateTime", "dateTime"),
        ("CREATED_TIME()", "dateTime", "dateTime"), ("Status", "singleLineText", "none"),
        ("BLANK()", "singleLineText", "none"),
    ])
    func `The result of a formula follows from it`(formula: String, type: String, options: String) throws {
        let result = try #require(try house.formula("F", formula).result)
        #expect(result.type.rawValue == type)
        #expect("\(result.options)".contains(options))
    }

    @Test func `A format that fits is kept, one that does not is left aside`() throws {
        let percent = #","result":{"type":"percent","options":{"precision":1}}"#
        #expect(try house.formula("A", "Count / 3", more: percent).result?.type == .percent)
        #expect(try house.formula("B", "Name", more: percent).result?.type == .singleLineText)
        let box = #","result":{"type":"checkbox","options":{"icon":"check","color":"greenBright"}}"#
        #expect(try house.formula("C", "Count > 1", more: box).result?.type == .checkbox)
    }

    @Test func `Lookups tell the type of one value, rollups that of their formula`() throws {
        try house.makeField(#"{"name":"Day","type":"date","options":{"dateFormat":{"name":"us"}}}"#, in: "Other")
        let day = #"{"recordLinkFieldId":"@Tasks.Part of@","fieldIdInLinkedTable":"@Other.Day@""#
        let us = FieldOptions.date(DateFormat(name: "us"))
        let lookup = try house.compute("Days", "multipleLookupValues", day + "}")
        #expect(lookup.result == ComputedResult(type: .date, options: us))
        let last = try house.compute("Last", "rollup", day + #","formula":"MAX(values)"}"#)
        #expect(last.result == ComputedResult(type: .date, options: us))
        guard case .rollup(let rollup) = last.options else { throw APIError.internalError }
        #expect(rollup.referencedFieldIDs == [try field("Day", in: "Other").id])
        let usual = try house.compute("Text", "rollup", day + "}")
        guard case .rollup(let rollup) = usual.options else { throw APIError.internalError }
        #expect(rollup.formula == "ARRAYJOIN(values, \", \")")
        #expect(usual.result?.type == .singleLineText)
        #expect(try house.compute("How many", "count", #"{"recordLinkFieldId":"@Tasks.Part of@"}"#).isValid == true)
    }

    @Test func `A renamed field breaks no formula, a removed one does and its id stays in the text`() throws {
        let before = try house.formula("F", "{Count} & Name").options
        let count = try field("Count")
        _ = try house.changeField(count, #"{"name":"Zahl {neu}"}"#, in: "Tasks")
        #expect(try field("F").options == before)
        try house.deleteField(try field("Zahl {neu}"), in: "Tasks")
        guard case .formula(let formula) = try field("F").options else { throw APIError.internalError }
        #expect(!formula.isValid)
        #expect(formula.result == nil)
        #expect(formula.formula.hasPrefix("{\(count.id)} & "))
        #expect(try house.create(#"{"fields":{"Name":"a"}}"#).rows[0]["F"] == .object(["error": "#ERROR!"]))
    }

    @Test func `What depends on a changed field is told anew, over tables`() throws {
        try house.formula("Size", "LEN(Name)", in: "Other")
        let size = #"{"recordLinkFieldId":"@Tasks.Part of@","fieldIdInLinkedTable":"@Other.Size@"}"#
        try house.compute("Sizes", "multipleLookupValues", size)
        try house.compute("Total", "rollup", size)
        try house.formula("Twice", "Total + Total")
        #expect(try field("Twice").result == ComputedResult(type: .number, options: .number(precision: 0)))
        let version = try house.table("Tasks").version
        _ = try house.changeField(
            try field("Size", in: "Other"),
            #"{"options":{"formula":"1","result":{"type":"percent","options":{"precision":3}}}}"#, in: "Other")
        let percent = ComputedResult(type: .percent, options: .number(precision: 3))
        for name in ["Sizes", "Total", "Twice"] { #expect(try field(name).result == percent, "\(name)") }
        #expect(try house.table("Tasks").version == version + 1)
        _ = try house.changeField(try field("Name", in: "Other"), #"{"description":"x"}"#, in: "Other")
        #expect(try house.table("Tasks").version == version + 1)
    }

    @Test func `A circle is refused in one table, over two and over three`() throws {
        try house.formula("A", "Count")
        let a = try field("A")
        #expect(
            failure { _ = try house.changeField(a, #"{"options":{"formula":"A + 1"}}"#, in: "Tasks") }?.status == 422)
        try house.formula("B", "A")
        let error = failure { _ = try house.changeField(a, #"{"options":{"formula":"B"}}"#, in: "Tasks") }
        #expect(error?.message == "Invalid options for Tasks.A: the field would refer to itself")
        #expect(try field("A") == a)

        _ = try house.makeTable(#"{"name":"Third","fields":[{"name":"Name","type":"singleLineText"}]}"#)
        try house.makeLink("Third", from: "Other", to: "Third")
        try house.makeLink("Back", from: "Third", to: "Tasks")
        try house.compute(
            "T", "rollup", #"{"recordLinkFieldId":"@Third.Back@","fieldIdInLinkedTable":"@Tasks.B@"}"#, in: "Third")
        try house.compute(
            "O", "rollup", #"{"recordLinkFieldId":"@Other.Third@","fieldIdInLinkedTable":"@Third.T@"}"#, in: "Other")
        try house.compute(
            "Top", "rollup", #"{"recordLinkFieldId":"@Tasks.Part of@","fieldIdInLinkedTable":"@Other.O@"}"#)
        #expect(failure { _ = try house.changeField(a, #"{"options":{"formula":"Top"}}"#, in: "Tasks") }?.status == 422)
    }

    @Test func `The names of linked records are a way back too`() throws {
        _ = try house.makeTable(
            #"{"name":"Named","fields":[{"name":"Name","type":"formula","options":{"formula":"1"}}]}"#)
        try house.makeLink("Tasks", from: "Named", to: "Tasks")
        try house.formula("Label", "{Named} & \"!\"")
        try house.compute(
            "Labels", "rollup", #"{"recordLinkFieldId":"@Named.Tasks@","fieldIdInLinkedTable":"@Tasks.Label@"}"#,
            in: "Named")
        let name = try field("Name", in: "Named")
        #expect(
            failure { _ = try house.changeField(name, #"{"options":{"formula":"Labels"}}"#, in: "Named") }?.status
                == 422)
    }

    @Test func `Fields that follow a link are no longer valid when it is gone, or its field`() throws {
        try house.makeField(#"{"name":"Size","type":"number","options":{"precision":0}}"#, in: "Other")
        let size = #"{"recordLinkFieldId":"@Tasks.Part of@","fieldIdInLinkedTable":"@Other.Size@"}"#
        try house.compute("Sizes", "multipleLookupValues", size)
        try house.compute("Total", "rollup", size)
        try house.compute("Number of parts", "count", #"{"recordLinkFieldId":"@Tasks.Part of@"}"#)
        try house.deleteField(try field("Size", in: "Other"), in: "Other")
        #expect(try field("Sizes").isValid == false)
        #expect(try field("Total").isValid == false)
        #expect(try field("Number of parts").isValid == true)
        try house.deleteField(try field("Part of"), in: "Tasks")
        #expect(try field("Number of parts").isValid == false)
        let row = try house.create(#"{"fields":{"Name":"a"}}"#).rows[0]
        #expect(row["Total"] == .object(["error": "#ERROR!"]))
        try house.restart()
        #expect(try field("Sizes").isValid == false)
        #expect(try house.get(row.id) == row)
    }

    @Test func `A table may be made with formulas over fields that come later`() throws {
        let table = try house.makeTable(
            #"""
            {"name":"Made","fields":[{"name":"Key","type":"formula","options":{"formula":"Prefix & \"-\" & {No}"}},
            {"name":"Prefix","type":"singleLineText"},{"name":"No","type":"autoNumber"}]}
            """#)
        #expect(table.fields[0].isValid == true)
        #expect(try house.create(#"{"fields":{"Prefix":"x"}}"#, table: "Made").rows[0]["Key"] == "x-1")
        let circle =
            #"{"name":"Circle","fields":[{"name":"A","type":"formula","options":{"formula":"B"}},"#
            + #"{"name":"B","type":"formula","options":{"formula":"A"}}]}"#
        #expect(failure { _ = try house.makeTable(circle) }?.status == 422)
    }

    @Test func `The formulas of a base are bounded together`() throws {
        let long = "\"" + String(repeating: "x", count: 99_000) + "\""
        for number in 0..<5 { try house.formula("F\(number)", long) }
        #expect(failure { try house.formula("F5", long) }?.message?.contains("500000 bytes") == true)
        try house.formula("Short", "1")
        let field = try field("F0")
        #expect(try house.changeField(field, #"{"options":{"formula":"1"}}"#, in: "Tasks").isValid == true)
        try house.formula("F5", long)
    }

    @Test func `A rollup that is not valid refers to nothing, as a formula`() throws {
        let rollup = try house.compute(
            "R", "rollup", #"{"recordLinkFieldId":"@Tasks.Part of@","fieldIdInLinkedTable":"@Other.Name@"}"#)
        func referenced() throws -> JSONValue? {
            let field = try #require(try house.field("R", in: "Tasks"))
            return try JSONParser.parse(SchemaEncoder.field(field)).objectValue?["options"]?.objectValue?[
                "referencedFieldIds"]
        }
        #expect(try referenced() == [.string(try field("Name", in: "Other").id.description)])
        #expect(rollup.isValid == true)
        try house.deleteField(try field("Part of"), in: "Tasks")
        #expect(try referenced() == .null)
    }

    @Test func `A new choice rewrites other tables only where it is looked up`() throws {
        try house.makeField(
            #"{"name":"Kind","type":"singleSelect","options":{"choices":[{"name":"a"}]}}"#, in: "Other")
        try house.formula("K", "Kind", in: "Other")
        let version = try house.table("Tasks").version
        _ = try house.create(#"{"fields":{"Kind":"b"},"typecast":true}"#, table: "Other")
        #expect(try house.table("Tasks").version == version)
        try house.compute(
            "Kinds", "multipleLookupValues",
            #"{"recordLinkFieldId":"@Tasks.Part of@","fieldIdInLinkedTable":"@Other.Kind@"}"#)
        _ = try house.create(#"{"fields":{"Kind":"c"},"typecast":true}"#, table: "Other")
        guard case .choices(let choices, _)? = try field("Kinds").result?.options else { throw APIError.internalError }
        #expect(choices.map(\.name) == ["a", "b", "c"])
    }
}
