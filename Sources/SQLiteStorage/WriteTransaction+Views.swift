import RowhouseJSON
import RowhouseModel
import Storage

extension WriteTransaction {
    /// Brings the saved views in step with the table's; their numbers.
    func saveViews(of table: TableSchema, _ number: Int) throws(APIError) -> [ViewID: Int] {
        try connection.execute("UPDATE views SET deleted = \(time) WHERE table_number = \(number) AND deleted IS NULL")
        let revive = try connection.prepare(
            """
            UPDATE views SET deleted = NULL, position = ?3, name = ?4, type = ?5, options = ?6
            WHERE number = (SELECT max(number) FROM views WHERE table_number = ?1 AND id = ?2) RETURNING number
            """)
        let insert = try connection.prepare(
            """
            INSERT INTO views (table_number, id, position, name, type, options) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            RETURNING number
            """)
        var numbers: [ViewID: Int] = [:]
        for (position, view) in table.views.enumerated() {
            for statement in [revive, insert] where numbers[view.id] == nil {
                statement.bind(1, number)
                statement.bind(2, view.id.text)
                statement.bind(3, position)
                statement.bind(4, view.name)
                statement.bind(5, view.type)
                statement.bind(6, text: view.storedOptions.bytes)
                if try statement.step() { numbers[view.id] = statement.int(0) }
                statement.reset()
            }
        }
        return numbers
    }

    // MARK: order by hand

    /// A place longer than this makes its neighbours move together.
    private static let longestPlace = 100

    func move(
        _ records: [RecordID], before: RecordID?, in view: ViewID, of table: TableSchema
    ) throws(APIError) -> [RecordPlacement] {
        let physical = try physical(table)
        guard let view = physical.views[view] else { throw .modelNotFound("View") }
        let order = try PlaceTable(view: view, table: physical.number, on: connection)
        var numbers: [Int64] = []
        for id in records {
            guard let number = try order.number(of: id) else { throw .recordDoesNotExist(id.description) }
            numbers.append(number)
        }
        let upper = try before.map { (id) throws(APIError) in
            guard let number = try order.number(of: id) else { throw .recordDoesNotExist(id.description) }
            return try order.place(ofRecord: number) ?? id.placeText
        }
        let lower = try order.last(before: upper) ?? ""
        let places = PlaceText.places(records.count, between: lower, and: upper)
        var placements: [RecordPlacement] = []
        for ((id, number), place) in zip(zip(records, numbers), places) {
            placements.append(RecordPlacement(record: id, before: try order.place(ofRecord: number), after: place))
            try order.put(number, at: place)
        }
        if let long = places.first(where: { $0.utf8.count > Self.longestPlace }) { try order.respace(around: long) }
        return placements
    }
}

extension RecordID {
    /// Its place in an order by hand while nobody has put it elsewhere.
    var placeText: String {
        var bytes: [UInt8] = []
        text.append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The places of one view, to be read and changed.
private struct PlaceTable {
    private let numberOfID: Statement
    private let placeOfRecord: Statement
    private let lastPlace: Statement
    private let lastID: Statement
    private let insert: Statement
    private let nextID: Statement
    private let between: Statement
    private let view: Int
    /// What no place comes after.
    private static let end = "\u{7F}"

    init(view: Int, table: Int, on connection: Connection) throws(APIError) {
        self.view = view
        let unmoved = "NOT EXISTS (SELECT 1 FROM places AS p WHERE p.view = ?1 AND p.record = t.n)"
        numberOfID = try connection.prepare("SELECT n FROM t_\(table) WHERE id = ?2")
        placeOfRecord = try connection.prepare("SELECT place FROM places WHERE view = ?1 AND record = ?2")
        lastPlace = try connection.prepare(
            "SELECT place FROM places WHERE view = ?1 AND place < ?2 ORDER BY place DESC LIMIT 1")
        lastID = try connection.prepare(
            "SELECT id FROM t_\(table) AS t WHERE id < ?2 AND \(unmoved) ORDER BY id DESC LIMIT 1")
        nextID = try connection.prepare(
            "SELECT id FROM t_\(table) AS t WHERE id > ?2 AND \(unmoved) ORDER BY id LIMIT 1")
        insert = try connection.prepare("INSERT OR REPLACE INTO places (view, record, place) VALUES (?1, ?2, ?3)")
        between = try connection.prepare(
            "SELECT record FROM places WHERE view = ?1 AND place > ?2 AND place < ?3 ORDER BY place")
    }

    func number(of id: RecordID) throws(APIError) -> Int64? {
        defer { numberOfID.reset() }
        numberOfID.bind(2, id.text)
        return try numberOfID.step() ? numberOfID.integer(0) : nil
    }

    func place(ofRecord number: Int64) throws(APIError) -> String? {
        defer { placeOfRecord.reset() }
        placeOfRecord.bind(1, view)
        placeOfRecord.bind(2, number)
        return try placeOfRecord.step() ? placeOfRecord.text(0) : nil
    }

    /// The last place that a record has before another, or at all.
    func last(before upper: String?) throws(APIError) -> String? {
        let moved = try text(lastPlace, upper ?? Self.end)
        let unmoved = try text(lastID, upper ?? Self.end)
        return [moved, unmoved].compactMap(\.self).max { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    func put(_ number: Int64, at place: String) throws(APIError) {
        insert.bind(1, view)
        insert.bind(2, number)
        insert.bind(3, place)
        try insert.run()
    }

    /// Gives short places to all moved records between two that were never moved.
    func respace(around place: String) throws(APIError) {
        let lower = try text(lastID, place) ?? ""
        let upper = try text(nextID, place)
        between.bind(1, view)
        between.bind(2, lower)
        between.bind(3, upper ?? Self.end)
        var numbers: [Int64] = []
        while try between.step() { numbers.append(between.integer(0)) }
        between.reset()
        let places = PlaceText.places(numbers.count, between: lower, and: upper)
        // A new place may be that of another of them, which must have left it.
        for number in numbers { try put(number, at: "!\(number)") }
        for (number, place) in zip(numbers, places) { try put(number, at: place) }
    }

    private func text(_ statement: Statement, _ bound: String) throws(APIError) -> String? {
        defer { statement.reset() }
        statement.bind(1, view)
        statement.bind(2, bound)
        return try statement.step() ? statement.text(0) : nil
    }
}
