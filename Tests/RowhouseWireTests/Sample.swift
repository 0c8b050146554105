import CivilTime
import Platform
import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Testing

/// People, zones and one field of every type.
enum Sample {
    static let zones = TimeZoneDatabase { name in
        try? ReadFile.bytes(of: "/usr/share/zoneinfo/\(name)", limit: 1 << 20)
    }

    static let users = UserDirectory(
        version: 1, users: [user(1, "ada@example.org", "Ada Lovelace"), user(2, "bob@example.org", "Bob")])

    private static func user(_ number: UInt64, _ email: String, _ name: String) -> User {
        User(
            id: UserID(text: IdentifierText(time: 0, counter: number)), email: email, name: name,
            createdTime: Instant(milliseconds: 0))
    }

    static let choices = ["Todo", "In progress", "done", "a,b", "x \"q\" \\ é"].enumerated().map { index, name in
        SelectChoice(
            id: ChoiceID(text: IdentifierText(time: 0, counter: UInt64(index))), name: name, color: "blueLight2",
            number: index + 1)
    }

    private static func dateTime(_ zone: String, _ date: String = "iso", _ time: String = "24hour") -> FieldOptions {
        .dateTime(DateTimeFormat(date: DateFormat(name: date), time: TimeFormat(name: time), timeZone: zone))
    }

    /// By the name that the tables of cases use.
    static let fields: [String: Field] = {
        let list: [(String, FieldType, FieldOptions)] = [
            ("text", .singleLineText, .none), ("long", .multilineText, .none), ("rich", .richText, .none),
            ("email", .email, .none), ("url", .url, .none), ("phone", .phoneNumber, .none),
            ("number", .number, .number(precision: 2)), ("percent", .percent, .number(precision: 0)),
            ("currency", .currency, .currency(precision: 2, symbol: "$")),
            ("duration", .duration, .duration(format: "h:mm")),
            ("seconds", .duration, .duration(format: "h:mm:ss.SS")),
            ("rating", .rating, .rating(icon: "star", max: 5, color: "yellowBright")),
            ("checkbox", .checkbox, .checkbox(icon: "check", color: "greenBright")),
            ("date", .date, .date(.iso)), ("instant", .dateTime, dateTime("utc")),
            ("taipei", .dateTime, dateTime("Asia/Taipei", "us", "12hour")),
            ("newyork", .dateTime, dateTime("America/New_York", "european")),
            ("client", .dateTime, dateTime("client", "friendly", "12hour")),
            ("select", .singleSelect, .choices(choices)), ("selects", .multipleSelects, .choices(choices)),
            ("person", .singleCollaborator, .none), ("people", .multipleCollaborators, .none),
            ("barcode", .barcode, .none), ("files", .multipleAttachments, .attachments(isReversed: false)),
            ("auto", .autoNumber, .none), ("created", .createdTime, .createdTime(result: .standard)),
            (
                "modified", .lastModifiedTime, .lastModifiedTime(referencedFieldIDs: [], result: .date(.iso))
            ),
            ("creator", .createdBy, .none), ("modifier", .lastModifiedBy, .none), ("formula", .formula, .none),
            ("count", .count, .none), ("rollup", .rollup, .none), ("lookup", .multipleLookupValues, .none),
            ("button", .button, .none),
            (
                "links", .multipleRecordLinks,
                .links(LinkOptions(linkedTableID: TableID(text: IdentifierText(time: 0, counter: 1))))
            ),
        ]
        var fields: [String: Field] = [:]
        for (index, (name, type, options)) in list.enumerated() {
            let id = FieldID(text: IdentifierText(time: 0, counter: UInt64(index)))
            fields[name] = Field(id: id, name: name, type: type, options: options)
        }
        return fields
    }()

    static func field(_ name: String) throws -> Field { try #require(fields[name], "no field \(name)") }

    static func context(typecast: Bool) -> CellContext {
        CellContext(typecast: typecast, users: users, zones: zones) {
            ChoiceID(text: IdentifierText(time: 9, counter: UInt64.random(in: 0...UInt64.max)))
        }
    }

    static func json(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

    static func object(_ text: String) throws -> JSONObject { try #require(try json(text).objectValue) }
}

/// The type of the error that the work ends in; nil when it does not.
func errorType(_ work: () throws -> Void) -> String? {
    do {
        try work()
        return nil
    } catch {
        return (error as? APIError)?.type ?? "\(error)"
    }
}
