import RowhouseJSON
import RowhouseModel
import RowhouseWire
import SQLiteStorage
import TableEngine
import Testing

/// In whatever order things go and come, in the end all is as it was.
@Suite struct TrashOrderTests {
    private let house: House

    init() throws { house = try House() }

    /// A table with its fields in the order of ids (one that came back while another was gone may stand elsewhere), its
    /// records, and what its views show.
    private struct Shown: Equatable {
        let fields: [Field]
        let views: [View]
        let lists: [[String]]
    }

    private func shown() throws -> [String: Shown] {
        var all: [String: Shown] = [:]
        for table in house.storage.schema.base(house.base)?.tables ?? [] {
            var lists: [[String]] = []
            for query in [[]] + table.views.map({ [("view", $0.name)] }) {
                lists.append(
                    try house.walk(query, table: table.name).joined().map { row in
                        let cells = row.fields.map { "\($0.key)=\(String(decoding: $0.value.bytes, as: UTF8.self))" }
                        return row.id + cells.sorted().joined()
                    })
            }
            all[table.name] = Shown(
                fields: table.fields.sorted { $0.id < $1.id }, views: table.views, lists: lists)
        }
        return all
    }

    private func makeView(_ body: String, in table: String) throws {
        let input = try SchemaDecoder.view(try House.object(body))
        _ = try house.engine.createView(
            input, table: TableReference(table), in: house.base, as: house.owner, idempotency: nil)
    }

    /// Fields of every kind that leans on others, over four links, and views that name them.
    private func furnish(_ random: inout SeededGenerator) throws {
        _ = try house.makeTable(#"{"name":"Third","fields":[{"name":"Name","type":"singleLineText"}]}"#)
        for table in ["Other", "Third"] {
            try house.makeField(#"{"name":"Size","type":"number","options":{"precision":0}}"#, in: table)
        }
        let links = [
            ("A", "Tasks", "Other"), ("B", "Other", "Tasks"), ("C", "Third", "Tasks"), ("D", "Other", "Third"),
            ("E", "Third", "Third"),
        ]
        for (name, from, to) in links { try house.makeLink(name, from: from, to: to) }
        func followed(_ name: String, _ type: String, _ link: String, _ field: String, in table: String) throws {
            let formula = type == "rollup" ? #","formula":"SUM(values)""# : ""
            try house.compute(
                name, type, "{\"recordLinkFieldId\":\"@\(link)@\",\"fieldIdInLinkedTable\":\"@\(field)@\"\(formula)}",
                in: table)
        }
        try followed("Sizes", "multipleLookupValues", "Tasks.A", "Other.Size", in: "Tasks")
        try followed("Sum", "rollup", "Tasks.A", "Other.Size", in: "Tasks")
        try house.compute("How many", "count", #"{"recordLinkFieldId":"@Tasks.A@"}"#)
        try house.formula("Twice", "{@Tasks.Sum@} * 2 + {@Tasks.How many@}")
        try house.compute("Last", "lastModifiedTime", #"{"referencedFieldIds":["@Tasks.Count@","@Tasks.Notes@"]}"#)
        try followed("Names", "multipleLookupValues", "Other.D", "Third.Name", in: "Other")
        try followed("All", "rollup", "Other.B", "Tasks.Twice", in: "Other")
        try followed("States", "multipleLookupValues", "Third.C", "Tasks.Status", in: "Third")
        try house.compute("Parts", "count", #"{"recordLinkFieldId":"@Third.E@"}"#, in: "Third")
        try makeView(
            #"{"name":"V","sort":[{"field":"Sum","direction":"desc"},{"field":"Count"},{"field":"Name"}],"visibleFieldIds":["Status","Sum","Name","A"]}"#,
            in: "Tasks")
        try makeView(#"{"name":"F","filterByFormula":"{Count}>1","sort":[{"field":"Notes"}]}"#, in: "Tasks")
        try makeView(
            #"{"name":"V","sort":[{"field":"Size"},{"field":"All"}],"visibleFieldIds":["Size","Name"]}"#, in: "Other")
        try makeView(#"{"name":"V","sort":[{"field":"Parts"}],"visibleFieldIds":["C","Name"]}"#, in: "Third")
        try fill(links, &random)
    }

    private func fill(_ links: [(String, String, String)], _ random: inout SeededGenerator) throws {
        var ids: [String: [String]] = [:]
        for table in ["Tasks", "Other", "Third"] {
            let size = table == "Tasks" ? #""Status":"done","Notes":"n","Count""# : #""Size""#
            ids[table] = try house.records(
                (0..<4).map { "{\"Name\":\"\(table) \($0)\",\(size):\($0 * 3 % 5)}" }, in: table
            ).map(\.id)
        }
        for (field, from, to) in links {
            for (place, id) in (ids[from] ?? []).enumerated() {
                let linked = (ids[to] ?? []).shuffled(using: &random).prefix(place).map { "\"\($0)\"" }
                _ = try house.updateOne(
                    id, "{\"fields\":{\"\(field)\":[\(linked.joined(separator: ","))]}}", table: from)
            }
        }
    }

    @Test(arguments: (0..<6).map { _ in UInt64.random(in: 0...UInt64.max) })
    func `All that was deleted and restored in any order is as it was`(seed: UInt64) throws {
        print("trash in any order: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        try furnish(&random)
        let before = try shown()
        var turns = ""
        for _ in 0..<40 {
            let living = house.storage.schema.base(house.base)?.tables ?? []
            let table = living.randomElement(using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                guard let table else { continue }
                turns += " -\(table.name)"
                try house.deleteTable(table.name)
            case 1...4:
                guard let table,
                    let field = table.fields.filter({ $0.id != table.primaryFieldID }).randomElement(using: &random)
                else { continue }
                turns += " -\(table.name).\(field.name)"
                try house.deleteField(field, in: table.name)
            case 5:
                guard let table, let row = try house.list(table: table.name).rows.randomElement(using: &random) else {
                    continue
                }
                try house.delete([row.id], table: table.name)
            default:
                guard let entry = try house.trash().randomElement(using: &random) else { continue }
                turns += " +\(entry.name)"
                if let error = failure({ try house.restore(entry.wholeID) }) { #expect(error.status == 422) }
            }
        }
        // What is refused waits for a table, which comes in a later round.
        for _ in 0..<5 {
            for entry in try house.trash().shuffled(using: &random) {
                turns += " +\(entry.name)"
                _ = failure { try house.restore(entry.wholeID) }
            }
        }
        #expect(try house.trash().isEmpty)
        let after = try shown()
        for (name, table) in before {
            let now = try #require(after[name])
            #expect(now.fields == table.fields, "seed \(seed):\(turns)")
            #expect(now.views == table.views, "seed \(seed):\(turns)")
            #expect(now.lists == table.lists, "seed \(seed):\(turns)")
        }
    }

    /// A lookup and a view of two sort keys and hidden fields, in the orders that once lost them.
    @Test(arguments: [
        "-Tasks.A -Tasks.Sizes +A +Sizes", "-Tasks.Sizes -Tasks.A +A +Sizes", "-Tasks -Other.Size +Tasks +Size",
        "-Other.Size -Tasks +Size +Tasks", "-Other.Size -Tasks.A +Size +A", "-Other.Size -Tasks.A +A +Size",
        "-Tasks.Count -Tasks.Notes +Count +Notes", "-Tasks.Count -Tasks.Notes +Notes +Count",
        "-Tasks.Sum -Tasks.Count -Tasks.Notes +Count +Sum +Notes", "-Other -Tasks.Sizes +Sizes +Other",
    ])
    func `Fields find again what they named, views their keys and what they hid`(turns: String) throws {
        var random = SeededGenerator(seed: 1)
        try furnish(&random)
        let before = try shown()
        var ids: [String: String] = [:]
        for turn in turns.split(separator: " ") {
            let name = String(turn.dropFirst())
            let path = name.split(separator: ".").map(String.init)
            if turn.first == "+" {
                try house.restore(try #require(ids[name]))
            } else if path.count == 1 {
                ids[name] = try house.table(name).id.description
                try house.deleteTable(name)
            } else {
                let field = try #require(try house.field(path[1], in: path[0]))
                ids[path[1]] = field.id.description
                try house.deleteField(field, in: path[0])
            }
        }
        try house.restart()
        #expect(try shown() == before)
    }

    @Test func `What someone changed meanwhile is not changed back`() throws {
        var random = SeededGenerator(seed: 1)
        try furnish(&random)
        let count = try #require(try house.field("Count", in: "Tasks"))
        func view() throws -> View { try #require(try house.table().view(named: "V")) }
        func change(_ body: String) throws {
            _ = try house.engine.updateView(
                ViewReference("V"), SchemaDecoder.view(try House.object(body)), table: TableReference("Tasks"),
                in: house.base, as: house.owner, idempotency: nil)
        }
        let before = try view()
        try house.deleteField(count, in: "Tasks")
        // Written as it is shown: nothing was meant by it.
        try change(#"{"sort":[{"field":"Sum","direction":"desc"},{"field":"Name"}]}"#)
        try change(#"{"visibleFieldIds":["Status","Sum","Name","A"]}"#)
        try house.restore(count.id.description)
        #expect(try view() == before)
        try house.deleteField(count, in: "Tasks")
        try change(#"{"sort":[{"field":"Name"}],"visibleFieldIds":["Name"]}"#)
        try house.restore(count.id.description)
        #expect(try view().sort.map(\.field) == [try house.field("Name", in: "Tasks")?.id])
        let name = try house.field("Name", in: "Tasks")?.id
        #expect(try view().visibleFieldIDs(of: house.table().fields) == [name, count.id])
        let size = try #require(try house.field("Size", in: "Other"))
        let sizes = try #require(try house.field("Sizes", in: "Tasks"))
        try house.deleteField(size, in: "Other")
        let body = try house.withIDs(
            #"{"options":{"recordLinkFieldId":"@Tasks.A@","fieldIdInLinkedTable":"@Other.Name@"}}"#)
        let changed = try house.changeField(sizes, body, in: "Tasks")
        try house.restore(size.id.description)
        #expect(try house.field("Sizes", in: "Tasks") == changed)
    }
}
