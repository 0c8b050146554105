import RowhouseModel
import RowhouseWire
import TableEngine
import Testing

/// Walks over a list whose order comes to mean another thing on the way.
struct OrderMeaningTests {
    let house: House

    /// Twelve tasks, each linked to one of three others, with fields computed from both.
    init() throws {
        house = try House()
        let others = try house.records(["c", "a", "b"].map { "{\"Name\":\"\($0)\"}" }, in: "Other").map(\.id)
        try house.makeField(#"{"name":"Size","type":"number","options":{"precision":0}}"#, in: "Other")
        try house.makeLink("Others", from: "Tasks", to: "Other")
        try house.formula("Twice", "Count * 2")
        try house.formula("Four times", "Twice * 2")
        try house.formula("State", "Status & \"\"")
        try house.compute(
            "Names", "multipleLookupValues",
            #"{"recordLinkFieldId":"@Tasks.Others@","fieldIdInLinkedTable":"@Other.Name@"}"#)
        try house.compute(
            "Sizes", "rollup",
            #"{"recordLinkFieldId":"@Tasks.Others@","fieldIdInLinkedTable":"@Other.Size@","formula":"SUM(values)"}"#)
        try house.records(
            (0..<12).map { number in
                #"{"Name":"\#(number)","Count":\#(number),"Status":"\#(["todo", "doing", "done"][number % 3])","#
                    + #""Tags":["red"],"Others":["\#(others[number % 3])"]}"#
            })
    }

    /// A walk by one field, both ways, with a change after its first page.
    private func goesOn(by field: String, _ change: () throws -> Void) throws -> APIError? {
        let queries = ["asc", "desc"].map { direction in
            [("sort[0][field]", field), ("sort[0][direction]", direction), ("pageSize", "5")]
        }
        let pages = try queries.map { try house.list($0) }
        try change()
        var errors: [APIError?] = []
        for (query, page) in zip(queries, pages) {
            let offset = try #require(page.offset)
            let error = failure {
                let next = try house.list(query + [("offset", offset)])
                #expect(next.rows.count == 5)
                #expect(Set(next.rows.map(\.id)).isDisjoint(with: page.rows.map(\.id)))
                #expect(next.offset?.prefix(17) == offset.prefix(17))
            }
            errors.append(error)
        }
        #expect(errors[0] == errors[1])
        return errors[0]
    }

    private func change(_ field: String, _ body: String, in table: String = "Tasks") throws {
        _ = try house.changeField(try #require(try house.field(field, in: table)), try house.withIDs(body), in: table)
    }

    @Test(arguments: [
        ("Name", "Name", "Tasks", #"{"type":"multilineText"}"#),
        ("Name", "Name", "Tasks", #"{"type":"number","options":{"precision":0}}"#),
        ("Count", "Count", "Tasks", #"{"type":"singleLineText"}"#),
        ("Status", "Status", "Tasks", #"{"type":"singleLineText"}"#),
        ("Twice", "Twice", "Tasks", #"{"options":{"formula":"0 - {Count}"}}"#),
        ("Twice", "Twice", "Tasks", #"{"options":{"formula":"\"z\" & {Count}"}}"#),
        ("Twice", "Count", "Tasks", #"{"type":"singleLineText"}"#),
        ("Four times", "Twice", "Tasks", #"{"options":{"formula":"0 - {Count}"}}"#),
        ("Names", "Name", "Other", #"{"type":"number","options":{"precision":0}}"#),
        (
            "Names", "Names", "Tasks",
            #"{"options":{"recordLinkFieldId":"@Tasks.Others@","fieldIdInLinkedTable":"@Other.Size@"}}"#
        ),
        ("Sizes", "Size", "Other", #"{"type":"singleLineText"}"#),
        (
            "Sizes", "Sizes", "Tasks",
            #"{"options":{"recordLinkFieldId":"@Tasks.Others@","fieldIdInLinkedTable":"@Other.Size@","formula":"COUNTALL(values)"}}"#
        ),
        ("Others", "Name", "Other", #"{"type":"number","options":{"precision":0}}"#),
    ])
    func `No walk goes on in an order that means another thing`(
        field: String, changed: String, table: String, body: String
    ) throws {
        #expect(try goesOn(by: field) { try change(changed, body, in: table) } == .iteratorNotAvailable)
    }

    @Test(arguments: ["Status", "State"])
    func `Nor when choices change their places or names`(field: String) throws {
        let choices = try #require(try house.field("Status", in: "Tasks")).choices
        let turned = choices.reversed().map { "{\"id\":\"\($0.id)\"}" }.joined(separator: ",")
        #expect(
            try goesOn(by: field) { try change("Status", "{\"options\":{\"choices\":[\(turned)]}}") }
                == .iteratorNotAvailable)
        let fewer = choices.dropLast().map { "{\"id\":\"\($0.id)\"}" }.joined(separator: ",")
        #expect(
            try goesOn(by: field) { try change("Status", "{\"options\":{\"choices\":[\(fewer)]}}") }
                == .iteratorNotAvailable)
    }

    @Test(arguments: ["Status", "State", "Tags"])
    func `Choices that typecast adds stop nobody`(field: String) throws {
        #expect(
            try goesOn(by: field) {
                _ = try house.create(
                    #"{"typecast":true,"fields":{"Name":"new","Status":"zzz later","Tags":"blue"}}"#)
            } == nil)
    }

    @Test(arguments: ["Name", "Count", "Status", "Twice", "Names", "Sizes", "Others"])
    func `Changes of names and of other fields stop nobody`(field: String) throws {
        #expect(
            try goesOn(by: field) {
                try change(field, #"{"name":"Renamed"}"#)
                try change("Notes", #"{"type":"singleLineText"}"#)
                try house.makeField(#"{"name":"More","type":"checkbox","options":{"icon":"star","color":"redBright"}}"#)
                try change("Renamed", "{\"name\":\"\(field)\"}")
            } == nil)
    }
}
