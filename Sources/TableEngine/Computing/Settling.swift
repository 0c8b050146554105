import FormulaLanguage
import RowhouseModel

/// Derives anew what computed fields say of themselves from the schema around them: whether they are valid, what they
/// refer to, what they yield.
///
/// It looks at a whole base, since lookups and rollups lead from table to table. Fields are settled after those they
/// depend on; what depends on itself, over however many tables, is not valid.
struct Settling {
    /// A computed field by its place.
    private struct Node: Hashable {
        let table: Int
        let field: Int
    }

    private let base: BaseSchema
    private var fields: [[Field]]
    private let nodes: [Node]
    private var dependencies: [Node: Set<Node>] = [:]
    private let tablePlaces: [TableID: Int]

    /// The base with every computed field settled; a table in which nothing changes is the same object.
    static func settled(_ base: BaseSchema) -> BaseSchema {
        guard base.tables.contains(where: { $0.fields.contains { $0.options.isSettled } }) else { return base }
        var settling = Settling(base)
        settling.settle()
        var settled = base
        for (table, fields) in zip(base.tables, settling.fields) where fields != table.fields {
            settled = settled.replacing(table.changed(fields: fields))
        }
        return settled
    }

    /// Whether a change of a base may tell anything new to its computed fields: names, texts for people and views do
    /// not, and choices do only where they are looked up.
    static func isNeeded(_ before: BaseSchema, _ after: BaseSchema) -> Bool {
        let all = after.tables.lazy.flatMap(\.fields)
        guard all.contains(where: { $0.options.isSettled }) else { return false }
        let showsChoices = all.contains { if case .lookup = $0.options { true } else { false } }
        guard before.tables.count == after.tables.count else { return true }
        return zip(before.tables, after.tables).contains { before, after in
            guard before !== after else { return false }
            guard before.id == after.id, before.primaryFieldID == after.primaryFieldID,
                before.fields.count == after.fields.count
            else { return true }
            return zip(before.fields, after.fields).contains { !$0.isAlike($1, showsChoices: showsChoices) }
        }
    }

    private init(_ base: BaseSchema) {
        self.base = base
        fields = base.tables.map(\.fields)
        tablePlaces = Dictionary(base.tables.enumerated().map { ($1.id, $0) }) { first, _ in first }
        nodes = base.tables.enumerated().flatMap { place, table in
            table.fields.indices.filter { table.fields[$0].options.isComputed }.map { Node(table: place, field: $0) }
        }
    }

    private mutating func settle() {
        for (place, table) in base.tables.enumerated() {
            for field in table.fields.indices {
                fields[place][field].options.noteWatched { table.index(of: $0) != nil }
            }
        }
        for node in nodes {
            var options = fields[node.table][node.field].options
            options.noteReferences { lives($0, of: node) }
            fields[node.table][node.field].options = options
        }
        let scopes = base.tables.indices.map { scope(of: $0) }
        for node in nodes { dependencies[node] = dependencies(of: node, scopes[node.table]) }
        let circular = circularNodes()
        for node in circular { fields[node.table][node.field].options.invalidate() }
        var waiting = nodes.filter { !circular.contains($0) }
        var settled = circular
        while !waiting.isEmpty {
            let ready = waiting.filter { dependencies[$0, default: []].isSubset(of: settled) }
            if ready.isEmpty { return }
            let scopes = Dictionary(Set(ready.map(\.table)).map { ($0, scope(of: $0)) }) { first, _ in first }
            let options = ready.map { node in
                scopes[node.table].map { settledOptions(of: node, $0) } ?? fields[node.table][node.field].options
            }
            for (node, options) in zip(ready, options) { fields[node.table][node.field].options = options }
            settled.formUnion(ready)
            waiting.removeAll { settled.contains($0) }
        }
    }

    private func scope(of table: Int) -> FormulaScope { .ofIDs(FormulaScope(fields[table]).names) }

    // MARK: what refers to what

    private func position(_ field: FieldID?, in table: Int) -> Int? {
        field.flatMap { base.tables[table].index(of: $0) }
    }

    /// The place of the table that a link field leads to.
    private func target(ofLink field: FieldID?, in table: Int) -> Int? {
        guard let position = position(field, in: table), case .links(let links) = fields[table][position].options else {
            return nil
        }
        return tablePlaces[links.linkedTableID]
    }

    /// Whether a reference of a field still leads somewhere.
    private func lives(_ reference: ComputedReference, of node: Node) -> Bool {
        switch reference {
        case .link(let link): target(ofLink: link, in: node.table) != nil
        case .linkedField(let field, let link):
            target(ofLink: link, in: node.table).map { position(field, in: $0) != nil } ?? false
        }
    }

    private func dependencies(of node: Node, _ scope: FormulaScope) -> Set<Node> {
        switch fields[node.table][node.field].options {
        case .formula(let formula): references(of: formula.formula, node.table, scope)
        case .button(let button): button.urlFormula.map { references(of: $0, node.table, scope) } ?? []
        case .rollup(let rollup): references(rollup.fieldIDInLinkedTable, through: rollup.recordLinkFieldID, node.table)
        case .lookup(let lookup): references(lookup.fieldIDInLinkedTable, through: lookup.recordLinkFieldID, node.table)
        default: []
        }
    }

    private func references(of formula: String, _ table: Int, _ scope: FormulaScope) -> Set<Node> {
        guard let checked = try? CheckedFormula(formula, scope) else { return [] }
        return Set(checked.fields.compactMap { position($0, in: table) }.flatMap { nodes(behind: $0, in: table) })
    }

    private func references(_ field: FieldID?, through link: FieldID?, _ table: Int) -> Set<Node> {
        guard let target = target(ofLink: link, in: table), let position = position(field, in: target) else {
            return []
        }
        return Set(nodes(behind: position, in: target))
    }

    /// The computed fields that the value of a field comes from: itself, or for links the name of the linked records.
    private func nodes(behind field: Int, in table: Int) -> [Node] {
        let found = fields[table][field]
        if found.options.isComputed { return [Node(table: table, field: field)] }
        guard case .links(let links) = found.options, let target = tablePlaces[links.linkedTableID],
            let primary = position(base.tables[target].primaryFieldID, in: target),
            fields[target][primary].options.isComputed
        else { return [] }
        return [Node(table: target, field: primary)]
    }

    /// The fields that depend on themselves: what is left after taking away, again and again, those that depend on
    /// nothing left and those that nothing left depends on.
    private func circularNodes() -> Set<Node> {
        var left = dependencies
        func shrink(_ edges: [Node: Set<Node>]) {
            var edges = edges
            var ends = edges.filter { $0.value.isEmpty }.map(\.key)
            var users: [Node: [Node]] = [:]
            for (node, targets) in edges { for target in targets { users[target, default: []].append(node) } }
            while let end = ends.popLast() {
                edges[end] = nil
                left[end] = nil
                for user in users[end] ?? [] {
                    guard edges[user]?.remove(end) != nil, edges[user]?.isEmpty == true else { continue }
                    ends.append(user)
                }
            }
        }
        shrink(left)
        var reversed: [Node: Set<Node>] = left.mapValues { _ in [] }
        for (node, targets) in left { for target in targets { reversed[target]?.insert(node) } }
        shrink(reversed)
        return Set(left.keys)
    }

    // MARK: results

    private func settledOptions(of node: Node, _ scope: FormulaScope) -> FieldOptions {
        let options = fields[node.table][node.field].options
        switch options {
        case .formula(var formula):
            let checked = try? CheckedFormula(formula.formula, scope)
            formula.isValid = checked != nil
            formula.referencedFieldIDs = checked?.fields ?? []
            let formats = (checked?.formattedLike ?? []).compactMap { id in
                position(id, in: node.table).map { ComputedResult(showing: fields[node.table][$0]) }
            }
            formula.result = checked.map { ComputedResult(of: $0.type, like: formats, format: formula.format) }
            return .formula(formula)
        case .button(var button):
            let checked = button.urlFormula.flatMap { try? CheckedFormula($0, scope) }
            button.isValid = button.urlFormula == nil || checked != nil
            button.referencedFieldIDs = checked?.fields ?? []
            return .button(button)
        case .rollup(var rollup):
            let target = linkedField(rollup.fieldIDInLinkedTable, through: rollup.recordLinkFieldID, node.table)
            let checked = target.flatMap { try? CheckedFormula(rollup.formula, FormulaScope(valuesOf: $0)) }
            rollup.isValid = checked != nil
            rollup.referencedFieldIDs = rollup.isValid ? [rollup.fieldIDInLinkedTable].compactMap(\.self) : []
            let formats = target.map { [ComputedResult(showing: $0)] } ?? []
            rollup.result = checked.map { checked in
                let like = checked.formattedLike.isEmpty ? [] : formats
                return ComputedResult(of: checked.type, like: like, format: rollup.format)
            }
            return .rollup(rollup)
        case .lookup(var lookup):
            let target = linkedField(lookup.fieldIDInLinkedTable, through: lookup.recordLinkFieldID, node.table)
            lookup.isValid = target != nil
            lookup.result = target.map { ComputedResult(showing: $0) }
            return .lookup(lookup)
        default: return options
        }
    }

    private func linkedField(_ field: FieldID?, through link: FieldID?, _ table: Int) -> Field? {
        guard let target = target(ofLink: link, in: table) else { return nil }
        return position(field, in: target).map { fields[target][$0] }
    }
}

extension Field {
    fileprivate func isAlike(_ other: Field, showsChoices: Bool) -> Bool {
        guard id == other.id, type == other.type else { return false }
        if case .choices = options, case .choices = other.options, !showsChoices { return true }
        return options == other.options
    }
}

/// What a field that follows links names by id.
enum ComputedReference {
    case link(FieldID)
    /// A field of the table that the link leads to.
    case linkedField(FieldID, link: FieldID?)
}

extension FieldOptions {
    /// Whether cells of a field with these options are computed from other cells.
    package var isComputed: Bool {
        switch self {
        case .formula, .rollup, .lookup, .count, .button: true
        default: false
        }
    }

    /// Whether anything that these options say of a field follows from the schema around it.
    fileprivate var isSettled: Bool {
        if case .lastModifiedTime(let watched, _, _) = self { return !watched.isEmpty }
        return isComputed
    }

    /// Tells the watched fields that are there from those that are gone, which may come back from the trash.
    fileprivate mutating func noteWatched(_ lives: (FieldID) -> Bool) {
        guard case .lastModifiedTime(let watched, _, let result) = self, !watched.isEmpty else { return }
        self = .lastModifiedTime(
            referencedFieldIDs: watched, gone: Set(watched.filter { !lives($0) }), result: result)
    }

    /// Names the links and linked fields that are there, and remembers those that are gone: they may come back from the
    /// trash. Formulas keep the ids in their text.
    fileprivate mutating func noteReferences(_ lives: (ComputedReference) -> Bool) {
        func note(_ link: inout FieldID?, _ linkedField: inout FieldID?, _ missing: inout MissingReferences) {
            let named = (link: link ?? missing.link, field: linkedField ?? missing.linkedField)
            link = named.link.flatMap { lives(.link($0)) ? $0 : nil }
            linkedField = named.field.flatMap { lives(.linkedField($0, link: link)) ? $0 : nil }
            missing = MissingReferences(
                link: link == nil ? named.link : nil, linkedField: linkedField == nil ? named.field : nil)
        }
        switch self {
        case .rollup(var rollup):
            note(&rollup.recordLinkFieldID, &rollup.fieldIDInLinkedTable, &rollup.missing)
            self = .rollup(rollup)
        case .lookup(var lookup):
            note(&lookup.recordLinkFieldID, &lookup.fieldIDInLinkedTable, &lookup.missing)
            self = .lookup(lookup)
        case .count(var link, let missing):
            var (none, references): (FieldID?, _) = (nil, MissingReferences(link: missing))
            note(&link, &none, &references)
            self = .count(recordLinkFieldID: link, missing: references.link)
        default: return
        }
    }

    /// Makes the options those of a field that cannot be computed.
    fileprivate mutating func invalidate() {
        switch self {
        case .formula(var formula):
            (formula.isValid, formula.referencedFieldIDs, formula.result) = (false, [], nil)
            self = .formula(formula)
        case .rollup(var rollup):
            (rollup.isValid, rollup.referencedFieldIDs, rollup.result) = (false, [], nil)
            self = .rollup(rollup)
        case .lookup(var lookup):
            (lookup.isValid, lookup.result) = (false, nil)
            self = .lookup(lookup)
        case .button(var button):
            (button.isValid, button.referencedFieldIDs) = (false, [])
            self = .button(button)
        default: return
        }
    }
}
