import RowhouseModel
import Storage

extension WriteTransaction {
    // MARK: schema

    /// Where the links of a field just made are: with those of its inverse field, or in a new table; nil for another
    /// type. `known` are the links of the same table's fields so far.
    func makeLinks(
        of field: Field, number: Int, in table: TableSchema, known: [FieldID: LinkSide]
    ) throws(APIError) -> LinkSide? {
        guard field.type.kept == .links else { return nil }
        guard case .links(let options) = field.options, let own = state.catalog.tables[table.id],
            let linked = state.catalog.tables[options.linkedTableID]
        else { throw .internalError }
        var side: LinkSide
        if let inverse = options.inverseLinkFieldID, let pair = linked === own ? known[inverse] : linked.links[inverse]
        {
            side = LinkSide(number: pair.number, column: pair.column.opposite, linkedTable: linked.number)
        } else {
            side = LinkSide(number: try makeLinkTable(from: own, to: linked), column: .a, linkedTable: linked.number)
        }
        let statement = try connection.prepare("UPDATE fields SET link = ?2, link_side = ?3 WHERE number = ?1")
        statement.bind(1, number)
        statement.bind(2, side.number)
        statement.bind(3, side.column.rawValue)
        try statement.run()
        return side
    }

    private func makeLinkTable(from own: PhysicalTable, to linked: PhysicalTable) throws(APIError) -> Int {
        let statement = try connection.prepare("INSERT INTO links (a_table, b_table) VALUES (?1, ?2)")
        statement.bind(1, own.number)
        statement.bind(2, linked.number)
        try statement.run()
        let number = connection.lastRow
        try connection.execute(LinkSide.creation(number))
        add(LinkEnd(number: number, column: .a), toTable: own.number)
        add(LinkEnd(number: number, column: .b), toTable: linked.number)
        return number
    }

    private func add(_ end: LinkEnd, toTable number: Int) {
        guard let (id, table) = state.catalog.tables.first(where: { $0.value.number == number }) else { return }
        state.catalog.tables[id] = PhysicalTable(
            number: number, columns: table.columns, links: table.links, ends: table.ends + [end],
            views: table.views, counters: table.counters)
    }

    // MARK: records

    /// One link of a cell as it is kept.
    private struct Link {
        let record: RecordID
        let number: Int64
        let position: Int64
        let otherPosition: Int64
    }

    /// Makes the record link to what the cell names and nothing else, in its order.
    ///
    /// What stays in order is not touched; what is new comes last on the other side; what only moves keeps its place
    /// there.
    func setLinks(of record: Int64, to cell: StoredCell, field: Int, in table: TableSchema) throws(APIError) {
        let side = try side(of: field, in: table)
        touch(linkedTable: side.linkedTable)
        var names: Set<RecordID> = []
        guard let wanted = cell.linkedRecords?.filter({ names.insert($0).inserted }) else { throw .internalError }
        if wanted.isEmpty { return try clear(record, side.number, side.column, table) }
        let old = try links(of: record, side, table)
        let kept = try removeOthers(old, wanted, names, of: record, side, table)
        try append(wanted[kept...], to: record, side, old, table)
    }

    /// Removes what is not wanted and what has to move; how many of the wanted stand already where they belong.
    private func removeOthers(
        _ old: [Link], _ wanted: [RecordID], _ names: Set<RecordID>, of record: Int64, _ side: LinkSide,
        _ table: TableSchema
    ) throws(APIError) -> Int {
        if old.isEmpty { return 0 }
        let remove = try linkStatement(.removeOne, side, table)
        var kept = 0
        var isMoving = false
        for link in old {
            if names.contains(link.record), !isMoving {
                if wanted[kept] == link.record {
                    kept += 1
                    continue
                }
                isMoving = true
            }
            remove.bind(1, record)
            remove.bind(2, link.position)
            try remove.run()
        }
        return kept
    }

    private func append(
        _ wanted: ArraySlice<RecordID>, to record: Int64, _ side: LinkSide, _ old: [Link], _ table: TableSchema
    ) throws(APIError) {
        if wanted.isEmpty { return }
        let move = try linkStatement(.insert, side, table)
        let isBesideTrash = linksInTrash.contains(side.number)
        let add = try linkStatement(isBesideTrash ? .appendBesideTrash : .append, side, table)
        let linked = try linkedTable(side, table)
        let known = Dictionary(old.map { ($0.record, $0) }) { first, _ in first }
        var position = old.last?.position ?? 0
        if isBesideTrash { position = max(position, try lastKept(of: record, side, table)) }
        for id in wanted {
            position &+= 1
            if let link = known[id] {
                move.bind(1, record)
                move.bind(2, position)
                move.bind(3, link.number)
                move.bind(4, link.otherPosition)
                try move.run()
            } else {
                guard let number = try number(of: id, in: linked) else { throw .recordDoesNotExist(id.description) }
                add.bind(1, record)
                add.bind(2, position)
                add.bind(3, number)
                try add.run()
            }
        }
    }

    /// The last place of the cell that a link to a record in the trash has.
    private func lastKept(of record: Int64, _ side: LinkSide, _ table: TableSchema) throws(APIError) -> Int64 {
        let statement = try linkStatement(.lastKept, side, table)
        defer { statement.reset() }
        statement.bind(1, record)
        return try statement.step() ? statement.integer(0) : 0
    }

    private func links(of record: Int64, _ side: LinkSide, _ table: TableSchema) throws(APIError) -> [Link] {
        let statement = try linkStatement(.read, side, table)
        defer { statement.reset() }
        statement.bind(1, record)
        var links: [Link] = []
        while try statement.step() {
            links.append(
                Link(
                    record: RecordID(text: statement.identifier(0)), number: statement.integer(1),
                    position: statement.integer(2),
                    otherPosition: statement.integer(3)))
        }
        return links
    }

    /// The linked table as the schema has it now.
    private func linkedTable(_ side: LinkSide, _ table: TableSchema) throws(APIError) -> TableSchema {
        let tables = state.schema.base(table.base)?.tables ?? []
        guard let linked = tables.first(where: { state.catalog.tables[$0.id]?.number == side.linkedTable }) else {
            throw .internalError
        }
        return linked
    }

    func clear(
        _ record: Int64, _ number: Int, _ column: LinkColumn, _ table: TableSchema
    ) throws(APIError) {
        let side = LinkSide(number: number, column: column, linkedTable: 0)
        let statement = try linkStatement(.removeAll, side, table)
        statement.bind(1, record)
        try statement.run()
    }

    func linkStatement(_ use: LinkUse, _ side: LinkSide, _ table: TableSchema) throws(APIError) -> Statement {
        let shape = StatementShape.link(use, side)
        let cached = try connection.statements.statement(shape, of: table, fields: []) { () throws(APIError) in
            CachedStatement(table: table, fields: [], statement: try connection.prepare(use.sql(side)))
        }
        guard let cached else { throw .internalError }
        return cached.statement
    }
}

/// What the writer does with the links of one record (parameter 1).
enum LinkUse: Hashable {
    case read
    case removeOne, removeAll
    /// Copies all to the trash.
    case keepAll
    /// The last place that is taken by a link in the trash.
    case lastKept
    /// Puts a link at a position of its own side, and at a position of the other or at its end.
    case insert, append
    /// At the end of the other side where links in the trash keep their places.
    case appendBesideTrash

    func sql(_ side: LinkSide) -> String {
        let (table, own, other) = (side.table, side.own, side.other)
        let columns = "\(own), \(side.ownPosition), \(other), \(side.otherPosition)"
        return switch self {
        case .read:
            """
            SELECT t.id, l.\(other), l.\(side.ownPosition), l.\(side.otherPosition)
            FROM \(table) AS l CROSS JOIN t_\(side.linkedTable) AS t ON t.n = l.\(other)
            WHERE l.\(own) = ?1 ORDER BY l.\(side.ownPosition)
            """
        case .removeOne: "DELETE FROM \(table) WHERE \(own) = ?1 AND \(side.ownPosition) = ?2"
        case .removeAll: "DELETE FROM \(table) WHERE \(own) = ?1"
        case .keepAll:
            """
            INSERT INTO trash_links (link, a, pa, b, pb)
            SELECT \(side.number), a, pa, b, pb FROM \(table) WHERE \(own) = ?1
            """
        case .lastKept:
            "SELECT coalesce(max(\(side.ownPosition)), 0) FROM trash_links WHERE link = \(side.number) AND \(own) = ?1"
        case .insert: "INSERT INTO \(table) (\(columns)) VALUES (?1, ?2, ?3, ?4)"
        case .append:
            """
            INSERT INTO \(table) (\(columns)) VALUES (?1, ?2, ?3, 1 + coalesce((
                SELECT \(side.otherPosition) FROM \(table) WHERE \(other) = ?3
                ORDER BY \(side.otherPosition) DESC LIMIT 1), 0))
            """
        case .appendBesideTrash:
            """
            INSERT INTO \(table) (\(columns)) VALUES (?1, ?2, ?3, 1 + max(
                coalesce((
                    SELECT \(side.otherPosition) FROM \(table) WHERE \(other) = ?3
                    ORDER BY \(side.otherPosition) DESC LIMIT 1), 0),
                coalesce((
                    SELECT \(side.otherPosition) FROM trash_links WHERE link = \(side.number) AND \(other) = ?3
                    ORDER BY \(side.otherPosition) DESC LIMIT 1), 0)))
            """
        }
    }
}
