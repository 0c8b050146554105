import RowhouseModel
import RowhouseWire

// Link fields in a schema: what they lead to, and the field on the other side.

/// The tables that a link can lead to, some of them perhaps still being made.
struct LinkTargets {
    struct Target {
        let id: TableID
        let name: String
        var views: [View] = []
    }
    var tables: [Target]

    init(_ tables: [Target]) { self.tables = tables }
    init(_ tables: [TableSchema]) {
        self.tables = tables.map { Target(id: $0.id, name: $0.name, views: $0.views) }
    }

    /// The options of a new link field; its inverse is made later.
    func options(of input: FieldInput, in table: String) throws(APIError) -> LinkOptions {
        guard let json = input.options else { throw .invalidRequest }
        let options = try LinkOptionsInput(json, table: table, field: input.name)
        guard let reference = options.linkedTable else {
            throw .invalidFieldOptions(table: table, field: input.name, "linkedTableId is missing")
        }
        guard let target = target(reference) else {
            throw .invalidFieldOptions(
                table: table, field: input.name, "there is no table \(reference.prefix(100)) in this base")
        }
        var links = LinkOptions(linkedTableID: target.id)
        try links.apply(options, target: target, table: table, field: input.name)
        return links
    }

    /// The options of a link field with what a request changes.
    func options(
        changing links: LinkOptions, to options: LinkOptionsInput, table: String, field: String
    ) throws(APIError) -> LinkOptions {
        guard let target = tables.first(where: { $0.id == links.linkedTableID }) else { throw .internalError }
        if let reference = options.linkedTable, self.target(reference)?.id != links.linkedTableID {
            throw .invalidFieldOptions(table: table, field: field, "linkedTableId cannot be changed")
        }
        var links = links
        try links.apply(options, target: target, table: table, field: field)
        return links
    }

    private func target(_ reference: String) -> Target? {
        let id = TableID(reference)
        return tables.first { $0.id == id } ?? tables.first { $0.name == reference }
    }
}

extension LinkOptions {
    fileprivate mutating func apply(
        _ options: LinkOptionsInput, target: LinkTargets.Target, table: String, field: String
    ) throws(APIError) {
        if let flag = options.prefersSingleRecordLink { prefersSingleRecordLink = flag }
        guard let view = options.viewForRecordSelection else { return }
        viewIDForRecordSelection = nil
        guard let view else { return }
        guard let known = target.views.first(where: { $0.id.description == view }) else {
            throw .invalidFieldOptions(
                table: table, field: field, "there is no view \(view.prefix(100)) in the linked table")
        }
        viewIDForRecordSelection = known.id
    }
}

extension BaseSchema {
    /// The base with the fields on the other side of new link fields, each named after the table it shows. A link
    /// within one table has no other side.
    ///
    /// - Parameter fields: new fields of the table, which the base has already.
    func addingInverses(of fields: [FieldID], in id: TableID) throws(APIError) -> BaseSchema {
        var base = self
        for field in fields {
            guard let table = base.table(id), let index = table.index(of: field),
                case .links(var links) = table.fields[index].options, links.linkedTableID != id,
                links.inverseLinkFieldID == nil, let linked = base.table(links.linkedTableID)
            else { continue }
            guard linked.fields.count < Engine.mostFields else {
                throw .invalidFieldOptions(
                    table: table.name, field: table.fields[index].name, "the linked table is full of fields")
            }
            let inverse = Field(
                id: Engine.randomID(), name: Self.freeName(table.name, beside: linked.fields.map(\.name)),
                type: .multipleRecordLinks,
                options: .links(LinkOptions(linkedTableID: id, inverseLinkFieldID: field)))
            links.inverseLinkFieldID = inverse.id
            var changed = table.fields
            changed[index].options = .links(links)
            base = base.replacing(table.changed(fields: changed))
            base = base.replacing(linked.changed(fields: linked.fields + [inverse]))
        }
        return base
    }

    /// The name itself, or with the first number from 2 on that makes it unlike every other.
    static func freeName(_ name: String, beside names: some Sequence<String>) -> String {
        let taken = Set(names.map { $0.lowercased() })
        var free = name
        var number = 2
        while taken.contains(free.lowercased()) {
            let suffix = " \(number)"
            var start = name
            while start.utf8.count + suffix.utf8.count > Engine.longestName, start.popLast() != nil {}
            free = start + suffix
            number += 1
        }
        return free
    }

    /// The base without a field, and without the field on its other side.
    func removing(_ field: FieldID, from id: TableID) -> BaseSchema {
        guard let table = table(id), let index = table.index(of: field) else { return self }
        let base = replacing(table.changed(fields: table.fields.filter { $0.id != field }))
        guard case .links(let links) = table.fields[index].options, let inverse = links.inverseLinkFieldID,
            let linked = base.table(links.linkedTableID), linked.index(of: inverse) != nil
        else { return base }
        return base.replacing(linked.changed(fields: linked.fields.filter { $0.id != inverse }))
    }

    /// The base without the fields of other tables that lead to this one.
    func removingLinks(to id: TableID) -> BaseSchema {
        var base = self
        for table in tables where table.id != id {
            let left = table.fields.filter { $0.linkedTableID != id }
            if left.count < table.fields.count { base = base.replacing(table.changed(fields: left)) }
        }
        return base
    }
}

extension Field {
    /// The table that a link field leads to.
    // Inlined, the optimizer of Swift 6.3.1 ends the options' lifetime too early and stops.
    @inline(never)
    var linkedTableID: TableID? {
        if case .links(let links) = options { links.linkedTableID } else { nil }
    }
}
