package import CivilTime
import RowhouseJSON
package import RowhouseModel

/// Cells as a person sees them, for `cellFormat=string`.
package struct CellText: Sendable {
    let users: UserDirectory
    /// The zone in which instants are shown when the field's zone is the reader's.
    let zone: TimeZoneRules
    let zones: TimeZoneDatabase
    /// The words of the reader's language.
    let locale: LocaleTable
    /// The links of attachments.
    private let links: AttachmentLinks?

    init(
        users: UserDirectory, zone: TimeZoneRules, zones: TimeZoneDatabase, locale: LocaleTable,
        links: AttachmentLinks? = nil
    ) {
        self.links = links
        self.users = users
        self.zone = zone
        self.zones = zones
        self.locale = locale
    }

    /// Nil where cells are answered as JSON values.
    ///
    /// - Throws: `INVALID_REQUEST_UNKNOWN` for an unknown time zone.
    package init?(
        _ presentation: RecordPresentation, users: UserDirectory, zones: TimeZoneDatabase, links: AttachmentLinks
    ) throws(APIError) {
        guard case .string(let timeZone, let userLocale) = presentation.cellFormat else { return nil }
        guard let zone = zones.zone(named: timeZone == "client" ? "utc" : timeZone) else { throw .invalidRequest }
        // A language without a table is shown in English, as the library moment does.
        let locale = LocaleTable.named(userLocale) ?? .english
        self.init(users: users, zone: zone, zones: zones, locale: locale, links: links)
    }

    /// The text of a cell of a batch; nil for nothing to show.
    package func text(_ slot: CellSlot, _ text: [UInt8], of field: Field) -> String? {
        switch slot {
        case .empty: nil
        case .integer(let value): self.text(.integer(value), of: field.shown)
        case .real(let value): self.text(.real(value), of: field.shown)
        case .text(let start, let count), .json(let start, let count):
            self.text(
                .text(String(decoding: text[Int(start)..<Int(start) + Int(count)], as: UTF8.self)), of: field.shown)
        }
    }

    /// The text of a cell that is not empty; nil for nothing to show.
    func text(_ cell: StoredCell, of field: Field) -> String? {
        switch (field.type, cell) {
        case (_, .empty): return nil
        case (.checkbox, .integer(let flag)): return flag == 0 ? nil : "checked"
        case (.singleSelect, .integer(let number)):
            return field.choices.first { $0.number == Int(number) }?.name
        case (.multipleSelects, .text(let text)):
            let names = SelectCell.numbers(text.utf8).compactMap { number in
                field.choices.first { $0.number == number }?.name
            }
            return names.joined(separator: ", ")
        case (.singleCollaborator, .text(let id)), (.createdBy, .text(let id)), (.lastModifiedBy, .text(let id)):
            return CollaboratorCell.name(id, users: users)
        case (.multipleCollaborators, .text(let ids)):
            return ids.split(separator: ",").map { CollaboratorCell.name(String($0), users: users) }
                .joined(separator: ", ")
        case (.multipleAttachments, .text(let json)): return links.map { AttachmentCell.text(json, $0.maker()) }
        case (.barcode, .text(let json)): return BarcodeCell.text(json)
        case (_, .text(let text)): return text
        case (.duration, .real(let seconds)): return DurationCell.text(seconds, of: field)
        case (_, .real(let value)): return NumberCell.text(value, of: field)
        case (.autoNumber, .integer(let number)): return String(number)
        case (_, .integer(let milliseconds)): return time(Instant(milliseconds: milliseconds), of: field)
        }
    }

    private func time(_ instant: Instant, of field: Field) -> String {
        switch field.options {
        case .date(let format): return date(instant, format)
        case .dateTime(let format): return dateTime(instant, format)
        case .createdTime(let result), .lastModifiedTime(_, _, let result):
            switch result {
            case .date(let format): return date(instant, format)
            case .dateTime(let format): return dateTime(instant, format)
            }
        default: return instant.iso8601
        }
    }

    private func date(_ instant: Instant, _ format: DateFormat) -> String {
        DatePattern(format.format, locale: locale).format(instant)
    }

    private func dateTime(_ instant: Instant, _ format: DateTimeFormat) -> String {
        let own = format.timeZone == "client" ? nil : zones.zone(named: format.timeZone)
        return DatePattern(format.date.format + " " + format.time.format, locale: locale)
            .format(instant, in: own ?? zone)
    }
}
