import CivilTime
package import RowhouseJSON
package import RowhouseModel

/// Writes records in Airtable's JSON from a batch, cell by cell into one buffer.
package struct RecordEncoder {
    private let columns: [ColumnEncoder]
    private let users: UserDirectory
    private let text: CellText?
    private let commentCount: Bool
    private var scratch: [UInt8] = []

    private static let idKey = Array(#"{"id":"rec"#.utf8)
    private static let createdTimeKey = Array(#"","createdTime":""#.utf8)
    private static let fieldsKey = Array(#","fields":"#.utf8)
    private static let commentCountKey = Array(#","commentCount":0"#.utf8)

    /// - Throws: `INVALID_REQUEST_UNKNOWN` for an unknown time zone.
    init(
        columns: [ColumnEncoder], presentation: RecordPresentation, users: UserDirectory, zones: TimeZoneDatabase
    ) throws(APIError) {
        self.columns = columns
        self.users = users
        commentCount = presentation.commentCount
        guard case .string(let timeZone, _) = presentation.cellFormat else {
            text = nil
            return
        }
        guard let zone = zones.zone(named: timeZone == "client" ? "utc" : timeZone) else { throw .invalidRequest }
        text = CellText(users: users, zone: zone, zones: zones)
    }

    /// Writes one record of the batch as an object.
    package mutating func write(record: Int, of batch: RecordBatch, to writer: inout JSONWriter) {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: Self.idKey)
        batch.ids[record].text.append(to: &scratch)
        scratch.append(contentsOf: Self.createdTimeKey)
        Instant(milliseconds: batch.createdTimes[record].seconds &* 1000).appendISO8601(to: &scratch)
        scratch.append(UInt8(ascii: "\""))
        if commentCount { scratch.append(contentsOf: Self.commentCountKey) }
        scratch.append(contentsOf: Self.fieldsKey)
        writer.key(escaped: scratch)
        writer.beginObject()
        let start = record * columns.count
        for (index, column) in columns.enumerated() {
            let slot = batch.slots[start + index]
            if case .empty = slot { continue }
            if let text {
                column.write(slot, shownBy: text, batch.text, to: &writer)
            } else {
                column.write(slot, text: batch.text, users: users, scratch: &scratch, to: &writer)
            }
        }
        writer.endObject()
        writer.endObject()
    }
}

/// Writes the cells of one field; prepared once for a version of its table.
final class ColumnEncoder: Sendable {
    private enum Form {
        case text, real, integer, checkbox, date, instant, second
        case choice([[UInt8]?])
        case choices([[UInt8]?])
        case collaborator, collaborators
        case json
    }

    private let field: Field
    private let key: [UInt8]
    private let form: Form

    init(field: Field, byID: Bool) {
        self.field = field
        key = JSONWriter.escapedKey(byID ? field.id.description : field.name)
        form = Self.form(of: field)
    }

    private static func form(of field: Field) -> Form {
        switch field.type {
        case .number, .percent, .currency, .duration, .rating: .real
        case .checkbox: .checkbox
        case .date: .date
        case .dateTime: .instant
        case .createdTime, .lastModifiedTime: timeForm(of: field.options)
        case .singleSelect: .choice(names(of: field.choices))
        case .multipleSelects: .choices(names(of: field.choices))
        case .singleCollaborator, .createdBy, .lastModifiedBy: .collaborator
        case .multipleCollaborators: .collaborators
        case .barcode, .multipleAttachments, .multipleRecordLinks: .json
        case .autoNumber: .integer
        default: .text
        }
    }

    private static func timeForm(of options: FieldOptions) -> Form {
        switch options {
        case .createdTime(.date), .lastModifiedTime(_, .date): .date
        // A field shows the same whole second as the record's own createdTime.
        case .createdTime: .second
        default: .instant
        }
    }

    /// Escaped names by choice number.
    private static func names(of choices: [SelectChoice]) -> [[UInt8]?] {
        var names: [[UInt8]?] = Array(repeating: nil, count: (choices.map(\.number).max() ?? -1) + 1)
        for choice in choices { names[choice.number] = JSONWriter.escapedString(choice.name) }
        return names
    }

    /// Writes the key and the JSON value of a cell that is not empty.
    func write(
        _ slot: CellSlot, text: [UInt8], users: UserDirectory, scratch: inout [UInt8], to writer: inout JSONWriter
    ) {
        switch (form, slot) {
        case (.text, .text(let start, let count)):
            writer.key(escaped: key)
            writer.string(utf8: text, start: Int(start), count: Int(count))
        case (.real, .real(let value)):
            writer.key(escaped: key)
            writer.number(value)
        case (.integer, .integer(let value)):
            writer.key(escaped: key)
            writer.integer(value)
        case (.checkbox, .integer(let value)):
            guard value != 0 else { return }
            writer.key(escaped: key)
            writer.bool(true)
        case (.date, .integer(let value)):
            writer.key(escaped: key)
            scratch.removeAll(keepingCapacity: true)
            DateCell.append(value, to: &scratch)
            writer.string(utf8: scratch, start: 0, count: scratch.count)
        case (.instant, .integer(let value)):
            writer.key(escaped: key)
            scratch.removeAll(keepingCapacity: true)
            Instant(milliseconds: value).appendISO8601(to: &scratch)
            writer.string(utf8: scratch, start: 0, count: scratch.count)
        case (.second, .integer(let value)):
            writer.key(escaped: key)
            scratch.removeAll(keepingCapacity: true)
            Instant(milliseconds: value - value % 1000).appendISO8601(to: &scratch)
            writer.string(utf8: scratch, start: 0, count: scratch.count)
        case (.choice(let names), .integer(let number)):
            guard number >= 0, number < names.count, let name = names[Int(number)] else { return }
            writer.key(escaped: key)
            writer.raw(name)
        case (.choices(let names), .text(let start, let count)):
            writeChoices(text[Int(start)..<Int(start) + Int(count)], names, to: &writer)
        default:
            writeRare(slot, text: text, users: users, to: &writer)
        }
    }

    private func writeChoices(_ kept: ArraySlice<UInt8>, _ names: [[UInt8]?], to writer: inout JSONWriter) {
        let known = SelectCell.numbers(kept).compactMap { $0 >= 0 && $0 < names.count ? names[$0] : nil }
        guard !known.isEmpty else { return }
        writer.key(escaped: key)
        writer.beginArray()
        for name in known { writer.raw(name) }
        writer.endArray()
    }

    /// Writes the key and the text that a person sees.
    func write(_ slot: CellSlot, shownBy text: CellText, _ bytes: [UInt8], to writer: inout JSONWriter) {
        guard let shown = text.text(Self.cell(slot, bytes), of: field), !shown.isEmpty else { return }
        writer.key(escaped: key)
        writer.string(shown)
    }

    private func writeRare(_ slot: CellSlot, text: [UInt8], users: UserDirectory, to writer: inout JSONWriter) {
        let cell = Self.cell(slot, text)
        switch (form, cell) {
        case (.collaborator, .text(let id)):
            writer.key(escaped: key)
            CollaboratorCell.write(id, users: users, to: &writer)
        case (.collaborators, .text(let ids)):
            writer.key(escaped: key)
            writer.beginArray()
            for id in ids.split(separator: ",") { CollaboratorCell.write(String(id), users: users, to: &writer) }
            writer.endArray()
        case (.json, .text(let json)):
            writer.key(escaped: key)
            writer.raw(Array(json.utf8))
        default: return
        }
    }

    private static func cell(_ slot: CellSlot, _ text: [UInt8]) -> StoredCell {
        switch slot {
        case .empty: .empty
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let start, let count):
            .text(String(decoding: text[Int(start)..<Int(start) + Int(count)], as: UTF8.self))
        }
    }
}
