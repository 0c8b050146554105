import CivilTime
package import FormulaLanguage
import RowhouseJSON
package import RowhouseModel
package import RowhouseWire
import Storage

/// How the stored cells of one field become values of formulas.
package enum CellForm: Sendable {
    case text, number, box, date, person, people, barcode
    /// With what makes the addresses that are part of their texts.
    case attachments(AttachmentLinks)
    /// The whole second in which a record was made.
    case second
    /// Choice names by number.
    case choice([Int64: String])
    case choices([Int64: String])
    /// Kept otherwise than in a cell: links, and what is computed.
    case nothing

    package init(_ field: Field, links: AttachmentLinks) {
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
        case .multipleAttachments: self = .attachments(links)
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
        case .attachments(let links):
            let texts = AttachmentCell.texts(Array(utf8), links)
            return texts.isEmpty ? .blank : .array(texts.map { .text($0) })
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
    /// The second it is in: times of creation are shown so everywhere.
    var wholeSecond: Instant {
        let (milliseconds, hasOverflown) = seconds.multipliedReportingOverflow(by: 1000)
        return hasOverflown ? self : Instant(milliseconds: milliseconds)
    }
}
