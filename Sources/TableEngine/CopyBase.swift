import RowhouseJSON
package import RowhouseModel
import RowhouseWire
import Storage

extension Engine: BaseCopying {
    package func createBase(copying copy: SchemaCopy, as caller: Caller) throws(APIError) -> BaseSchema {
        guard caller.holds(.schemaWrite), caller.bases == nil else { throw .invalidPermissions }
        guard Self.isName(copy.name) else { throw .invalidRequest }
        let written = try write(as: caller, idempotency: nil) { (base) throws(APIError) in
            SchemaEncoder.createdBase(base)
        } _: { (session) throws(APIError) in
            let base = try SchemaCopying(copy, session).base()
            try session.writer.createBase(base)
            try session.writer.append(
                Change(
                    kind: .createBase, base: base.id, table: nil, user: caller.user.id, token: caller.token,
                    schema: SchemaChange(before: nil, after: SchemaEncoder.createdBase(base))))
            return base
        }
        guard case .now(let base) = written else { throw .internalError }
        return base
    }
}

/// The making of one base like another.
private struct SchemaCopying {
    let copy: SchemaCopy
    let session: WriteSession
    /// New identifiers by old ones.
    private var tables: [String: TableID] = [:]
    private var fields: [String: FieldID] = [:]
    private var views: [String: ViewID] = [:]
    private var exchanged: [String: String] = [:]

    init(_ copy: SchemaCopy, _ session: WriteSession) throws(APIError) {
        self.copy = copy
        self.session = session
        var count = 0
        for table in copy.tables {
            tables[table.id] = Engine.randomID()
            for field in table.fieldIDs { fields[field] = Engine.randomID() }
            for view in table.views { views[view.id] = Engine.randomID() }
            count += 1 + table.fieldIDs.count + table.views.count
        }
        exchanged = tables.mapValues(\.description)
        exchanged.merge(fields.mapValues(\.description)) { first, _ in first }
        exchanged.merge(views.mapValues(\.description)) { first, _ in first }
        guard exchanged.count == count else { throw .invalidRequest("Two parts of the base have one identifier.") }
    }

    func base() throws(APIError) -> BaseSchema {
        let id: BaseID = Engine.randomID()
        var made: [TableSchema] = []
        for table in copy.tables { made.append(try self.table(table, in: id, beside: made)) }
        var base = BaseSchema(
            id: id, name: copy.name, workspace: WorkspaceID(text: IdentifierText(time: 0, counter: 0)),
            createdTime: session.writer.now, tables: made)
        try checkSides(of: base)
        for table in made { base = try base.addingInverses(of: table.fields.map(\.id), in: table.id) }
        return Settling.settled(base)
    }

    private func table(
        _ table: SchemaCopy.Table, in base: BaseID, beside others: [TableSchema]
    ) throws(APIError) -> TableSchema {
        let input = table.input
        try Engine.checkTableName(input.name, beside: others)
        guard others.count < Engine.mostTables, (1...Engine.mostFields).contains(input.fields.count),
            table.views.count <= Engine.mostViews, input.fields.count == table.fieldIDs.count
        else { throw .invalidRequest("A base holds up to 1,000 tables, a table 1 to 500 fields and 500 views.") }
        var made: [Field] = []
        for (field, old) in zip(input.fields, table.fieldIDs) {
            try session.checkFieldName(field.name, beside: made)
            made.append(try self.field(field, old, in: input.name))
        }
        guard let primary = fields[table.primaryFieldID], let first = made.first(where: { $0.id == primary }),
            first.type.canBePrimary, let id = tables[table.id]
        else { throw .invalidRequest("The table \(input.name.prefix(100)) has no primary field.") }
        var shown: [View] = []
        for view in table.views { shown.append(try self.view(view, of: made)) }
        if shown.isEmpty { shown = [View(id: Engine.randomID(), name: "Grid view", type: "grid")] }
        return TableSchema(
            id: id, base: base, name: input.name, description: input.description, primaryFieldID: primary,
            fields: made, views: shown, version: 1)
    }

    private func field(_ input: FieldInput, _ old: String, in table: String) throws(APIError) -> Field {
        guard let type = FieldType(rawValue: input.type) else { throw .invalidRequest("Unknown field type.") }
        guard let id = fields[old] else { throw .internalError }
        var options = input.options.flatMap { JSONValue.object($0).exchanging(exchanged).objectValue }
        if [.rollup, .multipleLookupValues, .count].contains(type) {
            // A reference that led nowhere leads nowhere again.
            for key in ["recordLinkFieldId", "fieldIdInLinkedTable"] where options?[key]?.stringValue == nil {
                let nowhere: FieldID = Engine.randomID()
                options?[key] = .string(nowhere.description)
            }
        }
        if type == .lastModifiedTime, options?["isValid"]?.boolValue == false {
            let nowhere: FieldID = Engine.randomID()
            options?["referencedFieldIds"] = .array([.string(nowhere.description)])
        }
        return Field(
            id: id, name: input.name, type: type,
            options: type == .multipleRecordLinks
                ? .links(try links(options ?? [:], table: table, field: input.name))
                : try session.decoder(table, input.name).decode(options, type: type),
            description: input.description)
    }

    private func links(_ options: JSONObject, table: String, field: String) throws(APIError) -> LinkOptions {
        guard let linked = options["linkedTableId"]?.stringValue.flatMap({ TableID($0) }),
            tables.values.contains(linked)
        else { throw .invalidFieldOptions(table: table, field: field, "there is no such table in this base") }
        return LinkOptions(
            linkedTableID: linked,
            inverseLinkFieldID: options["inverseLinkFieldId"]?.stringValue.flatMap { FieldID($0) },
            prefersSingleRecordLink: options["prefersSingleRecordLink"]?.boolValue ?? false,
            isReversed: options["isReversed"]?.boolValue ?? false,
            viewIDForRecordSelection: options["viewIdForRecordSelection"]?.stringValue.flatMap { ViewID($0) })
    }

    private func view(_ view: SchemaCopy.View, of made: [Field]) throws(APIError) -> View {
        guard Engine.isName(view.name), View.types.contains(view.type), let id = views[view.id],
            view.filter.map({ $0.utf8.count <= Engine.longestFilter }) ?? true
        else { throw .invalidRequest("The view \(view.name.prefix(100)) is not one.") }
        let known = Set(made.map(\.id))
        func field(_ old: String) throws(APIError) -> FieldID {
            guard let id = fields[old], known.contains(id) else {
                throw .invalidRequest("The view \(view.name.prefix(100)) names a field that its table has not.")
            }
            return id
        }
        var sort: [ViewSort] = []
        for key in view.sort { sort.append(ViewSort(field: try field(key.field), direction: key.direction)) }
        var result = View(
            id: id, name: view.name, type: view.type, filter: view.filter?.exchangingInBraces(exchanged), sort: sort)
        if let visible = view.visibleFieldIDs {
            var ids: [FieldID] = []
            for old in visible { ids.append(try field(old)) }
            result.show(ids, of: made)
        }
        return result
    }

    /// Both sides of a link must name each other.
    private func checkSides(of base: BaseSchema) throws(APIError) {
        for table in base.tables {
            for field in table.fields {
                guard case .links(let links) = field.options, let inverse = links.inverseLinkFieldID else { continue }
                guard let other = base.table(links.linkedTableID)?.field(inverse),
                    case .links(let back) = other.options, back.linkedTableID == table.id,
                    back.inverseLinkFieldID == field.id
                else {
                    throw .invalidFieldOptions(table: table.name, field: field.name, "its other side is not there")
                }
            }
        }
    }
}
