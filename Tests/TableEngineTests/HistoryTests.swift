import CivilTime
import Platform
import RowhouseJSON
import RowhouseModel
import RowhouseWire
import SQLiteStorage
import TableEngine
import Testing

/// The history of a record where its fields are no longer what they were.
@Suite struct HistoryTests {
    private let house: House

    init() throws { house = try House() }

    /// What the history shows of a cell, the newest first, as `before>after`.
    private func told(_ record: String, _ field: String) throws -> [String] {
        let entries = try house.history(record)
        let page = RecordHistoryPage(entries: entries, offset: nil, users: house.storage.users)
        let json = try JSONParser.parse(HistoryEncoder.page(page, links: AttachmentLinks())).objectValue
        let cells = (json?["history"]?.arrayValue ?? []).flatMap { $0.objectValue?["cells"]?.arrayValue ?? [] }
        return cells.compactMap(\.objectValue).filter { $0["fieldName"]?.stringValue == field }.map { cell in
            ["before", "after"].map { String(decoding: (cell[$0] ?? .null).bytes, as: UTF8.self) }
                .joined(separator: ">")
        }
    }

    /// Changes the choices of a field to those of these names, keeping those that it has.
    private func setChoices(_ names: [String], of field: String) throws {
        let field = try #require(try house.field(field, in: "Tasks"))
        let choices = names.map { name in
            let id = field.choices.first { $0.name == name }.map { "\"id\":\"\($0.id)\"," } ?? ""
            return "{\(id)\"name\":\"\(name)\"}"
        }
        _ = try house.changeField(field, "{\"options\":{\"choices\":[\(choices.joined(separator: ","))]}}", in: "Tasks")
    }

    private func retype(_ field: String, _ body: String) throws {
        _ = try house.changeField(try #require(try house.field(field, in: "Tasks")), body, in: "Tasks")
    }

    private func names(where filter: String) throws -> [String?] {
        try house.list([("filterByFormula", filter)]).rows.map { $0["Name"]?.stringValue }
    }

    @Test func `A choice that is gone is told by its name, also where its removal is told`() throws {
        let id = try house.records([#"{"Name":"a","Status":"doing","Tags":["green","red"]}"#])[0].id
        try setChoices(["todo", "done"], of: "Status")
        try setChoices(["red"], of: "Tags")
        #expect(try told(id, "Status") == [#""doing">null"#, #"null>"doing""#])
        #expect(try told(id, "Tags") == [#"["green","red"]>["red"]"#, #"null>["green","red"]"#])
        try house.restart()
        #expect(try told(id, "Status") == [#""doing">null"#, #"null>"doing""#])
        let entries = try house.history(id)
        let made = try #require(entries.last)
        #expect(failure { try house.restoreCell(id, made, "Status", .after) }?.status == 422)
        #expect(try house.restoreCell(id, made, "Tags", .after)["Tags"] == ["red"])
        #expect(try house.get(id)["Status"] == nil)
        #expect(try names(where: "{Status}=BLANK()") == ["a"] && names(where: "{Status}") == [])
        // The same name is the same choice to a person.
        try setChoices(["todo", "done", "new", "doing"], of: "Status")
        #expect(try house.restoreCell(id, made, "Status", .after)["Status"] == "doing")
        #expect(try told(id, "Status").last == #"null>"doing""#)
    }

    @Test func `A renamed choice is put back, one of a field that was something else meanwhile by its name`() throws {
        let id = try house.records([#"{"Name":"a","Status":"done","Tags":["green","red"]}"#])[0].id
        let made = try #require(try house.history(id).last)
        _ = try house.updateOne(id, #"{"fields":{"Status":null,"Tags":null}}"#)
        let status = try #require(try house.field("Status", in: "Tasks"))
        let done = try #require(status.choices.first { $0.name == "done" })
        try retype("Status", "{\"options\":{\"choices\":[{\"id\":\"\(done.id)\",\"name\":\"finished\"}]}}")
        #expect(try house.restoreCell(id, made, "Status", .after)["Status"] == "finished")
        for (field, type) in [("Status", "singleSelect"), ("Tags", "multipleSelects")] {
            _ = try house.updateOne(id, "{\"fields\":{\"\(field)\":null}}")
            try retype(field, #"{"type":"singleLineText"}"#)
            // The numbers begin anew: those of other choices are the old ones.
            let choices = ["one", "two", "three", "red", "finished"].map { "{\"name\":\"\($0)\"}" }
            try retype(field, "{\"type\":\"\(type)\",\"options\":{\"choices\":[\(choices.joined(separator: ","))]}}")
        }
        #expect(try house.restoreCell(id, made, "Tags", .after)["Tags"] == ["red"])
        #expect(try house.restoreCell(id, made, "Status", .after)["Status"] == "finished")
        #expect(try told(id, "Tags").last == #"null>["green","red"]"#)
    }

    @Test func `A record comes back from the trash without the choices that were removed meanwhile`() throws {
        let ids = try house.records([
            #"{"Name":"a","Status":"doing","Tags":["green"]}"#, #"{"Name":"b","Status":"todo","Tags":["green","red"]}"#,
        ]).map(\.id)
        try house.delete(ids)
        try setChoices(["todo", "done"], of: "Status")
        try setChoices(["red"], of: "Tags")
        for id in ids { try house.restore(id) }
        #expect(try house.list().rows.map { $0["Status"] } == [nil, "todo"])
        #expect(try house.list().rows.map { $0["Tags"] } == [nil, ["red"]])
        #expect(try names(where: "{Status}=BLANK()") == ["a"] && names(where: "{Tags}") == ["b"])
        #expect(try names(where: "NOT({Status}='todo')") == ["a"])
    }

    @Test func `No cell has a higher rating than its field, from the trash and the history neither`() throws {
        try house.makeField(
            #"{"name":"Stars","type":"rating","options":{"icon":"star","max":10,"color":"yellowBright"}}"#)
        let ids = try house.records([
            #"{"Name":"a","Stars":9}"#, #"{"Name":"b","Stars":2}"#, #"{"Name":"c","Stars":10}"#,
        ]).map(\.id)
        let made = try #require(try house.history(ids[0]).last)
        try house.delete([ids[2]])
        try retype("Stars", #"{"options":{"icon":"star","max":3,"color":"yellowBright"}}"#)
        try house.restore(ids[2])
        let sorted = [("sort[0][field]", "Stars"), ("sort[1][field]", "Name")]
        #expect(try house.column("Name", sorted) == ["\"b\"", "\"a\"", "\"c\""])
        #expect(try house.column("Stars", sorted) == ["2", "3", "3"])
        _ = try house.updateOne(ids[0], #"{"fields":{"Stars":1}}"#)
        #expect(try house.restoreCell(ids[0], made, "Stars", .after)["Stars"] == 3)
        try retype("Stars", #"{"options":{"icon":"heart","max":5,"color":"yellowBright"}}"#)
        #expect(try house.get(ids[0])["Stars"] == 3)
    }

    @Test func `What is gone for good has no history`() throws {
        let ids = try house.records([#"{"Name":"a"}"#, #"{"Name":"b"}"#]).map(\.id)
        _ = try house.updateOne(ids[0], #"{"fields":{"Name":"secret"}}"#)
        try house.delete([ids[0]])
        #expect(try house.history(ids[0]).count == 3)
        let days = Int64(house.storage.trashDays) + 1
        let later = Engine(storage: house.storage, zones: House.zones) {
            Instant(milliseconds: SystemClock.milliseconds() + days * 86_400_000)
        }
        func history(_ id: String) throws -> Int {
            let request = RecordHistoryRequest(
                base: house.base, table: TableReference("Tasks"), record: try #require(RecordID(id)), pageSize: 100,
                offset: nil)
            return try later.recordHistory(request, as: house.owner).entries.count
        }
        #expect(failure { _ = try history(ids[0]) } == .recordNotFound)
        #expect(try history(ids[1]) == 1)
        // Restored in time it has one.
        try house.restore(ids[0])
        #expect(try history(ids[0]) == 4)
    }
}
