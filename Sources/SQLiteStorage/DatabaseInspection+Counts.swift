package import RowhouseModel

/// What a table's counter says, and how many records there are.
package struct RecordCount: Sendable, Equatable {
    package let table: TableID
    package let name: String
    package let kept: Int
    package let counted: Int
}

extension DatabaseInspection {
    /// The numbers of tables that are on their way out of the trash, of which some parts are gone already.
    private var going: String {
        guard schemaVersion >= 6 else { return "(SELECT 0)" }
        return """
            (SELECT table_number FROM trash WHERE state = \(TrashState.going) AND kind = 'table' AND table_number IS NOT NULL
            UNION SELECT t.number FROM tables AS t JOIN trash AS e ON e.id = t.base
            WHERE e.state = \(TrashState.going) AND e.kind = 'base')
            """
    }

    private var isWhole: String { (schemaVersion >= 6 ? "is_purged = 0 AND " : "") + "number NOT IN \(going)" }

    /// Counts the records of every table, those in the trash too.
    package func recordCounts() throws(APIError) -> [RecordCount] {
        let statement = try connection.prepare(
            "SELECT number, id, name, record_count FROM tables WHERE \(isWhole) ORDER BY number")
        var counts: [RecordCount] = []
        while try statement.step() {
            let counted = try connection.integer("SELECT count(*) FROM t_\(statement.int(0))")
            counts.append(
                RecordCount(
                    table: TableID(text: statement.identifier(1)), name: statement.text(2), kept: statement.int(3),
                    counted: Int(counted ?? 0)))
        }
        return counts
    }

    /// How many comment counts differ from the comments there are.
    package func wrongCommentCounts() throws(APIError) -> Int {
        guard schemaVersion >= 5 else { return 0 }
        let wrong = try connection.integer(
            """
            SELECT (
                SELECT count(*) FROM comment_counts AS k WHERE k.table_number NOT IN \(going) AND k.count <> (
                    SELECT count(*) FROM comments AS c WHERE c.table_number = k.table_number AND c.record = k.record)
            ) + (
                SELECT count(*) FROM (
                    SELECT DISTINCT table_number, record FROM comments WHERE table_number NOT IN \(going)
                ) AS c WHERE NOT EXISTS (
                    SELECT 1 FROM comment_counts AS k WHERE k.table_number = c.table_number AND k.record = c.record)
            )
            """)
        return Int(wrong ?? 0)
    }

    /// How many links have lost the record on one side.
    package func looseLinks() throws(APIError) -> Int {
        guard schemaVersion >= 2 else { return 0 }
        let statement = try connection.prepare(
            "SELECT number, a_table, b_table FROM links WHERE a_table NOT IN \(going) AND b_table NOT IN \(going)")
        var loose = 0
        while try statement.step() {
            let count = try connection.integer(
                """
                SELECT count(*) FROM l_\(statement.int(0))
                WHERE NOT EXISTS (SELECT 1 FROM t_\(statement.int(1)) AS t WHERE t.n = a)
                OR NOT EXISTS (SELECT 1 FROM t_\(statement.int(2)) AS t WHERE t.n = b)
                """)
            loose += Int(count ?? 0)
        }
        return loose
    }

    /// Rows of the schema that lead to nothing: what, and how many.
    package func brokenReferences() throws(APIError) -> [(what: String, count: Int)] {
        var questions = [
            ("bases of tables", "tables WHERE \(isWhole) AND base NOT IN (SELECT id FROM bases)"),
            ("tables of fields", "fields WHERE table_number NOT IN (SELECT number FROM tables)"),
            ("tables of views", "views WHERE table_number NOT IN (SELECT number FROM tables)"),
            (
                "records of tables",
                "tables WHERE \(isWhole) AND 't_' || number NOT IN (SELECT name FROM sqlite_schema)"
            ),
            (
                "primary fields",
                """
                tables AS t WHERE \(isWhole) AND deleted IS NULL AND NOT EXISTS (
                    SELECT 1 FROM fields AS f
                    WHERE f.table_number = t.number AND f.id = t.primary_field AND f.deleted IS NULL)
                """
            ),
        ]
        if schemaVersion >= 2 {
            questions += [
                ("links of fields", "fields WHERE link IS NOT NULL AND link NOT IN (SELECT number FROM links)"),
                ("tables of links", "links WHERE 'l_' || number NOT IN (SELECT name FROM sqlite_schema)"),
            ]
        }
        if schemaVersion >= 5 {
            questions.append(
                ("tables of comments", "comments WHERE table_number NOT IN (SELECT number FROM tables)"))
        }
        var broken: [(what: String, count: Int)] = []
        for (what, source) in questions {
            let count = Int(try connection.integer("SELECT count(*) FROM \(source)") ?? 0)
            if count > 0 { broken.append((what, count)) }
        }
        return broken
    }

    /// How many entries the change log has, and how many bytes they tell.
    package func changeLog() throws(APIError) -> (entries: Int, bytes: Int) {
        try pair("SELECT count(*), coalesce(sum(length(payload)), 0) FROM changes")
    }

    /// How many entries of the trash can be restored, and how many records are kept in it.
    package func trash() throws(APIError) -> (entries: Int, records: Int) {
        guard schemaVersion >= 6 else { return (0, 0) }
        return try pair(
            "SELECT count(*), coalesce(sum(kind = 'record'), 0) FROM trash WHERE state = \(TrashState.kept)")
    }

    func pair(_ sql: String) throws(APIError) -> (Int, Int) {
        let statement = try connection.prepare(sql)
        return try statement.step() ? (statement.int(0), statement.int(1)) : (0, 0)
    }
}
