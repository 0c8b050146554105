/// The name of a way to show dates, as Airtable's field options have it; open for names to come.
package struct DateFormatName: RawRepresentable, Hashable, Sendable {
    /// The name as it stands in a field's options.
    package let rawValue: String

    /// Any name, known or not.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// `l`: the short form of the locale.
    package static let local = DateFormatName(rawValue: "local")
    /// `LL`: the long form of the locale.
    package static let friendly = DateFormatName(rawValue: "friendly")
    /// `M/D/YYYY`.
    package static let us = DateFormatName(rawValue: "us")
    /// `D/M/YYYY`.
    package static let european = DateFormatName(rawValue: "european")
    /// `YYYY-MM-DD`.
    package static let iso = DateFormatName(rawValue: "iso")

    /// All known names in the order of Airtable's pages.
    package static let all: [DateFormatName] = [.local, .friendly, .us, .european, .iso]

    /// The pattern that belongs to the name; nil for an unknown name.
    package var pattern: String? {
        switch self {
        case .local: "l"
        case .friendly: "LL"
        case .us: "M/D/YYYY"
        case .european: "D/M/YYYY"
        case .iso: "YYYY-MM-DD"
        default: nil
        }
    }
}

/// The name of a way to show times of day, as Airtable's field options have it; open for names to come.
package struct TimeFormatName: RawRepresentable, Hashable, Sendable {
    /// The name as it stands in a field's options.
    package let rawValue: String

    /// Any name, known or not.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// `h:mma`.
    package static let twelveHour = TimeFormatName(rawValue: "12hour")
    /// `HH:mm`.
    package static let twentyFourHour = TimeFormatName(rawValue: "24hour")

    /// All known names.
    package static let all: [TimeFormatName] = [.twelveHour, .twentyFourHour]

    /// The pattern that belongs to the name; nil for an unknown name.
    package var pattern: String? {
        switch self {
        case .twelveHour: "h:mma"
        case .twentyFourHour: "HH:mm"
        default: nil
        }
    }
}
