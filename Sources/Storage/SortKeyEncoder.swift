import CivilTime
import RowhouseJSON
package import RowhouseModel

/// Makes of a record's cells one key whose byte order is the order asked for, for stored indexes and for sorting
/// in memory alike.
///
/// Empty cells come first ascending. A descending key is the ascending one with every bit turned. Every key ends in
/// the record's id, in the direction of the last sort key, so that no two records are equal and an order read
/// backwards is its exact reverse: `key(desc) == inverted(key(asc))`. Of one cell at most `TextOrder.limit` bytes count.
package struct SortKeyEncoder: Sendable {
    /// Counts up whenever the bytes made from the same cells change; stored keys of another version are worthless.
    package static let version = 1

    /// The positions in the table's fields of the cells that a key is made of.
    package let fields: [Int]
    private let parts: [Part]
    private let users: UserDirectory

    /// An encoder for one order of a table; keys on fields that do not exist count as always empty.
    package init(table: TableSchema, order: [SortKey], users: UserDirectory) {
        self.users = users
        fields = order.map(\.field)
        parts = order.map { key in
            let form = table.fields.indices.contains(key.field) ? Form(table.fields[key.field]) : .nothing
            return Part(form: form, isDescending: key.direction == .desc)
        }
    }

    /// The key of a record; `cells` holds one value for each of `fields`.
    package func key(of record: RecordID, cells: [StoredCell]) -> [UInt8] {
        var batch = RecordBatch(fields: [])
        batch.append(id: record, createdTime: .init(milliseconds: 0), cells: cells)
        return key(of: record, slots: batch.slots[...], text: batch.text)
    }

    /// The key of one record of a batch; `columns` says where in the batch's fields each of `fields` is.
    package func key(ofRecord record: Int, in batch: RecordBatch, columns: [Int]) -> [UInt8] {
        let first = record * batch.fields.count
        return key(of: batch.ids[record], slots: columns.map { batch.slots[first + $0] }[...], text: batch.text)
    }

    /// The key of one record of a batch whose fields are exactly `fields`.
    package func key(ofRecord record: Int, in batch: RecordBatch) -> [UInt8] {
        let first = record * parts.count
        return key(of: batch.ids[record], slots: batch.slots[first..<first + parts.count], text: batch.text)
    }

    /// Replaces the bytes by the key of one record of a batch that has all fields of the table.
    package func key(ofWholeRecord record: Int, in batch: RecordBatch, into bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        let first = record * batch.fields.count
        for (place, field) in fields.enumerated() {
            let slot = batch.fields.indices.contains(field) ? batch.slots[first + field] : .empty
            appendPart(place, slot, batch.text, to: &bytes)
        }
        appendEnd(batch.ids[record], to: &bytes)
    }

    private func key(of record: RecordID, slots: ArraySlice<CellSlot>, text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        for (place, slot) in zip(parts.indices, slots) { appendPart(place, slot, text, to: &bytes) }
        appendEnd(record, to: &bytes)
        return bytes
    }

    /// Appends what one cell comes to in a key: the part of the order's key at this place.
    package func appendPart(_ place: Int, _ slot: CellSlot, _ text: [UInt8], to bytes: inout [UInt8]) {
        let start = bytes.count
        append(slot, text, parts[place].form, to: &bytes)
        if parts[place].isDescending { invert(&bytes, from: start) }
    }

    /// Appends what `write` writes as the part of the order's key at this place, for cells that only the caller can
    /// compare; it is cut and turned as every part is.
    package func appendPart(_ place: Int, to bytes: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        let limit = start + 1 + TextOrder.limit
        if bytes.count > limit { bytes.removeSubrange(limit...) }
        if parts[place].isDescending { invert(&bytes, from: start) }
    }

    /// Appends the end of every key.
    package func appendEnd(_ record: RecordID, to bytes: inout [UInt8]) {
        let start = bytes.count
        record.text.append(to: &bytes)
        if endsDescending { invert(&bytes, from: start) }
    }

    /// Whether the record's id at the end of a key has every bit turned.
    package var endsDescending: Bool { parts.last?.isDescending == true }

    private func append(_ slot: CellSlot, _ text: [UInt8], _ form: Form, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(1)
        let isEmpty: Bool
        switch slot {
        case .empty: isEmpty = true
        case .integer(let value): isEmpty = !append(value, form, to: &bytes)
        case .real(let value): isEmpty = !append(value, form, to: &bytes)
        case .text(let first, let count), .json(let first, let count):
            let end = min(Int(first) + Int(count), text.count)
            isEmpty = !append(text, min(Int(first), end)..<end, form, to: &bytes)
        }
        if isEmpty { bytes.removeSubrange(start...) }
        if isEmpty { bytes.append(0) }
        let limit = start + 1 + TextOrder.limit
        if bytes.count > limit { bytes.removeSubrange(limit...) }
    }

    /// Appends an integer cell; false when it counts as empty.
    private func append(_ value: Int64, _ form: Form, to bytes: inout [UInt8]) -> Bool {
        switch form {
        case .box:
            return value != 0
        case .choice(let places):
            guard let place = places[value] else { return false }
            bytes.append(bigEndian: UInt64(place), count: 4)
            return true
        case .integer:
            bytes.append(bigEndian: UInt64(bitPattern: value) ^ 1 << 63, count: 8)
            return true
        case .real:
            return append(Double(value), form, to: &bytes)
        default:
            return false
        }
    }

    private func append(_ value: Double, _ form: Form, to bytes: inout [UInt8]) -> Bool {
        guard case .real = form, !value.isNaN else { return false }
        let bits = (value == 0 ? 0 : value).bitPattern
        bytes.append(bigEndian: bits >> 63 == 0 ? bits ^ 1 << 63 : ~bits, count: 8)
        return true
    }

    private func append(_ text: [UInt8], _ range: Range<Int>, _ form: Form, to bytes: inout [UInt8]) -> Bool {
        guard !range.isEmpty else { return false }
        switch form {
        case .text:
            TextOrder.appendKey(of: text, range, to: &bytes)
            return true
        case .choices(let places):
            let items = StoredCell.choiceNumbers(text[range]).compactMap { places[$0] }
            for place in items { bytes.append(bigEndian: 1 << 32 | UInt64(place), count: 5) }
            bytes.append(0)
            return !items.isEmpty
        case .people:
            let ids = text[range].split(separator: UInt8(ascii: ","))
            for id in ids {
                bytes.append(1)
                appendName(of: Array(id), to: &bytes)
            }
            bytes.append(0)
            return !ids.isEmpty
        case .barcode:
            return appendBarcode(Array(text[range]), to: &bytes)
        case .attachments:
            return appendAttachments(Array(text[range]), to: &bytes)
        default:
            return false
        }
    }

    private func appendName(of id: [UInt8], to bytes: inout [UInt8]) {
        let name = UserID(bytes: id).flatMap { users.user($0) }.map { Array($0.name.utf8) } ?? []
        TextOrder.appendKey(of: name, 0..<name.count, to: &bytes)
    }

    private func appendBarcode(_ json: [UInt8], to bytes: inout [UInt8]) -> Bool {
        guard let text = (try? JSONParser.parse(json))?.objectValue?["text"]?.stringValue else { return false }
        let utf8 = Array(text.utf8)
        TextOrder.appendKey(of: utf8, 0..<utf8.count, to: &bytes)
        return true
    }

    /// By their number, then by their names.
    private func appendAttachments(_ kept: [UInt8], to bytes: inout [UInt8]) -> Bool {
        guard let attachments = Attachment.list(kept), !attachments.isEmpty else { return false }
        bytes.append(bigEndian: UInt64(attachments.count), count: 4)
        for attachment in attachments {
            bytes.append(1)
            let name = Array(attachment.filename.utf8)
            TextOrder.appendKey(of: name, 0..<name.count, to: &bytes)
        }
        bytes.append(0)
        return true
    }

    private func invert(_ bytes: inout [UInt8], from start: Int) {
        for index in start..<bytes.count { bytes[index] = ~bytes[index] }
    }

    private struct Part: Sendable {
        let form: Form
        let isDescending: Bool
    }

    /// How the cells of a type are compared.
    private enum Form: Sendable {
        case text, real, integer, box, people, barcode, attachments
        /// By the place of the choice; cells hold its number.
        case choice([Int64: UInt32])
        /// By the places of the choices, item by item.
        case choices([Int64: UInt32])
        /// Types without an order of their own yet: all equal.
        case nothing

        init(_ field: Field) {
            switch field.type {
            case .singleLineText, .multilineText, .richText, .email, .url, .phoneNumber: self = .text
            case .number, .percent, .currency, .duration, .rating: self = .real
            case .checkbox: self = .box
            case .date, .dateTime, .autoNumber, .createdTime, .lastModifiedTime: self = .integer
            case .singleSelect: self = .choice(Self.places(of: field))
            case .multipleSelects: self = .choices(Self.places(of: field))
            case .singleCollaborator, .multipleCollaborators, .createdBy, .lastModifiedBy: self = .people
            case .barcode: self = .barcode
            case .multipleAttachments: self = .attachments
            default: self = .nothing
            }
        }

        private static func places(of field: Field) -> [Int64: UInt32] {
            let pairs = field.choices.enumerated().map { (Int64($1.number), UInt32(truncatingIfNeeded: $0)) }
            return Dictionary(pairs) { first, _ in first }
        }
    }
}

extension FieldType {
    /// Whether a record's own kept cell says where it stands in an order by this field. Cells of every other type are
    /// made from other cells or records: to a store all of them are equal, and the engine orders by them.
    package var hasSortKey: Bool {
        switch self {
        case .autoNumber, .createdTime, .createdBy: true
        default: kept != .nothing && kept != .links
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian value: UInt64, count: Int) {
        for shift in stride(from: 8 * (count - 1), through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }
}

extension StoredCell {
    /// The choice numbers of a stored list such as `[3,1]`; anything else in it is passed over.
    package static func choiceNumbers(_ text: ArraySlice<UInt8>) -> [Int64] {
        text.split { !($0 &- 48 < 10) }.compactMap { digits in
            digits.count > 18 ? nil : digits.reduce(0) { $0 * 10 + Int64($1 &- 48) }
        }
    }
}
