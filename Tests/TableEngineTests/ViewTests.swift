import RowhouseJSON
import RowhouseModel
import RowhouseWire
import TableEngine
import Testing

struct ViewTests {
    let house: House
    init() throws { house = try House() }

    private func json(_ written: Written<TableView>) throws -> JSONObject {
        switch written {
        case .now(let shown): try #require(try JSONParser.parse(SchemaEncoder.view(shown)).objectValue)
        case .before(let bytes): try #require(try JSONParser.parse(bytes).objectValue)
        }
    }

    @discardableResult
    private func create(_ body: String, table: String = "Tasks", as caller: Caller? = nil, key: String? = nil) throws
        -> JSONObject
    {
        let input = try SchemaDecoder.view(try House.object(body))
        return try json(
            house.engine.createView(
                input, table: TableReference(table), in: house.base, as: caller ?? house.owner,
                idempotency: House.idempotency(key, body)))
    }

    @discardableResult
    private func update(_ view: String, _ body: String, table: String = "Tasks", as caller: Caller? = nil) throws
        -> JSONObject
    {
        let input = try SchemaDecoder.view(try House.object(body))
        return try json(
            house.engine.updateView(
                ViewReference(view), input, table: TableReference(table), in: house.base, as: caller ?? house.owner,
                idempotency: nil))
    }

    private func delete(_ view: String, table: String? = "Tasks", as caller: Caller? = nil) throws {
        _ = try house.engine.deleteView(
            ViewReference(view), table: table.map { TableReference($0) }, in: house.base, as: caller ?? house.owner,
            idempotency: nil)
    }

    private func id(_ field: String) throws -> JSONValue {
        .string(try #require(try house.table().fields.first { $0.name == field }).id.description)
    }

    private func names(_ query: [(name: String, value: String)], size: Int = 2) throws -> [JSONValue?] {
        try house.walk(query + [("pageSize", "\(size)")]).joined().map { $0["Name"] }
    }

    private func fill() throws -> [String] {
        try house.create(
            #"{"records":[{"fields":{"Name":"a","Count":2}},{"fields":{"Name":"b","Count":3}},{"fields":{"Name":"c","Count":1}},{"fields":{"Name":"d","Count":3}}]}"#
        ).rows.map(\.id)
    }

    // MARK: making, changing, deleting

    @Test func `A view is made with all that can be said of it, and stays so`() throws {
        let made = try create(
            #"{"name":"By count","type":"gallery","sort":[{"field":"Count","direction":"desc"},{"field":"Name"}],"visibleFieldIds":["Name","Count"]}"#
        )
        #expect(made["name"] == "By count" && made["type"] == "gallery")
        let sort: JSONValue = [
            ["field": try id("Count"), "direction": "desc"], ["field": try id("Name"), "direction": "asc"],
        ]
        #expect(made["sort"] == sort)
        #expect(made["visibleFieldIds"] == [try id("Name"), try id("Count")])
        #expect(try house.table().views.map(\.name) == ["Grid view", "By count"])
        let view = try house.table().views[1]
        try house.restart()
        #expect(try house.table().views[1] == view)
        #expect(try update("By count", #"{"name":"By count"}"#) == made)
    }

    @Test func `A view is a grid that shows all in the order of ids unless something else is said`() throws {
        let made = try create(#"{"name":"Plain"}"#)
        #expect(made["type"] == "grid" && made["sort"] == nil && made["filterByFormula"] == nil)
        #expect(made["visibleFieldIds"]?.arrayValue?.count == 12)
    }

    @Test(arguments: [
        ("{}", "INVALID_REQUEST_UNKNOWN"), (#"{"name":""}"#, "DUPLICATE_VIEW_NAME"),
        (#"{"name":"grid VIEW"}"#, "DUPLICATE_VIEW_NAME"), (#"{"name":1}"#, "INVALID_REQUEST_UNKNOWN"),
        (#"{"name":"V","type":"heap"}"#, "INVALID_REQUEST_UNKNOWN"),
        (#"{"name":"V","sort":[{"field":"Nope"}]}"#, "UNKNOWN_FIELD_NAME"),
        (#"{"name":"V","sort":[{"field":"Name","direction":"up"}]}"#, "INVALID_REQUEST_UNKNOWN"),
        (#"{"name":"V","sort":{"field":"Name"}}"#, "INVALID_REQUEST_UNKNOWN"),
        (#"{"name":"V","visibleFieldIds":["Nope"]}"#, "UNKNOWN_FIELD_NAME"),
        (#"{"name":"V","visibleFieldIds":["Name","Name"]}"#, "INVALID_REQUEST_UNKNOWN"),
        (#"{"name":"V","recordOrder":{"move":["rec00000000000000"],"before":null}}"#, "ROW_DOES_NOT_EXIST"),
        (#"{"name":"V","recordOrder":{"move":[],"before":null}}"#, "INVALID_REQUEST_UNKNOWN"),
        (#"{"name":"V","recordOrder":{"move":["nope"],"before":null}}"#, "ROW_DOES_NOT_EXIST"),
        (#"{"name":"V","recordOrder":null}"#, "INVALID_REQUEST_UNKNOWN"),
        (#"{"name":"V","recordOrder":{}}"#, "INVALID_REQUEST_UNKNOWN"),
        (#"{"name":"V","recordOrder":{"before":null}}"#, "INVALID_REQUEST_UNKNOWN"),
        (#"{"name":"V","recordOrder":{"move":["rec00000000000000"]}}"#, "INVALID_REQUEST_UNKNOWN"),
    ])
    func `A view that breaks a rule is not made`(body: String, type: String) throws {
        #expect(failure { try create(body) }?.type == type)
        #expect(try house.table().views.count == 1)
    }

    @Test func `A change changes what it names and nothing else`() throws {
        try create(#"{"name":"V","sort":[{"field":"Count"}],"visibleFieldIds":["Count","Name"]}"#)
        let view = try house.table().views[1]
        #expect(try update("V", #"{"name":"W"}"#)["sort"] != nil)
        #expect(try house.table().views[1].fieldOrder == view.fieldOrder)
        #expect(try update("W", #"{"sort":null}"#)["sort"] == nil)
        #expect(try update("W", #"{"visibleFieldIds":null}"#)["visibleFieldIds"]?.arrayValue?.count == 12)
        #expect(failure { try update("W", "{}") } == .invalidRequest)
        #expect(failure { try update("W", #"{"else":1}"#) } == .invalidRequest)
        #expect(failure { try update("V", #"{"name":"X"}"#) } == .modelNotFound("View"))
        #expect(try update(view.id.description, #"{"type":"kanban"}"#)["type"] == "kanban")
    }

    @Test func `A view is deleted, the last one is not`() throws {
        try create(#"{"name":"V"}"#)
        #expect(failure { try delete("Nope") } == .modelNotFound("View"))
        try delete("Grid view")
        #expect(try house.table().views.map(\.name) == ["V"])
        #expect(failure { try delete("V") }?.type == "INVALID_REQUEST_UNKNOWN")
        #expect(failure { _ = try house.list([("view", "Grid view")]) }?.type == "VIEW_NAME_NOT_FOUND")
        let other = try create(#"{"name":"Grid view"}"#)
        let id = try #require(other["id"]?.stringValue)
        let reader = House.caller(House.ada, scopes: [.schemaWrite])
        #expect(failure { try delete(id, table: nil, as: reader) } == .invalidPermissions)
        try delete(id, table: nil)
        #expect(failure { try delete(id, table: nil) } == .modelNotFound("View"))
    }

    @Test func `Views are made by whoever may change schemas, once a key`() throws {
        let reader = House.caller(House.bob, scopes: [.schemaRead, .recordsWrite])
        #expect(failure { try create(#"{"name":"V"}"#, as: reader) } == .invalidPermissions)
        #expect(failure { try update("Grid view", #"{"name":"V"}"#, as: reader) } == .invalidPermissions)
        #expect(failure { try delete("Grid view", as: reader) } == .invalidPermissions)
        let made = try create(#"{"name":"V"}"#, key: "k")
        #expect(try create(#"{"name":"V"}"#, key: "k") == made)
        #expect(failure { try create(#"{"name":"W"}"#, key: "k") } == .idempotencyConflict())
        #expect(try house.table().views.count == 2)
    }

    // MARK: lists

    @Test func `A list by a view has the view's order, unless the request has its own`() throws {
        _ = try fill()
        try create(#"{"name":"V","sort":[{"field":"Count","direction":"desc"}]}"#)
        #expect(try names([("view", "V")]) == ["d", "b", "a", "c"])
        #expect(try names([("view", "V"), ("sort[0][field]", "Name")]) == ["a", "b", "c", "d"])
        #expect(try names([]) == ["a", "b", "c", "d"])
        try update("V", #"{"sort":[]}"#)
        #expect(try names([("view", "V")]) == ["a", "b", "c", "d"])
    }

    @Test func `Records put by hand stand where they were put, new ones come last`() throws {
        let ids = try fill()
        try create(#"{"name":"V"}"#)
        let move = "{\"recordOrder\":{\"move\":[\"\(ids[3])\",\"\(ids[1])\"],\"before\":\"\(ids[0])\"}}"
        try update("V", move)
        #expect(try names([("view", "V")]) == ["d", "b", "a", "c"])
        #expect(try names([("view", "Grid view")]) == ["a", "b", "c", "d"])
        #expect(try names([("view", "V"), ("sort[0][field]", "Name")]) == ["a", "b", "c", "d"])
        try update("V", "{\"recordOrder\":{\"move\":[\"\(ids[3])\"],\"before\":null}}")
        _ = try house.create(#"{"fields":{"Name":"e"}}"#)
        for size in 1...6 { #expect(try names([("view", "V")], size: size) == ["b", "a", "c", "d", "e"]) }
        try house.restart()
        #expect(try names([("view", "V")]) == ["b", "a", "c", "d", "e"])
        let twice = "{\"recordOrder\":{\"move\":[\"\(ids[0])\"],\"before\":\"\(ids[0])\"}}"
        #expect(failure { try update("V", twice) }?.type == "INVALID_REQUEST_UNKNOWN")
        // A sort of the view goes before the order by hand, which comes back with the sort taken away.
        try update("V", #"{"sort":[{"field":"Name"}]}"#)
        #expect(try names([("view", "V")]) == ["a", "b", "c", "d", "e"])
        try update("V", #"{"sort":[]}"#)
        #expect(try names([("view", "V")]) == ["b", "a", "c", "d", "e"])
    }

    @Test func `An offset is of one order`() throws {
        let ids = try fill()
        try create(#"{"name":"V"}"#)
        let offset = try #require(try house.list([("view", "V"), ("pageSize", "2")]).offset)
        try update("V", "{\"recordOrder\":{\"move\":[\"\(ids[3])\"],\"before\":\"\(ids[0])\"}}")
        #expect(
            failure { _ = try house.list([("view", "V"), ("pageSize", "2"), ("offset", offset)]) }
                == .iteratorNotAvailable)
    }

    // MARK: filters

    @Test func `A list by a view keeps what its filter and the request's both keep`() throws {
        _ = try fill()
        let made = try create(#"{"name":"V","filterByFormula":"{Count}>1"}"#)
        let count = try #require(try id("Count").stringValue)
        #expect(made["filterByFormula"] == .string("{\(count)}>1"))
        #expect(try names([("view", "V")]) == ["a", "b", "d"])
        #expect(try names([("view", "V"), ("filterByFormula", "{Name}!='b'")]) == ["a", "d"])
        #expect(
            try names([("view", "V"), ("sort[0][field]", "Name"), ("sort[0][direction]", "desc")]) == ["d", "b", "a"])
        try update("V", #"{"filterByFormula":null}"#)
        #expect(try names([("view", "V")]) == ["a", "b", "c", "d"])
    }

    @Test func `A view's filter follows its fields, and tells when one is gone`() throws {
        _ = try fill()
        try create(#"{"name":"V","filterByFormula":"AND(Count = 3, {Name}=\"b\")"}"#)
        let count = try #require(try house.table().fields.first { $0.name == "Count" })
        let rename = UpdateFieldRequest(
            base: house.base, table: TableReference("Tasks"), field: count.id, name: "Anzahl", description: nil,
            options: nil, type: nil)
        _ = try house.engine.updateField(rename, as: house.owner, idempotency: nil)
        #expect(try names([("view", "V")]) == ["b"])
        _ = try house.engine.deleteField(
            count.id, table: TableReference("Tasks"), in: house.base, as: house.owner, idempotency: nil)
        let error = failure { _ = try house.list([("view", "V")]) }
        #expect(error?.type == "INVALID_FILTER_BY_FORMULA" && error?.message?.contains("View \"V\"") == true)
        #expect(error?.message?.contains("\"Anzahl\" (\(count.id))") == true)
        try update("V", #"{"filterByFormula":"Name='c'"}"#)
        #expect(try names([("view", "V")]) == ["c"])
    }

    @Test(arguments: [
        ("{Nope}=1", "INVALID_FILTER_BY_FORMULA"), ("1 +", "INVALID_FILTER_BY_FORMULA"),
        ("NOPE()", "INVALID_FILTER_BY_FORMULA"),
        (String(repeating: "1+", count: 50_000) + "1", "INVALID_FILTER_BY_FORMULA"),
    ])
    func `A filter that is no formula is refused`(filter: String, type: String) throws {
        #expect(failure { try create("{\"name\":\"V\",\"filterByFormula\":\"\(filter)\"}") }?.type == type)
        #expect(failure { try update("Grid view", "{\"filterByFormula\":\"\(filter)\"}") }?.type == type)
        #expect(try house.table().views[0].filter == nil)
    }

    /// A table too large to be read whole, in an order by hand, filtered by the store, by the evaluator, and by both.
    @Test func `Filtered pages stand in the order by hand`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var rows: [(id: String, name: String, count: Int)] = []
        for start in stride(from: 0, to: 700, by: 10) {
            let records = (start..<start + 10).map { "{\"fields\":{\"Name\":\"n\($0)\",\"Count\":\($0 % 7)}}" }
            let made = try house.create("{\"records\":[\(records.joined(separator: ","))]}").rows
            for (offset, row) in made.enumerated() { rows.append((row.id, "n\(start + offset)", (start + offset) % 7)) }
        }
        try create(#"{"name":"V"}"#)
        for _ in 0..<12 {
            let moved = Array(rows.shuffled(using: &random).prefix(9))
            let rest = rows.filter { row in !moved.contains { $0.id == row.id } }
            let place = Int.random(in: 0...rest.count, using: &random)
            let before = place < rest.count ? "\"\(rest[place].id)\"" : "null"
            let ids = moved.map { "\"\($0.id)\"" }.joined(separator: ",")
            try update("V", "{\"recordOrder\":{\"move\":[\(ids)],\"before\":\(before)}}")
            rows = Array(rest[..<place]) + moved + Array(rest[place...])
        }
        let filters: [(String, (String, Int) -> Bool)] = [
            ("{Count}=3", { $1 == 3 }), ("FIND('9',{Name})", { name, _ in name.contains("9") }),
            ("AND({Count}<3,FIND('1',{Name}))", { $1 < 3 && $0.contains("1") }),
            ("{Name}='n77'", { name, _ in name == "n77" }),
            ("{Count}=99", { _, _ in false }), ("RECORD_ID()='\(rows[5].id)'", { name, _ in name == rows[5].name }),
        ]
        for (filter, keeps) in filters {
            let expected = rows.filter { keeps($0.name, $0.count) }.map(\.id)
            for size in [3, 100] {
                let query = [("view", "V"), ("filterByFormula", filter), ("pageSize", "\(size)")]
                #expect(try house.walk(query).joined().map(\.id) == expected, "seed \(seed) \(filter) \(size)")
            }
        }
        try update("V", #"{"filterByFormula":"{Count}<2"}"#)
        let kept = rows.filter { $0.count < 2 }.map(\.id)
        #expect(try house.walk([("view", "V"), ("pageSize", "13")]).joined().map(\.id) == kept, "seed \(seed)")
        // Pages go on where they were when the last of a page is gone or moved.
        let first = try house.list([("view", "V"), ("pageSize", "13")])
        try house.delete([first.rows[12].id])
        let next = try house.list([("view", "V"), ("pageSize", "13"), ("offset", first.offset ?? "")])
        #expect(next.rows.map(\.id) == Array(kept[13..<26]), "seed \(seed)")
    }

    // MARK: fields

    @Test func `A new field is shown in every view, a deleted one leaves order and fields`() throws {
        try create(
            #"{"name":"V","sort":[{"field":"Count"},{"field":"Name"}],"visibleFieldIds":["Due","Count","Name"]}"#)
        let field = try SchemaDecoder.field(.object(try House.object(#"{"name":"New","type":"email"}"#)))
        _ = try house.engine.createField(
            field, table: TableReference("Tasks"), in: house.base, as: house.owner, idempotency: nil)
        let shown = try update("V", #"{"name":"V"}"#)["visibleFieldIds"]
        #expect(shown == [try id("Due"), try id("Count"), try id("Name"), try id("New")])
        let count = try #require(try house.table().fields.first { $0.name == "Count" }).id
        _ = try house.engine.deleteField(
            count, table: TableReference("Tasks"), in: house.base, as: house.owner, idempotency: nil)
        let after = try update("V", #"{"name":"V"}"#)
        #expect(after["visibleFieldIds"] == [try id("Due"), try id("Name"), try id("New")])
        #expect(after["sort"] == [["field": try id("Name"), "direction": "asc"]])
        try house.restore(count.description)
        let back = try update("V", #"{"name":"V"}"#)
        #expect(back["visibleFieldIds"] == shown)
        #expect(back["sort"]?.arrayValue?.count == 2)
    }

    // MARK: the change log

    @Test func `The log has views before and after, and places of what was moved`() throws {
        let ids = try fill()
        let start = try house.changes().count
        try create(#"{"name":"V"}"#)
        try update("V", #"{"name":"W"}"#)
        try update("W", "{\"recordOrder\":{\"move\":[\"\(ids[2])\"],\"before\":\"\(ids[0])\"}}")
        try update("W", #"{"name":"W"}"#)
        try delete("W")
        let changes = try Array(house.changes().dropFirst(start))
        #expect(changes.map(\.kind) == ["createView", "updateView", "updateView", "updateView", "deleteView"])
        let schemas = changes.map { $0.payload["schema"]?.arrayValue ?? [] }
        #expect(schemas[0].map(\.isNull) == [true, false] && schemas[4].map(\.isNull) == [false, true])
        #expect(schemas[1].map { $0.objectValue?["name"] } == ["V", "W"])
        let places = schemas[3].map { $0.objectValue?["places"]?.objectValue?[ids[2]] }
        #expect(places.first == .null && places.last??.stringValue != nil)
    }
}
