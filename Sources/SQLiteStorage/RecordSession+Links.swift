import RowhouseJSON
import RowhouseModel
import Storage

// Links are read by one statement a field for all records asked about, after the records themselves.

extension RecordSession {
    /// More bytes of cells of linked records are not held at a time.
    private static let mostLinkedText = 128 << 20

    // MARK: cells of link fields

    /// Fills in the cells of link fields of records that were read by this statement.
    func fillLinks(of cached: CachedStatement, in batch: inout RecordBatch) throws(APIError) {
        guard !cached.links.isEmpty, batch.count > 0 else { return }
        _ = try fillLinks(of: cached, in: &batch, limit: .max)
    }

    /// Fills in the cells of link fields of a page; one whose cells grow too long ends early.
    func fillLinks(of cached: CachedStatement, in page: inout StoredPage) throws(APIError) {
        guard !cached.links.isEmpty, page.batch.count > 0 else { return }
        while page.batch.count > 1 {
            if try fillLinks(of: cached, in: &page.batch, limit: pageBytes) { return }
            page.cut(to: page.batch.count / 2)
        }
        _ = try fillLinks(of: cached, in: &page.batch, limit: .max)
    }

    /// Whether the cells took no more than `limit` bytes; otherwise they are left empty.
    private func fillLinks(
        of cached: CachedStatement, in batch: inout RecordBatch, limit: Int
    ) throws(APIError) -> Bool {
        let numbers = batch.numbers
        guard numbers.count == batch.count else { throw .internalError }
        let start = batch.text.count
        var cells = LinkCells(numbers: numbers)
        for (place, side) in cached.links {
            let statement = try linkStatement(.linkCells(side), of: cached.table)
            defer { statement.reset() }
            statement.bind(1, text: Self.json(numbers))
            cells.begin(place)
            while try statement.step() {
                cells.add(RecordID(text: statement.identifier(1)), to: statement.integer(0), in: &batch)
                if batch.text.count - start > limit {
                    batch.forgetText(from: start)
                    return false
                }
            }
            cells.end(in: &batch)
            // Places in the text are 32-bit numbers.
            if batch.text.count > Int(UInt32.max) { throw .internalError }
        }
        return true
    }

    // MARK: linked records

    func linked(
        from records: RecordBatch, through field: Int, in table: TableSchema, fields: [Int], of linked: TableSchema,
        limit: Int
    ) throws(APIError) -> LinkedRecords? {
        let side = try side(of: field, in: table)
        guard try physical(linked).number == side.linkedTable else { throw .internalError }
        return try inOneSnapshot { () throws(APIError) in
            let isNumbered = records.numbers.count == records.count
            let numbers = isNumbered ? records.numbers : try numbers(of: records.ids, in: table)
            return try self.linked(from: numbers, through: side, fields: fields, of: linked, limit: limit)
        }
    }

    private func linked(
        from numbers: [Int64], through side: LinkSide, fields: [Int], of linked: TableSchema, limit: Int
    ) throws(APIError) -> LinkedRecords? {
        let cached = try select(.linked(side), fields, of: linked, extra: ", l.\(side.own), l.\(side.other)") { table in
            """
            \(side.table) AS l CROSS JOIN t_\(table.number) AS t ON t.n = l.\(side.other)
            WHERE l.\(side.own) IN (SELECT value FROM json_each(?1)) ORDER BY l.\(side.own), l.\(side.ownPosition)
            """
        }
        guard let cached else { throw .internalError }
        let statement = cached.statement
        defer { statement.reset() }
        statement.bind(1, text: Self.json(numbers))
        var found = LinkedRecords(batch: RecordBatch(fields: cached.fields), places: [], ends: [])
        let column = Int32(cached.fields.count + 2)
        var known: [Int64: Int32] = [:]
        // The links of one record come together; they are put in the order asked for at the end.
        var places: [Int32] = []
        var ranges: [Int64: Range<Int>] = [:]
        ranges.reserveCapacity(numbers.count)
        var (own, start): (Int64, Int) = (-1, 0)
        while try statement.step() {
            if places.count >= limit || found.batch.text.count > Self.mostLinkedText { return nil }
            if statement.integer(column) != own {
                ranges[own] = start..<places.count
                (own, start) = (statement.integer(column), places.count)
            }
            let number = statement.integer(column + 1)
            if let place = known[number] {
                places.append(place)
            } else {
                let place = Int32(clamping: found.batch.count)
                known[number] = place
                places.append(place)
                try append(cached, to: &found.batch)
            }
        }
        ranges[own] = start..<places.count
        found.places.reserveCapacity(places.count)
        found.ends.reserveCapacity(numbers.count)
        for number in numbers {
            if let range = ranges[number] { found.places.append(contentsOf: places[range]) }
            found.ends.append(Int32(clamping: found.places.count))
        }
        try fillLinks(of: cached, in: &found.batch)
        return found
    }

    func linkCounts(of records: [RecordID], in field: Int, of table: TableSchema) throws(APIError) -> [Int] {
        let side = try side(of: field, in: table)
        return try inOneSnapshot { () throws(APIError) in
            let numbers = try numbers(of: records, in: table)
            let statement = try linkStatement(.linkCounts(side), of: table)
            defer { statement.reset() }
            statement.bind(1, text: Self.json(numbers))
            var counts: [Int64: Int] = [:]
            while try statement.step() { counts[statement.integer(0)] = statement.int(1) }
            return numbers.map { counts[$0] ?? 0 }
        }
    }

    // MARK: statements

    /// Where the links of a field are.
    func side(of field: Int, in table: TableSchema) throws(APIError) -> LinkSide {
        guard table.fields.indices.contains(field), table.fields[field].type.kept == .links,
            let side = try physical(table).links[table.fields[field].id]
        else { throw .internalError }
        return side
    }

    private func linkStatement(_ shape: StatementShape, of table: TableSchema) throws(APIError) -> Statement {
        let cached = try connection.statements.statement(shape, of: table, fields: []) { () throws(APIError) in
            guard let sql = Self.sql(shape) else { throw .internalError }
            return CachedStatement(table: table, fields: [], statement: try connection.prepare(sql))
        }
        guard let cached else { throw .internalError }
        return cached.statement
    }

    private static func sql(_ shape: StatementShape) -> String? {
        switch shape {
        case .linkCells(let side):
            """
            SELECT l.\(side.own), t.id FROM \(side.table) AS l
            CROSS JOIN t_\(side.linkedTable) AS t ON t.n = l.\(side.other)
            WHERE l.\(side.own) IN (SELECT value FROM json_each(?1)) ORDER BY l.\(side.own), l.\(side.ownPosition)
            """
        case .linkCounts(let side):
            """
            SELECT \(side.own), count(*) FROM \(side.table)
            WHERE \(side.own) IN (SELECT value FROM json_each(?1)) GROUP BY \(side.own)
            """
        default: nil
        }
    }

    /// The numbers of records, 0 for those that there are not.
    private func numbers(of records: [RecordID], in table: TableSchema) throws(APIError) -> [Int64] {
        let cached = try connection.statements.statement(.numbers, of: table, fields: []) { () throws(APIError) in
            let sql =
                "SELECT id, n FROM t_\(try physical(table).number) WHERE id IN (SELECT value FROM json_each(?1))"
            return CachedStatement(table: table, fields: [], statement: try connection.prepare(sql))
        }
        guard let statement = cached?.statement else { throw .internalError }
        defer { statement.reset() }
        statement.bind(1, text: Self.json(records))
        var numbers: [IdentifierText: Int64] = [:]
        while try statement.step() { numbers[statement.identifier(0)] = statement.integer(1) }
        return records.map { numbers[$0.text] ?? 0 }
    }

    private static func json(_ numbers: [Int64]) -> [UInt8] {
        var writer = JSONWriter(capacity: 2 + numbers.count * 8)
        writer.beginArray()
        for number in numbers { writer.integer(number) }
        writer.endArray()
        return writer.finish()
    }

    static func json(_ records: [RecordID]) -> [UInt8] {
        var bytes = [UInt8(ascii: "[")]
        bytes.reserveCapacity(2 + records.count * 17)
        for (index, record) in records.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "\""))
            record.text.append(to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }
}

extension StoredPage {
    /// Keeps the first records only; their place is found again from the last of them.
    fileprivate mutating func cut(to count: Int) {
        batch.slots.removeSubrange(count * batch.fields.count..<batch.slots.count)
        batch.createdTimes.removeSubrange(count...)
        batch.ids.removeSubrange(count...)
        if batch.numbers.count > count { batch.numbers.removeSubrange(count...) }
        last = batch.ids.last.map { PagePosition(record: $0, key: []) }
        hasMore = true
        unfinished = nil
    }
}

extension RecordBatch {
    /// Empties the cells whose text begins at this place or later.
    fileprivate mutating func forgetText(from start: Int) {
        for index in slots.indices {
            if case .text(let first, _) = slots[index], Int(first) >= start { slots[index] = .empty }
        }
        text.removeSubrange(start...)
    }
}
