import CivilTime
import RowhouseJSON
import RowhouseModel
import Storage

extension RecordSession {
    /// How many entries of the log made at the moment of a record are looked at for its creation.
    private static let mostAtOnce = 1_000

    func history(
        of record: RecordID, in table: TableSchema, before: ChangeID?, limit: Int
    ) throws(APIError) -> (entries: [RecordHistoryEntry], hasMore: Bool) {
        try inOneSnapshot { () throws(APIError) in
            let reader = try HistoryReader(record, table: try physical(table).number, on: connection)
            let start = before?.text.number ?? .max
            var entries: [RecordHistoryEntry] = []
            var bytes = 0
            for number in try changeNumbers(of: record, before: start, limit: limit + 1) {
                guard entries.count < limit, bytes < pageBytes else { return (entries, true) }
                guard let (entry, size) = try reader.entry(number, table.id) else { continue }
                entries.append(entry)
                bytes += size
            }
            guard let made = try creation(of: record, in: table, before: start, reader) else { return (entries, false) }
            guard entries.count < limit else { return (entries, true) }
            return (entries + [made], false)
        }
    }

    private func changeNumbers(of record: RecordID, before: Int64, limit: Int) throws(APIError) -> [Int64] {
        let statement = try connection.prepare(
            "SELECT seq FROM record_changes WHERE record = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3")
        statement.bind(1, record.text)
        statement.bind(2, before)
        statement.bind(3, limit)
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(0)) }
        return numbers
    }

    /// The entry of the log that made the record, found by its time: creations, the most frequent of all changes, are
    /// not noted by record.
    private func creation(
        of record: RecordID, in table: TableSchema, before: Int64, _ reader: HistoryReader
    ) throws(APIError) -> RecordHistoryEntry? {
        guard let created = try creationTime(of: record, table) else { return nil }
        let statement = try connection.prepare(
            "SELECT seq, time FROM changes WHERE seq >= ?1 AND seq < ?2 ORDER BY seq LIMIT \(Self.mostAtOnce)")
        statement.bind(1, try firstChange(since: created))
        statement.bind(2, before)
        var numbers: [Int64] = []
        while try statement.step(), statement.integer(1) == created { numbers.append(statement.integer(0)) }
        for number in numbers {
            if let (entry, _) = try reader.entry(number, table.id), entry.kind == .create { return entry }
        }
        return nil
    }

    private func creationTime(of record: RecordID, _ table: TableSchema) throws(APIError) -> Int64? {
        let number = try physical(table).number
        let statement = try connection.prepare(
            """
            SELECT created FROM t_\(number) WHERE id = ?1 UNION ALL
            SELECT created FROM d_\(number) WHERE n IN (
                SELECT record FROM trash WHERE id = ?1 AND table_number = \(number) AND state = 0)
            """)
        statement.bind(1, record.text)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The number of the first entry of the log that is not older than a time; times go up with numbers, but for
    /// changes of the clock.
    private func firstChange(since time: Int64) throws(APIError) -> Int64 {
        let statement = try connection.prepare("SELECT seq, time FROM changes WHERE seq >= ?1 ORDER BY seq LIMIT 1")
        var low = try connection.integer("SELECT min(seq) FROM changes") ?? 0
        var high = (try connection.integer("SELECT max(seq) FROM changes") ?? 0) &+ 1
        while low < high {
            let middle = low + (high - low) / 2
            statement.bind(1, middle)
            let isLate = try statement.step() ? statement.integer(1) >= time : true
            statement.reset()
            if isLate { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// Reads what entries of the log say of one record.
private final class HistoryReader {
    private let record: RecordID
    private let change: Statement
    private let forms: Statement
    private let goneChoices: Statement
    private let table: Int
    private var known: [FieldID: [Form]] = [:]

    /// A field under one of the types it had, with all choices it ever had under it.
    private struct Form {
        let field: Field
        /// Until when; nil for the one it has.
        let end: Int64?
    }

    init(_ record: RecordID, table: Int, on connection: Connection) throws(APIError) {
        self.record = record
        self.table = table
        change = try connection.prepare("SELECT time, user, kind, payload, table_id FROM changes WHERE seq = ?1")
        forms = try connection.prepare(
            """
            SELECT name, type, options, CASE WHEN is_retired = \(ColumnState.retired) THEN deleted END, number
            FROM fields
            WHERE table_number = ?1 AND id = ?2 AND is_retired IN (\(ColumnState.live), \(ColumnState.retired))
            ORDER BY is_retired DESC, deleted
            """)
        goneChoices = try connection.prepare("SELECT id, name, color, number FROM gone_choices WHERE field = ?1")
    }

    /// What the entry of this number says, with its length; nil where it says nothing of the record.
    func entry(_ number: Int64, _ table: TableID) throws(APIError) -> (entry: RecordHistoryEntry, bytes: Int)? {
        defer { change.reset() }
        change.bind(1, number)
        guard try change.step(), change.identifier(4) == table.text else { return nil }
        let payload = change.bytes(3)
        guard let records = (try? JSONParser.parse(payload))?.objectValue?["records"]?.arrayValue else {
            throw .internalError
        }
        let name = record.description
        guard let found = records.first(where: { $0.objectValue?["id"]?.stringValue == name })?.objectValue,
            let kind = Self.kind(change.text(2), isCreation: found["created"]?.boolValue ?? false)
        else { return nil }
        let time = change.integer(0)
        var cells: [RecordHistoryEntry.Cell] = []
        for (key, value) in found["cells"]?.objectValue ?? JSONObject() {
            guard let id = FieldID(key), let pair = value.arrayValue, pair.count == 2,
                let field = try field(id, at: time)
            else { continue }
            cells.append(
                .init(field: field, before: Self.cell(pair[0], field.type), after: Self.cell(pair[1], field.type)))
        }
        let entry = RecordHistoryEntry(
            id: ChangeID(text: IdentifierText(number: number)), kind: kind, time: Instant(milliseconds: time),
            user: UserID(text: change.identifier(1)), cells: cells)
        return (entry, payload.count)
    }

    private static func kind(_ name: String, isCreation: Bool) -> RecordHistoryEntry.Kind? {
        switch Change.Kind(rawValue: name) {
        case .createRecords: .create
        case .updateRecords: .update
        case .upsertRecords: isCreation ? .create : .update
        case .deleteRecords: .delete
        case .restoreRecords: .restore
        default: nil
        }
    }

    /// The field as it was at a time, under the name it has now; nil for one that is gone for good.
    private func field(_ id: FieldID, at time: Int64) throws(APIError) -> Field? {
        let forms = try forms(of: id)
        guard let now = forms.last, now.end == nil, let then = forms.first(where: { ($0.end ?? .max) > time }) else {
            return nil
        }
        var field = then.field
        field.name = now.field.name
        return field
    }

    private func forms(of id: FieldID) throws(APIError) -> [Form] {
        if let found = known[id] { return found }
        defer { forms.reset() }
        forms.bind(1, table)
        forms.bind(2, id.text)
        var found: [Form] = []
        while try forms.step() {
            guard let type = FieldType(rawValue: forms.text(1)), let json = try? JSONParser.parse(forms.bytes(2)),
                var options = FieldOptions(stored: json)
            else { continue }
            if case .choices(let choices, let greatest) = options {
                options = .choices(choices + (try goneChoices(ofColumn: forms.integer(4))), greatestNumber: greatest)
            }
            let field = Field(id: id, name: forms.text(0), type: type, options: options, description: nil)
            found.append(Form(field: field, end: forms.isNull(3) ? nil : forms.integer(3)))
        }
        known[id] = found
        return found
    }

    private func goneChoices(ofColumn column: Int64) throws(APIError) -> [SelectChoice] {
        defer { goneChoices.reset() }
        goneChoices.bind(1, column)
        var choices: [SelectChoice] = []
        while try goneChoices.step() {
            choices.append(
                SelectChoice(
                    id: ChoiceID(text: goneChoices.identifier(0)), name: goneChoices.text(1),
                    color: goneChoices.optionalText(2), number: goneChoices.int(3)))
        }
        return choices
    }

    private static func cell(_ value: JSONValue, _ type: FieldType) -> StoredCell {
        switch (type.kept, value) {
        case (.integer, .number(let number)): .integer(Int64(exactly: number) ?? 0)
        case (.real, .number(let number)): .real(number)
        case (.text, .string(let text)), (.links, .string(let text)): .text(text)
        default: .empty
        }
    }
}
