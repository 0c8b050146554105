import RowhouseJSON
import RowhouseModel
import Storage

/// What the fields and views that stay lose when a field or a table goes: computed fields the link that they follow,
/// views the keys and the order that name what is gone. Kept with the entry in the trash, so that a restore gives it
/// back to all that nobody has changed meanwhile.
struct SchemaLoss {
    /// The options of a field or a view before and after.
    private struct Change {
        let table: TableID
        let before: JSONValue
        let after: JSONValue

        /// Both in one, or the later alone where something else happened between them.
        func then(_ later: Change) -> Change {
            after == later.before ? Change(table: table, before: before, after: later.after) : later
        }
    }
    /// The fields that went, save those of a table that went whole.
    private(set) var fields: [FieldPlace] = []
    private var options: [FieldID: Change] = [:]
    private var views: [ViewID: Change] = [:]

    /// Compares the tables that are in both.
    init(before: BaseSchema, after: BaseSchema) {
        for old in before.tables {
            guard let new = after.table(old.id), new !== old else { continue }
            for field in old.fields {
                guard let kept = new.field(field.id) else {
                    fields.append(FieldPlace(table: old.id, field: field.id))
                    continue
                }
                guard field.options.isComputed, kept.options != field.options else { continue }
                options[field.id] = Change(table: old.id, before: field.options.stored, after: kept.options.stored)
            }
            for view in old.views {
                guard let kept = new.views.first(where: { $0.id == view.id }), kept != view else { continue }
                views[view.id] = Change(table: old.id, before: view.storedOptions, after: kept.storedOptions)
            }
        }
    }

    /// Reads what `bytes` wrote; nothing for anything else.
    init(bytes: [UInt8]) {
        let json = (try? JSONParser.parse(bytes))?.objectValue
        for (key, value) in json?["fields"]?.objectValue ?? JSONObject() {
            if let id = FieldID(key) { options[id] = Self.change(value) }
        }
        for (key, value) in json?["views"]?.objectValue ?? JSONObject() {
            if let id = ViewID(key) { views[id] = Self.change(value) }
        }
    }

    private static func change(_ value: JSONValue) -> Change? {
        guard let parts = value.arrayValue, parts.count == 3, let table = parts[0].stringValue.flatMap({ TableID($0) })
        else { return nil }
        return Change(table: table, before: parts[1], after: parts[2])
    }

    /// `{"fields":{"fld…":["tbl…",before,after]},"views":{"viw…":[…]}}`
    var bytes: [UInt8] {
        func object(_ changes: [(key: String, change: Change)]) -> JSONValue {
            .object(
                JSONObject(
                    changes.map {
                        ($0.key, .array([.string($0.change.table.description), $0.change.before, $0.change.after]))
                    }))
        }
        return JSONValue.object(
            JSONObject([
                ("fields", object(options.map { ($0.key.description, $0.value) })),
                ("views", object(views.map { ($0.key.description, $0.value) })),
            ])
        ).bytes
    }

    /// What fields and views of one table lost.
    func of(_ table: TableID) -> SchemaLoss {
        var loss = self
        loss.options = options.filter { $0.value.table == table }
        loss.views = views.filter { $0.value.table == table }
        return loss
    }

    /// What was lost in all by this loss and then by a later one.
    func merged(with later: SchemaLoss) -> SchemaLoss {
        var loss = self
        loss.options.merge(later.options) { $0.then($1) }
        loss.views.merge(later.views) { $0.then($1) }
        return loss
    }

    /// The base with what was lost given back, where all is still as the loss has left it.
    func madeGood(in base: BaseSchema) -> BaseSchema {
        var base = base
        for table in base.tables {
            var fields = table.fields
            for (place, field) in fields.enumerated() {
                guard let change = options[field.id], change.table == table.id, field.options.stored == change.after,
                    let before = FieldOptions(stored: change.before)
                else { continue }
                fields[place].options = before
            }
            var views = table.views
            for (place, view) in views.enumerated() {
                guard let change = self.views[view.id], change.table == table.id, view.storedOptions == change.after,
                    let before = View(
                        id: view.id, name: view.name, type: view.type, storedOptions: change.before)
                else { continue }
                views[place] = before
            }
            if fields != table.fields || views != table.views {
                base = base.replacing(table.changed(fields: fields, views: views))
            }
        }
        return base
    }
}
