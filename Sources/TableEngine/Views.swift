import FormulaLanguage
package import RowhouseModel
import RowhouseWire
import Storage

extension Engine {
    /// The most views of one table.
    static let mostViews = 500
    /// The longest filter of a view, in UTF-8 bytes.
    static let longestFilter = 100_000

    package func createView(
        _ input: ViewInput, table: TableReference, in base: BaseID, as caller: Caller, idempotency: Idempotency?
    ) throws(APIError) -> Written<TableView> {
        guard let name = input.name else { throw .invalidRequest("A view needs a name.") }
        return try write(as: caller, idempotency: idempotency) { (shown) throws(APIError) in
            SchemaEncoder.view(shown)
        } _: { (session) throws(APIError) in
            let table = try session.table(table, in: base, scope: .schemaWrite)
            guard table.views.count < Self.mostViews else { throw .invalidRequest("The table is full of views.") }
            let empty = View(id: Self.randomID(), name: name, type: "grid")
            let view = try session.changed(empty, input, in: table)
            let shown = TableView(view: view, table: table.changed(views: table.views + [view]))
            try session.writer.updateTable(shown.table)
            try session.log(.createView, before: nil, after: shown)
            if let move = input.recordOrder { try session.move(move, in: shown) }
            return shown
        }
    }

    package func updateView(
        _ reference: ViewReference, _ input: ViewInput, table: TableReference, in base: BaseID, as caller: Caller,
        idempotency: Idempotency?
    ) throws(APIError) -> Written<TableView> {
        guard input != ViewInput() else { throw .invalidRequest }
        return try write(as: caller, idempotency: idempotency) { (shown) throws(APIError) in
            SchemaEncoder.view(shown)
        } _: { (session) throws(APIError) in
            let table = try session.table(table, in: base, scope: .schemaWrite)
            let index = try Self.pathView(reference, of: table)
            let before = TableView(view: table.views[index], table: table)
            let view = try session.changed(before.view, input, in: table)
            var shown = before
            if view != before.view {
                var views = table.views
                views[index] = view
                shown = TableView(view: view, table: table.changed(views: views))
                try session.writer.updateTable(shown.table)
                try session.log(.updateView, before: before, after: shown)
            }
            if let move = input.recordOrder { try session.move(move, in: shown) }
            return shown
        }
    }

    package func deleteView(
        _ reference: ViewReference, table: TableReference?, in base: BaseID, as caller: Caller,
        idempotency: Idempotency?
    ) throws(APIError) -> Written<ViewID> {
        let encoder = encoder
        return try write(as: caller, idempotency: idempotency) { (id) throws(APIError) in
            encoder.deleted(id)
        } _: { (session) throws(APIError) in
            let table = try session.table(of: reference, table, in: base)
            let view = table.views[try Self.pathView(reference, of: table)]
            guard table.views.count > 1 else { throw .invalidRequest("The last view of a table cannot be deleted.") }
            try session.writer.updateTable(table.changed(views: table.views.filter { $0.id != view.id }))
            try session.log(.deleteView, before: TableView(view: view, table: table), after: nil)
            if let base = session.writer.schema.base(base) { _ = try session.put(base.forgetting(view.id)) }
            return view.id
        }
    }

    /// The place in the table's views of the one that a path names.
    private static func pathView(_ reference: ViewReference, of table: TableSchema) throws(APIError) -> Int {
        let view = table.view(named: reference.exact) ?? table.view(named: reference.plusAsSpace)
        guard let view, let index = table.views.firstIndex(where: { $0.id == view.id }) else {
            throw .modelNotFound("View")
        }
        return index
    }
}

extension BaseSchema {
    /// The base without link fields that let people choose from a view that is gone.
    fileprivate func forgetting(_ view: ViewID) -> BaseSchema {
        var base = self
        for table in tables {
            var fields = table.fields
            for (index, field) in fields.enumerated() {
                guard case .links(var links) = field.options, links.viewIDForRecordSelection == view else { continue }
                links.viewIDForRecordSelection = nil
                fields[index].options = .links(links)
            }
            if fields != table.fields { base = base.replacing(table.changed(fields: fields)) }
        }
        return base
    }
}

extension WriteSession {
    /// The table that a path names, or without a name the one that has the view; by a call of its own with a scope of
    /// its own, as Airtable has it.
    fileprivate func table(
        of view: ViewReference, _ table: TableReference?, in base: BaseID
    ) throws(APIError) -> TableSchema {
        if let table { return try self.table(table, in: base, scope: .schemaWrite) }
        let found = try Engine.base(base, of: writer.schema, scope: .workspacesWrite, as: caller)
        for table in found.tables where table.views.contains(where: { $0.id.description == view.exact }) {
            return table
        }
        throw .modelNotFound("View")
    }

    /// The view with what the request changes, save the order by hand.
    fileprivate func changed(_ view: View, _ input: ViewInput, in table: TableSchema) throws(APIError) -> View {
        var view = view
        if let name = input.name {
            let folded = name.lowercased()
            let others = table.views.filter { $0.id != view.id }
            guard Engine.isName(name), !others.contains(where: { $0.name.lowercased() == folded }) else {
                throw .duplicateViewName
            }
            view.name = name
        }
        if let type = input.type {
            guard View.types.contains(type) else {
                throw .invalidRequest("A view's type is one of \(View.types.sorted().joined(separator: ", ")).")
            }
            view.type = type
        }
        if let filter = input.filterByFormula {
            view.filter = try filter.map { (text) throws(APIError) in try checked(text, in: table) }
        }
        // What is written as it is shown is left as it is, with what it says of fields that are gone.
        if let sort = input.sort {
            let order = try order(sort, of: table)
            if order != view.sort(in: table) { view.sort = order }
        }
        if let visible = input.visibleFieldIDs { try show(visible, in: table, of: &view) }
        if input.recordOrder != nil { view.isManuallyOrdered = true }
        return view
    }

    /// The filter as it is kept: with ids, so that a renamed field breaks nothing.
    private func checked(_ filter: String, in table: TableSchema) throws(APIError) -> String {
        guard let base = writer.schema.base(table.base) else { throw .internalError }
        let scope = formulas.formulas(of: base).scope(of: table)
        if filter.utf8.count <= Engine.longestFilter {
            _ = try RecordFilter(filter, table: table, scope: scope, zones: zones)
            let kept = FormulaText.withIDs(filter, scope)
            if kept.utf8.count <= Engine.longestFilter { return kept }
        }
        throw .invalidFilterByFormula("A view's filter has at most 100,000 bytes with the ids of fields.")
    }

    private func order(_ sort: [SortRequest], of table: TableSchema) throws(APIError) -> [ViewSort] {
        var keys: [ViewSort] = []
        for request in sort {
            let id = table.fields[try Engine.field(request.field, of: table)].id
            // A field that comes again cannot change the order.
            if !keys.contains(where: { $0.field == id }) {
                keys.append(ViewSort(field: id, direction: request.direction))
            }
        }
        return keys
    }

    private func show(_ names: [String]?, in table: TableSchema, of view: inout View) throws(APIError) {
        guard let names else { return view.show(table.fields.map(\.id), of: table.fields) }
        var ids: [FieldID] = []
        for name in names {
            let id = table.fields[try Engine.field(name, of: table)].id
            guard !ids.contains(id) else { throw .invalidRequest("A field is named twice.") }
            ids.append(id)
        }
        if ids != view.visibleFieldIDs(of: table.fields) { view.show(ids, of: table.fields) }
    }

    /// Moves records by hand and logs where they were.
    fileprivate func move(_ move: RecordMove, in shown: TableView) throws(APIError) {
        guard Set(move.records).count == move.records.count, !move.records.contains(where: { $0 == move.before })
        else { throw .invalidRequest("A record is named twice.") }
        let placements = try writer.move(move.records, before: move.before, in: shown.view.id, of: shown.table)
        try log(
            .updateView, table: shown.table,
            schema: SchemaChange(
                before: ViewLog.places(of: shown.view, placements) { $0.before },
                after: ViewLog.places(of: shown.view, placements) { $0.after }))
    }

    fileprivate func log(_ kind: Change.Kind, before: TableView?, after: TableView?) throws(APIError) {
        guard let table = after?.table ?? before?.table else { return }
        try log(
            kind, table: table,
            schema: SchemaChange(
                before: before.map { SchemaEncoder.view($0) }, after: after.map { SchemaEncoder.view($0) }))
    }
}
