package import CivilTime
package import FormulaLanguage
import RowhouseJSON
package import RowhouseModel
import Storage

/// The records of one batch as one formula sees them: stored cells become values when they are asked for; values of
/// links and computed fields are put beside them.
///
/// Used by one thread. A class, so that a record of it is two words long.
package final class FormulaBatch {
    package let batch: RecordBatch
    /// When each record was last changed, where that was read.
    package var modifiedTimes: [Instant?] = []
    private let users: UserDirectory
    private let slots: [Slot]
    /// By slot and record; empty for slots that come from stored cells.
    private var values: [[FormulaValue]]

    /// Where the value of a slot of the formula comes from.
    private struct Slot {
        /// The place in the batch's fields; nil when the batch does not have the field.
        let column: Int?
        let form: CellForm
    }

    /// - Parameter fields: what the formula refers to, by slot (`CheckedFormula.fields`).
    package init(_ batch: RecordBatch, fields: [FieldID], users: UserDirectory) {
        self.batch = batch
        self.users = users
        let columns = Dictionary(batch.fields.enumerated().map { ($1.id, $0) }) { first, _ in first }
        slots = fields.map { id in
            guard let column = columns[id] else { return Slot(column: nil, form: .nothing) }
            return Slot(column: column, form: CellForm(batch.fields[column]))
        }
        values = Array(repeating: [], count: fields.count)
    }

    /// Puts in place what a slot holds in each record, instead of stored cells.
    package func set(_ values: [FormulaValue], slot: Int) {
        if self.values.indices.contains(slot) { self.values[slot] = values }
    }

    /// One record by its place in the batch.
    package func record(_ index: Int) -> StoredFormulaRecord { StoredFormulaRecord(batch: self, index: index) }

    /// The value of a slot in one record; blank for what is not there.
    package func value(_ slot: Int, record: Int) -> FormulaValue {
        guard slots.indices.contains(slot) else { return .blank }
        if values[slot].indices.contains(record) { return values[slot][record] }
        guard let column = slots[slot].column else { return .blank }
        let place = record * batch.fields.count + column
        guard batch.slots.indices.contains(place) else { return .blank }
        return slots[slot].form.value(batch.slots[place], batch.text, users)
    }
}

/// One record of a batch, as formulas look at it.
package struct StoredFormulaRecord: FormulaRecord {
    private let batch: FormulaBatch
    private let index: Int

    init(batch: FormulaBatch, index: Int) {
        self.batch = batch
        self.index = index
    }

    package func value(_ slot: Int) -> FormulaValue { batch.value(slot, record: index) }

    package var id: RecordID { batch.batch.ids[index] }

    package var createdTime: Instant { batch.batch.createdTimes[index].wholeSecond }

    package func lastModifiedTime(_ slots: [Int]) -> Instant? {
        batch.modifiedTimes.indices.contains(index) ? batch.modifiedTimes[index] : nil
    }
}

/// How the stored cells of one field become values of formulas.
package enum CellForm: Sendable {
    case text, number, box, date, person, people, barcode
    /// The whole second in which a record was made, as it is shown everywhere.
    case second
    /// Choice names by number.
    case choice([Int64: String])
    case choices([Int64: String])
    /// Kept otherwise than in a cell: links, and what is computed.
    case nothing

    package init(_ field: Field) {
        switch field.type {
        case .singleLineText, .multilineText, .richText, .email, .url, .phoneNumber: self = .text
        case .number, .percent, .currency, .duration, .rating, .autoNumber: self = .number
        case .checkbox: self = .box
        case .date, .dateTime, .lastModifiedTime: self = .date
        case .createdTime: self = .second
        case .singleSelect: self = .choice(Self.names(of: field))
        case .multipleSelects: self = .choices(Self.names(of: field))
        case .singleCollaborator, .createdBy, .lastModifiedBy: self = .person
        case .multipleCollaborators: self = .people
        case .barcode: self = .barcode
        default: self = .nothing
        }
    }

    private static func names(of field: Field) -> [Int64: String] {
        Dictionary(field.choices.map { (Int64($0.number), $0.name) }) { first, _ in first }
    }

    /// The value of a cell; `text` is the text of its batch.
    package func value(_ slot: CellSlot, _ text: [UInt8], _ users: UserDirectory) -> FormulaValue {
        switch slot {
        case .empty:
            // A box is never blank.
            if case .box = self { return .boolean(false) }
            return .blank
        case .integer(let value): return self.value(value)
        case .real(let value): return self.value(value)
        case .text(let start, let count):
            let end = min(Int(start) + Int(count), text.count)
            return self.value(text[min(Int(start), end)..<end], users)
        // Made by computing, whose results reach formulas as values.
        case .json: return .blank
        }
    }

    private func value(_ integer: Int64) -> FormulaValue {
        switch self {
        case .number: .number(Double(integer))
        case .box: .boolean(integer != 0)
        case .date: .date(FormulaDate(Instant(milliseconds: integer)))
        case .second: .date(FormulaDate(Instant(milliseconds: integer).wholeSecond))
        case .choice(let names): names[integer].map { .text($0) } ?? .blank
        default: .blank
        }
    }

    private func value(_ real: Double) -> FormulaValue {
        if case .number = self { .number(real) } else { .blank }
    }

    private func value(_ utf8: ArraySlice<UInt8>, _ users: UserDirectory) -> FormulaValue {
        guard !utf8.isEmpty else { return .blank }
        switch self {
        case .text: return .text(String(decoding: utf8, as: UTF8.self))
        case .choices(let names):
            let items = StoredCell.choiceNumbers(utf8).compactMap { names[$0].map { FormulaValue.text($0) } }
            return items.isEmpty ? .blank : .array(items)
        case .person: return .text(Self.name(utf8, users))
        case .people: return .array(utf8.split(separator: UInt8(ascii: ",")).map { .text(Self.name($0, users)) })
        case .barcode:
            guard let text = (try? JSONParser.parse(Array(utf8)))?.objectValue?["text"]?.stringValue, !text.isEmpty
            else { return .blank }
            return .text(text)
        default: return .blank
        }
    }

    /// The display name of a user, or the id of one who is not known.
    private static func name(_ id: ArraySlice<UInt8>, _ users: UserDirectory) -> String {
        UserID(bytes: Array(id)).flatMap { users.user($0)?.name } ?? String(decoding: id, as: UTF8.self)
    }
}

extension Instant {
    /// The second it is in.
    fileprivate var wholeSecond: Instant {
        let (milliseconds, hasOverflown) = seconds.multipliedReportingOverflow(by: 1000)
        return hasOverflown ? self : Instant(milliseconds: milliseconds)
    }
}
