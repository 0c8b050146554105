import CivilTime
import RowhouseModel
import Storage

extension RecordSession {
    func findStatement(
        _ fields: [Int], empty: UInt64, in table: TableSchema
    ) throws(APIError) -> Statement {
        let cached = try connection.statements.statement(
            .find(empty: empty), of: table, fields: fields
        ) { () throws(APIError) in
            let physical = try physical(table)
            var conditions: [String] = []
            for (index, position) in fields.enumerated() {
                guard table.fields.indices.contains(position) else { throw .internalError }
                let expression = physical.expression(for: table.fields[position])
                conditions.append(expression + (empty >> UInt64(index) & 1 == 1 ? " IS NULL" : " = ?\(index + 2)"))
            }
            let condition = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
            let sql = "SELECT t.id FROM t_\(physical.number) AS t \(condition) LIMIT ?1"
            return CachedStatement(table: table, fields: [], statement: try connection.prepare(sql))
        }
        guard let cached else { throw .internalError }
        return cached.statement
    }

    func modifiedTimes(of records: [RecordID], in table: TableSchema) throws(APIError) -> [Instant?] {
        let cached = try connection.statements.statement(.modified, of: table, fields: []) { () throws(APIError) in
            let sql = "SELECT modified FROM t_\(try physical(table).number) WHERE id = ?1"
            return CachedStatement(table: table, fields: [], statement: try connection.prepare(sql))
        }
        guard let statement = cached?.statement else { throw .internalError }
        var times: [Instant?] = []
        for record in records {
            defer { statement.reset() }
            statement.bind(1, record.text)
            let isKnown = try statement.step() && !statement.isNull(0)
            times.append(isKnown ? Instant(milliseconds: statement.integer(0)) : nil)
        }
        return times
    }

    func tokens() throws(APIError) -> [StoredToken] {
        let statement = try connection.statement(.tokens)
        defer { statement.reset() }
        var tokens: [StoredToken] = []
        while try statement.step() {
            tokens.append(
                StoredToken(
                    id: TokenID(text: statement.identifier(0)), hash: statement.bytes(1),
                    user: UserID(text: statement.identifier(2)), name: statement.text(3),
                    scopes: statement.text(4).split(separator: " ").map { Scope(rawValue: String($0)) },
                    bases: statement.optionalText(5)?.split(separator: " ").compactMap { BaseID(String($0)) },
                    createdTime: Instant(milliseconds: statement.integer(6)),
                    expirationTime: statement.isNull(7) ? nil : Instant(milliseconds: statement.integer(7)),
                    lastUsedTime: statement.isNull(8) ? nil : Instant(milliseconds: statement.integer(8)),
                    isRevoked: statement.integer(9) != 0))
        }
        return tokens
    }
}
