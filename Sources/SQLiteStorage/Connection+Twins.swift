import RowhouseModel

extension Connection {
    /// Makes `d_<number>`, which takes the deleted records of `t_<number>` and has the same columns in the same order.
    func makeTwin(ofTable number: Int) throws(APIError) {
        let statement = try prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 't_\(number)'")
        guard try statement.step() else { throw .internalError }
        let sql = statement.text(0)
        statement.reset()
        guard let start = sql.firstIndex(of: "(") else { throw .internalError }
        // A record made elsewhere may come with an id that one in the trash has.
        let columns = sql[start...].replacingFirst("id TEXT NOT NULL UNIQUE", with: "id TEXT NOT NULL")
        try execute("CREATE TABLE d_\(number) \(columns)")
    }

    /// Makes those of tables that an earlier version made.
    func makeMissingTwins() throws(APIError) {
        let statement = try prepare(
            """
            SELECT number FROM tables WHERE is_purged = 0
            AND NOT EXISTS (SELECT 1 FROM sqlite_schema AS s WHERE s.name = 'd_' || number)
            """)
        var numbers: [Int] = []
        while try statement.step() { numbers.append(statement.int(0)) }
        statement.reset()
        if numbers.isEmpty { return }
        try execute("BEGIN IMMEDIATE")
        do throws(APIError) {
            for number in numbers { try makeTwin(ofTable: number) }
            try execute("COMMIT")
        } catch {
            if !isIdle { try? execute("ROLLBACK") }
            throw error
        }
    }
}

extension Substring {
    /// With another text in place of the first `part`.
    fileprivate func replacingFirst(_ part: String, with other: String) -> String {
        guard let range = firstRange(of: part) else { return String(self) }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
