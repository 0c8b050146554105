import CivilTime
import RowhouseJSON
import RowhouseModel

/// A table of comma-separated values as a base: the first row names the fields, the cells tell their types.
///
/// A field is a number, a date, a date with a time or a checkbox where every cell is exactly what a field of this type
/// would be written as again; else it is text, on one line or on several. So nothing changes on the way in.
package enum CSVBase {
    /// - Parameters:
    ///   - name: of the base and of its table.
    ///   - path: for messages.
    package static func read(_ bytes: [UInt8], name: String, path: String) throws(TransferError) -> BaseFile {
        do { return try base(bytes, name) } catch {
            guard case .file(let message) = error else { throw error }
            throw .file("\(path): \(message)")
        }
    }

    private static func base(_ bytes: [UInt8], _ name: String) throws(TransferError) -> BaseFile {
        guard bytes.count <= BaseFile.limit else { throw .file("it has more than 64 MiB.") }
        var reader = try CSVReader(bytes)
        guard let header = try reader.row() else { throw .file("it is empty: the first line names the fields.") }
        let names = self.names(header)
        var rows: [[String]] = []
        while true {
            let line = reader.line
            guard let row = try reader.row() else { break }
            guard row.count <= names.count else {
                throw .file("line \(line): \(row.count) cells, but the first line names \(names.count) fields.")
            }
            rows.append(row)
        }
        let types = names.indices.map { column in
            CSVColumn(rows.lazy.compactMap { $0.count > column && !$0[column].isEmpty ? $0[column] : nil })
        }
        // The first field is the primary one, and not every type can be.
        let kinds = types.enumerated().map { $0.offset == 0 && $0.element == .checkbox ? CSVColumn.line : $0.element }
        let fields = zip(names, kinds).map { name, kind in
            JSONValue.object(JSONObject([("name", .string(name)), ("type", .string(kind.type))] + kind.options))
        }
        let records = rows.map { row in
            JSONValue.object(
                JSONObject(
                    zip(zip(names, kinds), row).compactMap { column, cell in
                        cell.isEmpty ? nil : (column.0, column.1.value(cell))
                    }))
        }
        return try BaseFile([
            "name": .string(name),
            "tables": [["name": .string(name), "fields": .array(fields), "records": .array(records)]],
        ])
    }

    /// Names as they stand; one that is missing or there already gets a number.
    private static func names(_ header: [String]) -> [String] {
        var taken: Set<String> = []
        return header.enumerated().map { index, cell in
            let name = cell.isEmpty ? "Field \(index + 1)" : cell
            var free = name
            var number = 2
            while !taken.insert(free.lowercased()).inserted {
                free = "\(name) \(number)"
                number += 1
            }
            return free
        }
    }
}

/// What the cells of a column have in common.
enum CSVColumn: Equatable {
    case number(precision: Int), checkbox, date, dateTime, line, lines

    init(_ cells: some Sequence<String>) {
        var isEmpty = true
        var (isNumber, isBox, isDate, isTime, isLine) = (true, true, true, true, true)
        var precision = 0
        for cell in cells {
            isEmpty = false
            if isNumber {
                let decimals = Self.decimals(cell)
                isNumber = decimals != nil
                precision = max(precision, decimals ?? 0)
            }
            isBox = isBox && cell == "true"
            isDate = isDate && cell.utf8.count == 10 && Self.instant(cell + "T00:00:00.000Z") != nil
            isTime = isTime && cell.utf8.count == 24 && Self.instant(cell) != nil
            isLine = isLine && !cell.utf8.contains { $0 == 10 || $0 == 13 }
        }
        if isEmpty {
            self = .line
        } else if isNumber {
            self = .number(precision: precision)
        } else if isBox {
            self = .checkbox
        } else if isDate {
            self = .date
        } else if isTime {
            self = .dateTime
        } else {
            self = isLine ? .line : .lines
        }
    }

    var type: String {
        switch self {
        case .number: "number"
        case .checkbox: "checkbox"
        case .date: "date"
        case .dateTime: "dateTime"
        case .line: "singleLineText"
        case .lines: "multilineText"
        }
    }

    var options: [(String, JSONValue)] {
        switch self {
        case .number(let precision): [("options", ["precision": .number(Double(precision))])]
        case .checkbox: [("options", ["icon": "check", "color": "greenBright"])]
        case .date: [("options", ["dateFormat": ["name": "iso"]])]
        case .dateTime:
            [
                (
                    "options",
                    ["dateFormat": ["name": "iso"], "timeFormat": ["name": "24hour"], "timeZone": "utc"]
                )
            ]
        case .line, .lines: []
        }
    }

    func value(_ cell: String) -> JSONValue {
        switch self {
        case .number: Double(cell).map { .number($0) } ?? .string(cell)
        case .checkbox: true
        case .date, .dateTime, .line, .lines: .string(cell)
        }
    }

    /// How many decimals a number has; nil for what a number field would not be written as again, such as `007`,
    /// `1.50`, a number of more digits than are kept, or one of more than eight decimals.
    private static func decimals(_ cell: String) -> Int? {
        guard let value = Double(cell), value.isFinite, cell.utf8.count <= 24,
            String(decoding: JSONValue.number(value).bytes, as: UTF8.self) == cell,
            !cell.utf8.contains(UInt8(ascii: "e"))
        else { return nil }
        let decimals = cell.utf8.firstIndex(of: UInt8(ascii: ".")).map {
            cell.utf8.distance(from: $0, to: cell.utf8.endIndex) - 1
        }
        guard decimals ?? 0 <= 8 else { return nil }
        return decimals ?? 0
    }

    /// The instant of a text, if it is the very text that the instant is written as.
    private static func instant(_ text: String) -> Instant? {
        guard let instant = Instant(iso8601: text), instant.iso8601 == text else { return nil }
        return instant
    }
}
