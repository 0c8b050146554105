import CivilTime

/// What a function finds where it wants a date.
enum DateArgument {
    /// A blank value, an empty text or a list without items.
    case missing
    case date(FormulaDate)
    /// A text that is no date, or something else altogether.
    case invalid

    init(_ value: FormulaValue) {
        switch value {
        case .blank: self = .missing
        case .date(let date): self = .date(date)
        case .text(let text): self = text.isEmpty ? .missing : FormulaDate(text).map(DateArgument.date) ?? .invalid
        case .array(let items):
            self = items.first.map { items.count == 1 ? DateArgument($0) : .invalid } ?? .missing
        case .number, .boolean, .error: self = .invalid
        }
    }

    /// The date; nil when it is missing or invalid.
    var date: FormulaDate? { if case .date(let date) = self { date } else { nil } }

    /// Blank for what is missing, an error for what is invalid, else what the function makes of the date.
    func map(_ transform: (FormulaDate) -> FormulaValue) -> FormulaValue {
        switch self {
        case .missing: .blank
        case .invalid: .error
        case .date(let date): transform(date)
        }
    }
}

extension FormulaDate {
    /// The zone that `SET_TIMEZONE` gave, else UTC.
    var zone: TimeZoneRules { setting?.zone ?? .utc }

    /// The words that `SET_LOCALE` gave, else English.
    var locale: LocaleTable { setting?.locale ?? .english }

    /// What clocks of its zone show.
    var local: CivilDateTime { zone.local(at: instant) }

    /// Another instant to be shown in the same way; nil stays nil.
    func moved(to instant: Instant?) -> FormulaValue {
        instant.map { .date(FormulaDate($0, setting: setting)) } ?? .error
    }
}

extension FormulaType {
    /// The type of a date made from a value of this type; texts are taken to name a time of day.
    var asDate: FormulaType {
        switch self {
        case .date: self
        case .array(let item): item.asDate
        default: .date(hasTime: true)
        }
    }
}
