import Platform
import RowhouseJSON
import RowhouseModel
import Testing

@testable import TableEngine

@Suite struct TrashTests {
    private let house: House

    init() throws { house = try House() }

    /// A field of each kind that leans on another, over a link from Tasks to Other.
    private func furnish() throws -> [String] {
        try house.makeLink("Part of", from: "Tasks", to: "Other")
        try house.makeField(
            #"{"name":"Size","type":"number","options":{"precision":0}}"#, in: "Other")
        let others = try house.records(
            [#"{"Name":"A","Size":3}"#, #"{"Name":"B","Size":4}"#], in: "Other")
        try house.compute(
            "Sum", "rollup",
            #"{"recordLinkFieldId":"@Tasks.Part of@","fieldIdInLinkedTable":"@Other.Size@","formula":"SUM(values)"}"#)
        try house.compute(
            "Names", "multipleLookupValues",
            #"{"recordLinkFieldId":"@Tasks.Part of@","fieldIdInLinkedTable":"@Other.Name@"}"#)
        try house.compute("How many", "count", #"{"recordLinkFieldId":"@Tasks.Part of@"}"#)
        try house.formula("Twice", "{@Tasks.Sum@} * 2 + {@Tasks.Count@}")
        try house.compute("Shown", "count", #"{"recordLinkFieldId":"@Other.Tasks@"}"#, in: "Other")
        let view = try #require(try house.table().views.first)
        _ = try house.engine.updateView(
            ViewReference(view.id.description),
            ViewInput(
                sort: [SortRequest(field: "Part of", direction: .desc), SortRequest(field: "Count", direction: .asc)],
                visibleFieldIDs: .some(["Name", "Status", "Sum", "Count", "Part of", "Names"])),
            table: TableReference("Tasks"), in: house.base, as: house.owner, idempotency: nil)
        return try house.records([
            "{\"Name\":\"one\",\"Count\":1,\"Part of\":[\"\(others[1].id)\",\"\(others[0].id)\"]}",
            "{\"Name\":\"two\",\"Count\":2,\"Status\":\"done\",\"Part of\":[\"\(others[0].id)\"]}",
        ]).map(\.id)
    }

    @Test func `What leaned on a field or a table leans on it again when it is back`() throws {
        _ = try furnish()
        let before = try house.everything()
        for name in ["Part of", "Count", "Sum", "Status", "Names"] {
            let field = try #require(try house.field(name, in: "Tasks"))
            try house.deleteField(field, in: "Tasks")
            #expect(try house.everything() != before)
            try house.restore(field.id.description)
            #expect(try house.everything() == before, "\(name)")
        }
        let inverse = try #require(try house.field("Tasks", in: "Other"))
        try house.deleteField(inverse, in: "Other")
        #expect(try house.trash().map(\.name) == ["Tasks"])
        try house.restore(inverse.id.description)
        #expect(try house.everything() == before)
        let size = try #require(try house.field("Size", in: "Other"))
        try house.deleteField(size, in: "Other")
        #expect(try house.field("Sum", in: "Tasks")?.isValid == false)
        try house.restore(size.id.description)
        #expect(try house.everything() == before)
        for name in ["Other", "Tasks"] {
            let id = try house.table(name).id.description
            try house.deleteTable(name)
            try house.restore(id)
            #expect(try house.everything() == before, "\(name)")
            try house.restart()
            #expect(try house.everything() == before, "\(name) after a restart")
        }
    }

    @Test(arguments: [["Tasks", "Other"], ["Other", "Tasks"]], [["Tasks", "Other"], ["Other", "Tasks"]])
    func `Two linked tables come back whole, whichever goes and comes first`(gone: [String], back: [String]) throws {
        _ = try furnish()
        let before = try house.everything()
        let ids = try ["Tasks": house.table().id, "Other": house.table("Other").id]
        for name in gone { try house.deleteTable(name) }
        try house.restart()
        for name in back { try house.restore(try #require(ids[name]).description) }
        #expect(try house.everything() == before)
        #expect(try house.trash().isEmpty)
    }

    /// What goes and comes, in this order; at the end all is back.
    @Test(arguments: [
        "-Other -Tasks +Other -Other +Tasks +Other", "-Tasks -Other +Tasks -Tasks +Other +Tasks",
        "-Other -Tasks +Other -Other +Other -Other +Tasks -Tasks +Tasks +Other",
        "-Tasks -Other +Other -Other +Tasks +Other",
    ])
    func `A link waits with whichever of its tables is gone, however often they go`(turns: String) throws {
        _ = try furnish()
        let before = try house.everything()
        let ids = try ["Tasks": house.table().id, "Other": house.table("Other").id]
        for turn in turns.split(separator: " ") {
            let name = String(turn.dropFirst())
            if turn.first == "-" {
                try house.deleteTable(name)
            } else {
                try house.restore(try #require(ids[name]).description)
            }
        }
        #expect(try house.everything() == before)
        #expect(try house.trash().isEmpty)
    }

    @Test func `A name that was taken meanwhile gets a number`() throws {
        let count = try #require(try house.field("Count", in: "Tasks"))
        try house.deleteField(count, in: "Tasks")
        try house.makeField(#"{"name":"COUNT","type":"singleLineText"}"#)
        let answer = try house.restore(count.id.description)
        #expect(answer["entries"]?.arrayValue?[0].objectValue?["name"] == "Count 2")
        #expect(try house.field("Count 2", in: "Tasks")?.id == count.id)
        let other = try house.table("Other").id
        try house.deleteTable("Other")
        _ = try house.makeTable(House.other)
        try house.restore(other.description)
        #expect(try house.table("Other 2").id == other)
        #expect(try house.restore(other.description)["entries"]?.arrayValue?[0].objectValue?["name"] == "Other 2")
    }

    @Test func `What has no place to go back to is refused with a sentence that says what to do`() throws {
        let ids = try furnish()
        let link = try #require(try house.field("Part of", in: "Tasks"))
        let count = try #require(try house.field("Count", in: "Tasks"))
        try house.delete([ids[0]])
        try house.deleteField(count, in: "Tasks")
        try house.deleteField(link, in: "Tasks")
        let tasks = try house.table().id
        try house.deleteTable("Tasks")
        for id in [ids[0], count.id.description, link.id.description] {
            let error = failure { try house.restore(id) }
            #expect(error?.status == 422 && error?.message?.hasSuffix("restore the table first.") == true)
        }
        try house.restore(tasks.description)
        let other = try house.table("Other").id
        try house.deleteTable("Other")
        #expect(failure { try house.restore(link.id.description) }?.status == 422)
        try house.restore(count.id.description)
        try house.restore(ids[0])
        try house.restore(other.description)
        try house.restore(link.id.description)
        #expect(try house.get(ids[0])["Part of"]?.arrayValue?.count == 2)
        for unknown in ["recAAAAAAAAAAAAAA", "fldAAAAAAAAAAAAAA", "tblAAAAAAAAAAAAAA", "delAAAAAAAAAAAAAA"] {
            #expect(failure { try house.restore(unknown) } == .notInTrash)
        }
    }

    @Test func `A table takes no more than its five hundred fields, a restored one included`() throws {
        let count = try #require(try house.field("Count", in: "Tasks"))
        try house.deleteField(count, in: "Tasks")
        while try house.table().fields.count < 500 {
            try house.makeField(
                "{\"name\":\"F\(try house.table().fields.count)\",\"type\":\"checkbox\",\"options\":{\"icon\":\"check\",\"color\":\"greenBright\"}}"
            )
        }
        let error = failure { try house.restore(count.id.description) }
        #expect(error?.status == 422 && error?.message?.contains("is full of fields") == true)
        try house.deleteField(try #require(try house.field("F400", in: "Tasks")), in: "Tasks")
        try house.restore(count.id.description)
        #expect(try house.field("Count", in: "Tasks")?.id == count.id)
    }

    @Test func `Rights are asked for, and a deletion cannot lead around them`() throws {
        let ids = try furnish()
        let count = try #require(try house.field("Count", in: "Tasks"))
        try house.delete([ids[0]])
        try house.deleteField(count, in: "Tasks")
        let deletion = try #require(try house.trash().first).deletion.description
        func caller(_ scopes: Scope...) -> Caller { House.caller(House.ada, scopes: scopes) }
        #expect(failure { _ = try house.trash(as: caller(.schemaRead, .schemaWrite)) } == .invalidPermissions)
        #expect(try house.trash(as: caller(.recordsRead)).count == 2)
        #expect(failure { try house.restore(ids[0], as: caller(.recordsRead, .schemaWrite)) } == .invalidPermissions)
        for id in [count.id.description, deletion] {
            #expect(failure { try house.restore(id, as: caller(.recordsWrite)) } == .invalidPermissions)
        }
        let foreign = House.caller(House.ada, bases: [])
        #expect(failure { try house.restore(ids[0], as: foreign) } == .invalidPermissionsOrModelNotFound)
        #expect(failure { _ = try house.trash(as: foreign) } == .invalidPermissionsOrModelNotFound)
        _ = try house.engine.deleteBase(house.base, as: house.owner, idempotency: nil)
        func restoreBase(_ caller: Caller) throws {
            _ = try house.engine.restore(.base(house.base), in: nil, as: caller, idempotency: nil)
        }
        func bases(_ caller: Caller) throws -> [BaseID] {
            try house.engine.listTrash(of: nil, pageSize: 10, offset: nil, as: caller).entries.map(\.base)
        }
        #expect(failure { try restoreBase(foreign) } == .invalidPermissionsOrModelNotFound)
        #expect(failure { try restoreBase(caller(.schemaRead)) } == .invalidPermissions)
        #expect(failure { _ = try bases(caller(.recordsRead)) } == .invalidPermissions)
        #expect(try bases(foreign) == [])
        #expect(try bases(caller(.schemaRead)) == [house.base])
        try restoreBase(caller(.schemaWrite))
        #expect(try house.trash().count == 2)
        try house.restore(deletion, as: caller(.schemaWrite))
        try house.restore(ids[0], as: caller(.recordsWrite))
        #expect(try house.get(ids[0])["Count"] == 1)
    }

    @Test func `Many who restore the same at once are all answered alike`() throws {
        let ids = try furnish()
        let before = try house.everything()
        let field = try #require(try house.field("Part of", in: "Tasks")).id.description
        try house.delete(ids)
        let deletion = try #require(try house.trash().first).deletion.description
        try house.deleteField(try #require(try house.field("Part of", in: "Tasks")), in: "Tasks")
        let answers = Guarded<[String]>([])
        let (engine, base, owner) = (house.engine, house.base, house.owner)
        let threads = (0..<6).map { number in
            OwnThread(name: "restorer \(number)") {
                for id in [field, deletion, ids[number % 2]] {
                    let written = TrashReference(id).flatMap {
                        try? engine.restore($0, in: base, as: owner, idempotency: nil)
                    }
                    guard case .now(let restoration) = written else { continue }
                    answers.withLock { $0.append("\(id) \(restoration.entries.map(\.wholeID))") }
                }
            }
        }
        for thread in threads { thread?.join() }
        let all = answers.withLock(\.self)
        #expect(all.count == 18)
        #expect(
            Set(all) == ["\(field) \([field])", "\(deletion) \(ids)", "\(ids[0]) \([ids[0]])", "\(ids[1]) \([ids[1]])"])
        #expect(try house.everything() == before)
        #expect(try house.changes().filter { $0.kind == "restoreRecords" }.count <= 2)
    }

    @Test func `A deletion of which all was deleted again later is in the trash no more`() throws {
        let ids = try house.records([#"{"Name":"a"}"#, #"{"Name":"b"}"#]).map(\.id)
        try house.delete(ids)
        let first = try #require(try house.trash().first).deletion.description
        try house.restore(first)
        try house.delete([ids[0]])
        // It tells of what it still stands for.
        #expect(try house.restore(first)["entries"]?.arrayValue?.map { $0.objectValue?["id"] } == [.string(ids[1])])
        #expect(failure { _ = try house.get(ids[0]) } == .recordNotFound)
        try house.delete([ids[1]])
        #expect(failure { try house.restore(first) } == .notInTrash)
        for id in ids { try house.restore(id) }
        #expect(try house.restore(first)["entries"]?.arrayValue?.count == 2)
        let count = try #require(try house.field("Count", in: "Tasks"))
        try house.deleteField(count, in: "Tasks")
        let deletion = try #require(try house.trash().first).deletion.description
        try house.restore(deletion)
        #expect(try house.restore(deletion)["restored"] == true)
        try house.deleteField(count, in: "Tasks")
        #expect(failure { try house.restore(deletion) } == .notInTrash)
    }

    @Test func `A key gives the same answer and nothing is restored twice`() throws {
        let id = try house.records([#"{"Name":"x"}"#])[0].id
        try house.delete([id])
        let first = try house.restore(id, key: "k")
        try house.delete([id])
        #expect(try house.restore(id, key: "k") == first)
        #expect(failure { _ = try house.get(id) } == .recordNotFound)
        try house.restore(id)
        #expect(try house.get(id)["Name"] == "x")
    }

    @Test func `A formula as primary field names a record in the trash, cut to a thousand bytes`() throws {
        let table = try house.makeTable(
            #"{"name":"Third","fields":[{"name":"Label","type":"formula","options":{"formula":"REPT('é', 600) & {Text}"}},{"name":"Text","type":"singleLineText"}]}"#
        )
        let id = try house.records([#"{"Text":"t"}"#], in: table.name)[0].id
        try house.delete([id], table: table.name)
        let tasks = try house.records([#"{"Name":"x","Status":"done"}"#])[0].id
        try house.delete([tasks])
        #expect(try house.trash().map(\.name) == ["x", String(repeating: "é", count: 500)])
    }

    // MARK: history

    @Test func `The history tells what calls did, and puts back one cell as an ordinary change`() throws {
        let id = try house.records([#"{"Name":"x","Count":1,"Status":"todo","Tags":["red"]}"#])[0].id
        _ = try house.updateOne(id, #"{"fields":{"Count":2,"Status":"done","Name":"x"}}"#)
        _ = try house.updateOne(id, #"{"fields":{"Tags":["green","red"]}}"#)
        let entries = try house.history(id)
        #expect(entries.map(\.kind) == [.update, .update, .create])
        #expect(entries[1].cells.map(\.field.name) == ["Count", "Status"])
        #expect(entries[2].cells.map(\.field.name) == ["Name", "Count", "Status", "Tags"])
        #expect(try house.restoreCell(id, entries[1], "Count")["Count"] == 1)
        #expect(try house.restoreCell(id, entries[1], "Count", .after)["Count"] == 2)
        #expect(try house.restoreCell(id, entries[2], "Tags")["Tags"] == nil)
        #expect(try house.restoreCell(id, entries[0], "Tags", .after)["Tags"] == ["green", "red"])
        #expect(try house.history(id).count == 7)
        // What is so already is no change.
        _ = try house.restoreCell(id, entries[0], "Tags", .after)
        #expect(try house.history(id).count == 7)
        #expect(failure { try house.restoreCell(id, entries[0], "Count") }?.status == 422)
        let reader = House.caller(House.ada, scopes: [.recordsRead])
        #expect(failure { try house.restoreCell(id, entries[1], "Count", as: reader) } == .invalidPermissions)
        #expect(try house.history(id, as: reader).count == 7)
        let count = try #require(try house.field("Count", in: "Tasks"))
        _ = try house.changeField(count, #"{"type":"singleLineText"}"#, in: "Tasks")
        #expect(failure { try house.restoreCell(id, entries[1], "Count") }?.message?.contains("another type") == true)
        #expect(failure { _ = try house.history("recAAAAAAAAAAAAAA") } == .recordNotFound)
        try house.delete([id])
        #expect(try house.history(id).first?.kind == .delete)
        #expect(failure { try house.restoreCell(id, entries[1], "Count") } == .recordNotFound)
    }

    @Test func `An upsert is told as what it did to the record`() throws {
        let body = #"{"performUpsert":{"fieldsToMergeOn":["Name"]},"records":[{"fields":{"Name":"u","Count":@}}]}"#
        let id = try house.update(body.replacing("@", with: "1")).rows[0].id
        _ = try house.update(body.replacing("@", with: "2"))
        #expect(try house.history(id).map(\.kind) == [.update, .create])
    }
}
