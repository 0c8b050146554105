import RowhouseModel

/// What was in the trash for too long goes for good, the oldest entry first, by one small write after another. An entry
/// that takes several writes is marked before the first and goes itself with the last: whatever cuts this off, the
/// rest follows.
extension WriteTransaction {
    /// The oldest entry whose time is over.
    private struct OldEntry {
        let number: Int64
        let kind: String
        let id: IdentifierText
        let table: Int
        let state: Int
        let progress: Int64
    }

    /// One step; whether there may be more to do.
    func purge(before time: Int64, portion: Int) throws(APIError) -> Bool {
        guard let entry = try oldestEntry(before: time) else { return false }
        if entry.kind == "record" || entry.state == TrashState.restored {
            try purgeSmall(before: time, portion)
            return true
        }
        if entry.state == TrashState.kept {
            try connection.execute("UPDATE trash SET state = \(TrashState.going) WHERE number = \(entry.number)")
            return true
        }
        switch entry.kind {
        case "field": try purgeField(entry, portion)
        case "table": if try purgeTable(entry.table, portion) { try forget(entry) }
        default: try purgeBase(entry, portion)
        }
        return true
    }

    private func oldestEntry(before time: Int64) throws(APIError) -> OldEntry? {
        let statement = try connection.prepare(
            "SELECT number, kind, id, table_number, state, progress, deleted FROM trash ORDER BY number LIMIT 1")
        guard try statement.step() else { return nil }
        guard statement.integer(6) < time || statement.int(4) == TrashState.going else { return nil }
        return OldEntry(
            number: statement.integer(0), kind: statement.text(1), id: statement.identifier(2),
            table: statement.int(3), state: statement.int(4), progress: statement.integer(5))
    }

    private func forget(_ entry: OldEntry) throws(APIError) {
        try connection.execute("DELETE FROM trash WHERE number = \(entry.number)")
    }

    /// Runs a statement; whether it changed anything.
    private func changes(_ sql: String) throws(APIError) -> Bool {
        try connection.execute(sql)
        return connection.changes > 0
    }

    // MARK: records

    /// Entries of records, and of what was restored, up to the next entry that takes more.
    private func purgeSmall(before time: Int64, _ portion: Int) throws(APIError) {
        let find = try connection.prepare(
            "SELECT number, kind, state, table_number, record, deleted FROM trash ORDER BY number LIMIT ?1")
        find.bind(1, portion)
        var numbers: [Int64] = []
        var records: [Int: [Int64]] = [:]
        while try find.step(), find.integer(5) < time {
            let isRestored = find.int(2) == TrashState.restored
            guard isRestored || find.text(1) == "record" else { break }
            numbers.append(find.integer(0))
            if !isRestored { records[find.int(3), default: []].append(find.integer(4)) }
        }
        find.reset()
        guard let last = numbers.last else { return }
        for (table, records) in records { try purge(records, ofTable: table) }
        try connection.execute("DELETE FROM trash WHERE number <= \(last)")
    }

    private func purge(_ records: [Int64], ofTable table: Int) throws(APIError) {
        let list = records.map(String.init).joined(separator: ",")
        // A record of the same id that was made elsewhere keeps its comments.
        let gone = "SELECT d.id FROM d_\(table) AS d WHERE d.n IN (\(list))"
        for name in ["comments", "comment_counts"] {
            try connection.execute(
                """
                DELETE FROM \(name) WHERE table_number = \(table) AND record IN (\(gone))
                AND NOT EXISTS (SELECT 1 FROM t_\(table) AS t WHERE t.id = record)
                """)
        }
        try connection.execute("DELETE FROM d_\(table) WHERE n IN (\(list))")
        for (column, other) in [("a", "a_table"), ("b", "b_table")] {
            try connection.execute(
                """
                DELETE FROM trash_links WHERE \(column) IN (\(list))
                AND link IN (SELECT number FROM links WHERE \(other) = \(table))
                """)
        }
        try connection.execute(
            """
            DELETE FROM trash_places WHERE record IN (\(list))
            AND view IN (SELECT number FROM views WHERE table_number = \(table))
            """)
    }

    // MARK: fields

    private func purgeField(_ entry: OldEntry, _ portion: Int) throws(APIError) {
        let columns = try numbers(
            """
            SELECT number FROM fields WHERE table_number = \(entry.table) AND kept IN ('TEXT', 'REAL', 'INTEGER')
            AND is_retired IN (\(ColumnState.live), \(ColumnState.retired))
            AND id IN (SELECT id FROM fields WHERE trash = \(entry.number) AND table_number = \(entry.table))
            """)
        if !columns.isEmpty, try empty(columns, entry, portion) { return }
        let links = try numbers("SELECT DISTINCT link FROM fields WHERE trash = \(entry.number) AND link IS NOT NULL")
        for link in links where try purgeLinks(link, portion) { return }
        let list = columns.map(String.init).joined(separator: ",")
        for column in columns { try dropFindIndexes(ofTable: entry.table, on: column) }
        try connection.execute(
            """
            DELETE FROM gone_choices WHERE field IN (\(list));
            UPDATE fields SET is_retired = \(ColumnState.free), trash = NULL WHERE number IN (\(list));
            """)
        try connection.execute("DELETE FROM fields WHERE trash = \(entry.number)")
        for link in links { try connection.execute("DELETE FROM fields WHERE link = \(link)") }
        try forget(entry)
        try forgetLinks(links)
    }

    /// Empties the cells of some columns for some records; whether there was something to do. First come the records
    /// (`progress` is the last number), then the deleted ones (its negative, from -1 on).
    private func empty(_ columns: [Int], _ entry: OldEntry, _ portion: Int) throws(APIError) -> Bool {
        let isDeleted = entry.progress < 0
        let name = "\(isDeleted ? "d" : "t")_\(entry.table)"
        let start = isDeleted ? -(entry.progress + 1) : entry.progress
        let last = try connection.integer(
            "SELECT max(n) FROM (SELECT n FROM \(name) WHERE n > \(start) ORDER BY n LIMIT \(portion))")
        guard let last, last > start else {
            if isDeleted { return false }
            try note(progress: -1, of: entry)
            return true
        }
        let emptied = columns.map { "f_\($0) = NULL" }.joined(separator: ", ")
        let filled = columns.map { "f_\($0) IS NOT NULL" }.joined(separator: " OR ")
        try connection.execute(
            "UPDATE \(name) SET \(emptied) WHERE n > \(start) AND n <= \(last) AND (\(filled))")
        try note(progress: isDeleted ? -1 - last : last, of: entry)
        return true
    }

    private func note(progress: Int64, of entry: OldEntry) throws(APIError) {
        try connection.execute("UPDATE trash SET progress = \(progress) WHERE number = \(entry.number)")
    }

    private func dropFindIndexes(ofTable table: Int, on column: Int) throws(APIError) {
        guard let physical = state.catalog.tables.values.first(where: { $0.number == table }) else { return }
        try dropFindIndexes(physical, on: column)
    }

    // MARK: links

    /// Removes some links of a table of links; whether there were any.
    private func purgeLinks(_ link: Int, _ portion: Int) throws(APIError) -> Bool {
        if try changes(
            "DELETE FROM l_\(link) WHERE (a, pa) IN (SELECT a, pa FROM l_\(link) LIMIT \(portion))")
        {
            return true
        }
        return try changes(
            """
            DELETE FROM trash_links WHERE (link, a, pa, b) IN (
                SELECT link, a, pa, b FROM trash_links WHERE link = \(link) LIMIT \(portion))
            """)
    }

    /// Drops empty tables of links, and what memory knows of them.
    private func forgetLinks(_ links: [Int]) throws(APIError) {
        if links.isEmpty { return }
        for link in links {
            try connection.execute("DROP TABLE l_\(link); DELETE FROM links WHERE number = \(link);")
        }
        let gone = Set(links)
        for (id, table) in state.catalog.tables {
            state.catalog.tables[id] = PhysicalTable(
                number: table.number, columns: table.columns,
                links: table.links.filter { !gone.contains($0.value.number) },
                ends: table.ends.filter { !gone.contains($0.number) }, views: table.views, counters: table.counters)
        }
        // Lets readers know.
        try setSchema(Schema(version: state.schema.version + 1, bases: state.schema.allBases))
    }

    // MARK: tables

    /// Whether the table is gone; its number is never given again.
    private func purgeTable(_ table: Int, _ portion: Int) throws(APIError) -> Bool {
        for name in ["t_\(table)", "d_\(table)"]
        where try changes(
            "DELETE FROM \(name) WHERE n IN (SELECT n FROM \(name) ORDER BY n LIMIT \(portion))")
        {
            return false
        }
        let links = try numbers("SELECT number FROM links WHERE \(table) IN (a_table, b_table)")
        for link in links where try purgeLinks(link, portion) { return false }
        let comments = "SELECT number FROM comments WHERE table_number = \(table) LIMIT \(portion)"
        if try changes("DELETE FROM comments WHERE number IN (\(comments))") { return false }
        let counts = "SELECT record FROM comment_counts WHERE table_number = \(table) LIMIT \(portion)"
        if try changes("DELETE FROM comment_counts WHERE table_number = \(table) AND record IN (\(counts))") {
            return false
        }
        for name in ["places", "trash_places"] {
            let views = "SELECT number FROM views WHERE table_number = \(table)"
            if try changes(
                """
                DELETE FROM \(name) WHERE (view, record) IN (
                    SELECT view, record FROM \(name) WHERE view IN (\(views)) LIMIT \(portion))
                """)
            {
                return false
            }
        }
        if try purgeEntries("table_number = \(table) AND kind IN ('record', 'field')", ofTable: table, portion) {
            return false
        }
        // Of fields of other tables that led to this one.
        let list = links.map(String.init).joined(separator: ",")
        try connection.execute(
            """
            DELETE FROM trash WHERE kind = 'field'
            AND number IN (SELECT trash FROM fields WHERE link IN (\(list)) AND trash IS NOT NULL);
            DELETE FROM gone_choices WHERE field IN (SELECT number FROM fields WHERE table_number = \(table));
            DELETE FROM fields WHERE table_number = \(table) OR link IN (\(list));
            DELETE FROM views WHERE table_number = \(table);
            DELETE FROM find_indexes WHERE table_number = \(table);
            DROP TABLE t_\(table); DROP TABLE d_\(table);
            UPDATE tables SET is_purged = 1, name = '', description = NULL, deleted = coalesce(deleted, \(time))
                WHERE number = \(table);
            """)
        state.catalog.tables = state.catalog.tables.filter { $0.value.number != table }
        try forgetLinks(links)
        return true
    }

    /// Removes entries of what a table holds; whether there were any.
    private func purgeEntries(_ condition: String, ofTable table: Int, _ portion: Int) throws(APIError) -> Bool {
        try changes(
            """
            DELETE FROM trash WHERE number IN (
                SELECT number FROM trash WHERE base = (SELECT base FROM tables WHERE number = \(table))
                AND state = 0 AND kind <> 'base' AND \(condition) LIMIT \(portion))
            """)
    }

    // MARK: bases

    private func purgeBase(_ entry: OldEntry, _ portion: Int) throws(APIError) {
        if try purgeBase(entry.id, portion) { try forget(entry) }
    }

    /// One step of removing what is left of a base that was never finished; whether there may be more to do.
    func purgeAbandonedBase(portion: Int) throws(APIError) -> Bool {
        let find = try connection.prepare(
            "SELECT id FROM bases WHERE is_made = 0 AND deleted IS NOT NULL ORDER BY number LIMIT 1")
        guard try find.step() else { return false }
        let base = find.identifier(0)
        find.reset()
        _ = try purgeBase(base, portion)
        return true
    }

    /// One step; whether the base is gone.
    private func purgeBase(_ id: IdentifierText, _ portion: Int) throws(APIError) -> Bool {
        let find = try connection.prepare("SELECT number FROM tables WHERE base = ?1 AND is_purged = 0 LIMIT 1")
        find.bind(1, id)
        let table = try find.step() ? find.int(0) : nil
        find.reset()
        if let table {
            _ = try purgeTable(table, portion)
            return false
        }
        let entries = try connection.prepare(
            """
            DELETE FROM trash WHERE number IN (
                SELECT number FROM trash WHERE base = ?1 AND state = 0 AND kind <> 'base' LIMIT ?2)
            """)
        entries.bind(1, id)
        entries.bind(2, portion)
        try entries.run()
        if connection.changes > 0 { return false }
        let base = try connection.prepare("DELETE FROM bases WHERE id = ?1 AND deleted IS NOT NULL")
        base.bind(1, id)
        try base.run()
        return true
    }

    private func numbers(_ sql: String) throws(APIError) -> [Int] {
        let statement = try connection.prepare(sql)
        var numbers: [Int] = []
        while try statement.step() { numbers.append(statement.int(0)) }
        return numbers
    }
}
