import CivilTime
import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Testing

/// Records as answers show them, with cells in the form that a store keeps.
struct RecordEncoderTests {
    private static let id = "recA1b2C3d4E5f6G7"

    /// One record with these cells, as JSON text.
    private static func json(
        _ cells: [(field: String, cell: StoredCell)], _ presentation: RecordPresentation = RecordPresentation(),
        created: Int64 = 1_714_557_600_000
    ) throws -> String {
        var batch = RecordBatch(fields: try cells.map { try Sample.field($0.field) })
        batch.append(
            id: try #require(RecordID(id)), createdTime: Instant(milliseconds: created), cells: cells.map(\.cell))
        let page = RecordPage(batch: batch, users: Sample.users)
        return String(decoding: try AnswerEncoder(zones: Sample.zones).record(page, presentation), as: UTF8.self)
    }

    /// The `fields` member of that record.
    private static func fields(
        _ cells: [(field: String, cell: StoredCell)], _ presentation: RecordPresentation = RecordPresentation()
    ) throws -> String {
        let value = try Sample.json(try json(cells, presentation)).objectValue?["fields"]
        return String(decoding: try #require(value).bytes, as: UTF8.self)
    }

    @Test func `A record shows id, createdTime and fields, in that order`() throws {
        #expect(
            try Self.json([("text", .text("a"))])
                == #"{"id":"recA1b2C3d4E5f6G7","createdTime":"2024-05-01T10:00:00.000Z","fields":{"text":"a"}}"#)
    }

    @Test func `A page that gets too long tells how many of its records fit`() throws {
        var batch = RecordBatch(fields: [try Sample.field("text")])
        let encoder = AnswerEncoder(zones: Sample.zones)
        var sizes: [Int] = []
        for number in 0..<6 {
            let text = String(repeating: "\u{1}", count: 100 * number)
            batch.append(
                id: try #require(RecordID(Self.id)), createdTime: Instant(milliseconds: 0), cells: [.text(text)])
            let page = RecordPage(batch: batch, users: Sample.users)
            guard case .whole(let bytes) = try encoder.list(page, RecordPresentation(), limit: .max) else {
                Issue.record("no page")
                return
            }
            // Each of these takes six bytes.
            #expect(bytes.count >= 600 * number)
            sizes.append(bytes.count)
        }
        let page = RecordPage(batch: batch, users: Sample.users)
        for count in 1..<6 {
            let answer = try encoder.list(page, RecordPresentation(), limit: sizes[count - 1])
            #expect(answer == .tooLong(fitting: count))
        }
        #expect(try encoder.list(page, RecordPresentation(), limit: 10) == .tooLong(fitting: 1))
        let one = RecordPage(batch: try Self.one("a"), users: Sample.users)
        guard case .whole = try encoder.list(one, RecordPresentation(), limit: 10) else {
            Issue.record("one record is always answered")
            return
        }
    }

    private static func one(_ text: String) throws -> RecordBatch {
        var batch = RecordBatch(fields: [try Sample.field("text")])
        batch.append(id: try #require(RecordID(id)), createdTime: Instant(milliseconds: 0), cells: [.text(text)])
        return batch
    }

    @Test func `commentCount stands before the fields where it is asked for`() throws {
        #expect(
            try Self.json([("text", .text("a"))], RecordPresentation(commentCount: true))
                == #"{"id":"recA1b2C3d4E5f6G7","createdTime":"2024-05-01T10:00:00.000Z","commentCount":0,"fields":{"text":"a"}}"#
        )
    }

    @Test(
        arguments: [
            (1_714_557_600_000, "2024-05-01T10:00:00.000Z"), (1_714_557_600_001, "2024-05-01T10:00:00.000Z"),
            (1_714_557_600_999, "2024-05-01T10:00:00.000Z"), (1_714_557_601_000, "2024-05-01T10:00:01.000Z"),
            (-1, "1969-12-31T23:59:59.000Z"),
        ] as [(Int64, String)])
    func `createdTime is cut to whole seconds`(milliseconds: Int64, text: String) throws {
        #expect(try Self.json([], created: milliseconds).contains(#""createdTime":"\#(text)""#))
    }

    @Test func `A record without values shows no fields, and empty cells vanish`() throws {
        #expect(try Self.fields([]) == "{}")
        let names = Sample.fields.keys.sorted()
        #expect(try Self.fields(names.map { ($0, .empty) }) == "{}")
        #expect(
            try Self.fields(names.map { ($0, .empty) }, Self.shown) == "{}")
        #expect(try Self.fields([("text", .empty), ("number", .real(1)), ("date", .empty)]) == #"{"number":1}"#)
    }

    @Test func `Zero is a value`() throws {
        #expect(
            try Self.fields([
                ("number", .real(0)), ("percent", .real(0)), ("currency", .real(0)), ("duration", .real(0)),
            ]) == #"{"number":0,"percent":0,"currency":0,"duration":0}"#)
    }

    @Test func `Every type shows the JSON of the table`() throws {
        let rows: [(String, StoredCell, String)] = [
            ("text", .text("a\"\\\n\u{1}é"), #""a\"\\\n\u0001é""#),
            ("number", .real(0.299_999_999_999_998_77), "0.29999999999999877"),
            ("number", .real(-12), "-12"), ("percent", .real(0.5), "0.5"), ("currency", .real(9.5), "9.5"),
            ("duration", .real(5400), "5400"), ("rating", .real(3), "3"), ("checkbox", .integer(1), "true"),
            ("date", .integer(1_714_521_600_000), #""2024-05-01""#), ("date", .integer(-86_400_000), #""1969-12-31""#),
            ("instant", .integer(1_704_112_496_789), #""2024-01-01T12:34:56.789Z""#),
            ("taipei", .integer(1_714_528_800_000), #""2024-05-01T02:00:00.000Z""#),
            ("select", .integer(2), #""In progress""#), ("select", .integer(5), #""x \"q\" \\ é""#),
            ("selects", .text("[3,1]"), #"["done","Todo"]"#),
            (
                "person", .text("usr00000000000001"),
                #"{"id":"usr00000000000001","email":"ada@example.org","name":"Ada Lovelace"}"#
            ),
            (
                "people", .text("usr00000000000002,usr00000000000001"),
                #"[{"id":"usr00000000000002","email":"bob@example.org","name":"Bob"},{"id":"usr00000000000001","email":"ada@example.org","name":"Ada Lovelace"}]"#
            ),
            ("barcode", .text(#"{"text":"1","type":"upce"}"#), #"{"text":"1","type":"upce"}"#),
            ("auto", .integer(7), "7"), ("created", .integer(1_714_557_600_000), #""2024-05-01T10:00:00.000Z""#),
            ("modified", .integer(1_714_557_600_000), #""2024-05-01""#),
            (
                "creator", .text("usr00000000000001"),
                #"{"id":"usr00000000000001","email":"ada@example.org","name":"Ada Lovelace"}"#
            ),
            ("modifier", .text("usrZZZZZZZZZZZZZZ"), #"{"id":"usrZZZZZZZZZZZZZZ"}"#),
        ]
        for (name, cell, json) in rows {
            #expect(try Self.fields([(name, cell)]) == "{\"\(name)\":\(json)}")
        }
    }

    @Test func `A choice that is gone is not shown`() throws {
        #expect(try Self.fields([("select", .integer(99)), ("selects", .text("[99]"))]) == "{}")
        #expect(try Self.fields([("selects", .text("[99,2]"))]) == #"{"selects":["In progress"]}"#)
    }

    @Test func `Keys are field ids where they are asked for`() throws {
        let id = try Sample.field("text").id
        #expect(
            try Self.fields([("text", .text("a"))], RecordPresentation(returnFieldsByFieldID: true))
                == #"{"\#(id)":"a"}"#)
    }

    @Test func `A key is escaped like any string`() throws {
        var field = try Sample.field("text")
        field.name = "a\"\n/é"
        var batch = RecordBatch(fields: [field])
        batch.append(
            id: try #require(RecordID(Self.id)), createdTime: Instant(milliseconds: 0), cells: [.text("x")])
        let bytes = try AnswerEncoder(zones: Sample.zones)
            .record(RecordPage(batch: batch, users: Sample.users), RecordPresentation())
        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix(#""fields":{"a\"\n/é":"x"}}"#))
    }

    // MARK: answers

    @Test func `A list shows its records in order, and an offset only where there is one`() throws {
        var batch = RecordBatch(fields: [try Sample.field("text")])
        for (id, cell) in [("recA1b2C3d4E5f6G7", StoredCell.text("a")), ("recA1b2C3d4E5f6G8", .empty)] {
            batch.append(id: try #require(RecordID(id)), createdTime: Instant(milliseconds: 0), cells: [cell])
        }
        let encoder = AnswerEncoder(zones: Sample.zones)
        let records =
            #"{"records":[{"id":"recA1b2C3d4E5f6G7","createdTime":"1970-01-01T00:00:00.000Z","fields":{"text":"a"}},{"id":"recA1b2C3d4E5f6G8","createdTime":"1970-01-01T00:00:00.000Z","fields":{}}]"#
        var page = RecordPage(batch: batch, users: Sample.users)
        var whole = try encoder.list(page, RecordPresentation(), limit: .max)
        #expect(whole == .whole(Array((records + "}").utf8)))
        page.offset = "itr/rec"
        whole = try encoder.list(page, RecordPresentation(), limit: .max)
        #expect(whole == .whole(Array((records + #","offset":"itr/rec"}"#).utf8)))
        var written = WrittenRecords(batch: batch, users: Sample.users)
        #expect(
            String(decoding: try encoder.written(written, single: false, RecordPresentation()), as: UTF8.self)
                == records + "}")
        written.upsert = (created: [batch.ids[0]], updated: [])
        #expect(
            String(decoding: try encoder.written(written, single: false, RecordPresentation()), as: UTF8.self)
                == records + #","updatedRecords":[],"createdRecords":["recA1b2C3d4E5f6G7"]}"#)
    }

    @Test func `Deletions are told one by one or as a list`() throws {
        let encoder = AnswerEncoder(zones: Sample.zones)
        let ids = [try #require(RecordID("recA1b2C3d4E5f6G7")), try #require(RecordID("recA1b2C3d4E5f6G8"))]
        #expect(
            String(decoding: encoder.deleted([ids[0]], single: true), as: UTF8.self)
                == #"{"deleted":true,"id":"recA1b2C3d4E5f6G7"}"#)
        #expect(
            String(decoding: encoder.deleted(ids, single: false), as: UTF8.self)
                == #"{"records":[{"deleted":true,"id":"recA1b2C3d4E5f6G7"},{"deleted":true,"id":"recA1b2C3d4E5f6G8"}]}"#
        )
        #expect(
            String(decoding: encoder.deleted(try #require(BaseID("appA1b2C3d4E5f6G7"))), as: UTF8.self)
                == #"{"id":"appA1b2C3d4E5f6G7","deleted":true}"#)
    }

    // MARK: cellFormat=string

    private static let shown = RecordPresentation(cellFormat: .string(timeZone: "utc", userLocale: "en-us"))

    @Test func `Every type shows the text of the table where texts are asked for`() throws {
        let rows: [(String, StoredCell, String)] = [
            ("text", .text("a\nb"), "a\nb"), ("number", .real(1234.5), "1234.50"), ("number", .real(0), "0.00"),
            ("number", .real(-0.001), "0.00"), ("number", .real(2.675), "2.68"), ("percent", .real(0.5), "50%"),
            ("percent", .real(1.005), "101%"), ("percent", .real(-0.07), "-7%"), ("percent", .real(0), "0%"),
            ("currency", .real(1234.5), "$1,234.50"), ("currency", .real(-1_234_567.891), "-$1,234,567.89"),
            ("currency", .real(-0.001), "$0.00"), ("currency", .real(999.999), "$1,000.00"),
            ("duration", .real(5400), "1:30"), ("duration", .real(0), "0:00"), ("duration", .real(-5400), "-1:30"),
            ("seconds", .real(3723.5), "1:02:03.50"), ("rating", .real(3), "3"), ("checkbox", .integer(1), "checked"),
            ("date", .integer(1_714_521_600_000), "2024-05-01"),
            ("instant", .integer(1_714_557_600_000), "2024-05-01 10:00"), ("select", .integer(3), "done"),
            ("selects", .text("[3,1]"), "done, Todo"), ("person", .text("usr00000000000001"), "Ada Lovelace"),
            ("people", .text("usr00000000000002,usr00000000000001"), "Bob, Ada Lovelace"),
            ("barcode", .text(#"{"text":"1","type":"upce"}"#), "1"), ("auto", .integer(7), "7"),
            ("created", .integer(1_714_557_600_000), "2024-05-01 10:00"),
            ("modified", .integer(1_714_557_600_000), "2024-05-01"), ("creator", .text("usr00000000000002"), "Bob"),
        ]
        for (name, cell, text) in rows {
            let found = try Sample.json(try Self.fields([(name, cell)], Self.shown)).objectValue?[name]
            #expect(found == .string(text), "\(name) \(cell)")
        }
    }

    @Test func `Instants are shown in the field's zone, or in the reader's where the field says client`() throws {
        let noon: StoredCell = .integer(1_714_564_800_000)  // 2024-05-01T12:00:00Z
        let rows: [(String, String, String)] = [
            ("instant", "Asia/Taipei", "2024-05-01 12:00"), ("taipei", "utc", "5/1/2024 8:00pm"),
            ("newyork", "utc", "1/5/2024 08:00"), ("client", "utc", "May 1, 2024 12:00pm"),
            ("client", "America/New_York", "May 1, 2024 8:00am"), ("client", "client", "May 1, 2024 12:00pm"),
        ]
        for (name, zone, text) in rows {
            let presentation = RecordPresentation(cellFormat: .string(timeZone: zone, userLocale: "en-us"))
            #expect(try Self.fields([(name, noon)], presentation) == #"{"\#(name)":"\#(text)"}"#, "\(zone)")
        }
    }

    @Test func `Dates are shown in the format of their field`() throws {
        let rows = [
            ("local", "12/9/2024"), ("friendly", "December 9, 2024"), ("us", "12/9/2024"), ("european", "9/12/2024"),
            ("iso", "2024-12-09"),
        ]
        for (format, text) in rows {
            var field = try Sample.field("date")
            field.options = .date(DateFormat(name: format))
            var batch = RecordBatch(fields: [field])
            batch.append(
                id: try #require(RecordID(Self.id)), createdTime: Instant(milliseconds: 0),
                cells: [.integer(20_066 * 86_400_000)])
            let bytes = try AnswerEncoder(zones: Sample.zones)
                .record(RecordPage(batch: batch, users: Sample.users), Self.shown)
            #expect(String(decoding: bytes, as: UTF8.self).contains(#""date":"\#(text)""#), "\(format)")
        }
    }

    @Test func `Dates in a form of the reader's are written in the reader's language`() throws {
        let noon: StoredCell = .integer(1_714_564_800_000)  // 2024-05-01T12:00:00Z
        let rows = [
            ("en-us", "May 1, 2024 12:00pm"), ("en-gb", "1 May 2024 12:00pm"), ("zh-TW", "2024年5月1日 12:00中午"),
            ("zh-tw", "2024年5月1日 12:00中午"), ("ja", "2024年5月1日 12:00午後"), ("de-AT", "1. Mai 2024 12:00pm"),
            ("fr", "1 mai 2024 12:00pm"), ("tlh", "May 1, 2024 12:00pm"), ("?", "May 1, 2024 12:00pm"),
        ]
        for (locale, text) in rows {
            let presentation = RecordPresentation(cellFormat: .string(timeZone: "utc", userLocale: locale))
            #expect(try Self.fields([("client", noon)], presentation) == #"{"client":"\#(text)"}"#, "\(locale)")
        }
    }

    @Test func `An unknown time zone is refused`() {
        let presentation = RecordPresentation(cellFormat: .string(timeZone: "Mars/Olympus", userLocale: "en-us"))
        #expect(errorType { _ = try Self.fields([("text", .text("a"))], presentation) } == "INVALID_REQUEST_UNKNOWN")
    }

    @Test func `Numbers are rounded half away from zero on their decimal text, as Python's decimal does`() throws {
        let fields = (0...8).map { precision in
            Field(
                id: FieldID(random: (1, UInt64(precision))), name: "n", type: .number,
                options: .number(precision: precision))
        }
        let encoder = AnswerEncoder(zones: Sample.zones)
        let id = try #require(RecordID(Self.id))
        let rows = try DataFile.rows("fixed.tsv")
        #expect(rows.count > 3_000)
        for row in rows {
            let (value, precision) = (try #require(Double(row[0])), try #require(Int(row[1])))
            var batch = RecordBatch(fields: [fields[precision]])
            batch.append(id: id, createdTime: Instant(milliseconds: 0), cells: [.real(value)])
            let bytes = try encoder.record(RecordPage(batch: batch, users: Sample.users), Self.shown)
            #expect(
                String(decoding: bytes, as: UTF8.self).hasSuffix(#""fields":{"n":"\#(row[2])"}}"#),
                "\(row[0]) with \(precision) decimals")
        }
    }
}
