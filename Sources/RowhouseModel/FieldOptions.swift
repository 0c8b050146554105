/// The options of a field, by the shape that its type needs.
package enum FieldOptions: Sendable, Equatable {
    case none
    /// `number` and `percent`: decimals shown, 0–8.
    case number(precision: Int)
    case currency(precision: Int, symbol: String)
    case duration(format: String)
    case rating(icon: String, max: Int, color: String)
    case checkbox(icon: String, color: String)
    case date(DateFormat)
    case dateTime(DateTimeFormat)
    /// Selects: the choices in their order, and the greatest number that a choice was ever given where that choice is
    /// gone (else 0), so that no number is given twice.
    case choices([SelectChoice], greatestNumber: Int = 0)
    case attachments(isReversed: Bool)
    /// `createdTime`: how it is shown.
    case createdTime(result: TimeResult)
    /// `lastModifiedTime`: the fields watched (empty = all writable fields) and how it is shown, and which
    /// of those watched are gone; not valid while all of them are.
    case lastModifiedTime(referencedFieldIDs: [FieldID], gone: Set<FieldID> = [], result: TimeResult)
    case links(LinkOptions)
    indirect case formula(FormulaOptions)
    indirect case rollup(RollupOptions)
    indirect case lookup(LookupOptions)
    /// `count`: the link field of the same table whose links are counted; nil while it is gone, and then known as
    /// missing.
    case count(recordLinkFieldID: FieldID?, missing: FieldID? = nil)
    case button(ButtonOptions)
}

extension FieldOptions {
    /// The options of a select field in which numbers up to `greatestNumber` were given.
    package static func choices(_ choices: [SelectChoice], given greatestNumber: Int) -> FieldOptions {
        let isGone = greatestNumber > choices.map(\.number).max() ?? 0
        return .choices(choices, greatestNumber: isGone ? greatestNumber : 0)
    }
}

/// How a date is shown; `format` follows from `name`.
package struct DateFormat: Sendable, Equatable {
    package let name: String
    package init(name: String) { self.name = name }

    /// The moment-style pattern of each name that Airtable offers.
    package static let patterns: [String: String] = [
        "local": "l", "friendly": "LL", "us": "M/D/YYYY", "european": "D/M/YYYY", "iso": "YYYY-MM-DD",
    ]
    /// The moment-style pattern that belongs to the name.
    package var format: String { Self.patterns[name] ?? "l" }
    package static let local = Self(name: "local")
    package static let iso = Self(name: "iso")
}

/// How a time of day is shown; `format` follows from `name`.
package struct TimeFormat: Sendable, Equatable {
    package let name: String
    package init(name: String) { self.name = name }
    /// The moment-style pattern of each name that Airtable offers.
    package static let patterns: [String: String] = ["12hour": "h:mma", "24hour": "HH:mm"]
    /// The moment-style pattern that belongs to the name.
    package var format: String { Self.patterns[name] ?? "HH:mm" }
}

/// How an instant is shown, and the zone in which texts without one are read.
package struct DateTimeFormat: Sendable, Equatable {
    package let date: DateFormat
    package let time: TimeFormat
    /// `utc`, `client` or an IANA name.
    package let timeZone: String
    package init(date: DateFormat, time: TimeFormat, timeZone: String) {
        self.date = date
        self.time = time
        self.timeZone = timeZone
    }
}

/// How a computed time is shown: as a date or as an instant.
package enum TimeResult: Sendable, Equatable {
    case date(DateFormat)
    case dateTime(DateTimeFormat)

    /// What a field without options shows: `2024-05-01 10:00` in UTC.
    package static let standard = Self.dateTime(
        DateTimeFormat(date: .iso, time: TimeFormat(name: "24hour"), timeZone: "utc"))
}

/// One choice of a select field.
package struct SelectChoice: Sendable, Equatable {
    package let id: ChoiceID
    package var name: String
    package var color: String?
    /// What cells hold, counted up in a field and never given twice, so that renaming or moving a choice touches no
    /// cell, and a cell that still holds the number of a choice that is gone shows nothing.
    package let number: Int

    package init(id: ChoiceID, name: String, color: String?, number: Int) {
        self.id = id
        self.name = name
        self.color = color
        self.number = number
    }

    /// Whether this is its name byte by byte: of two spellings of a letter that Unicode holds equal, only one is.
    package func isNamed(_ text: String) -> Bool { name.utf8.elementsEqual(text.utf8) }

    /// Colours given in turn to choices created without one.
    package static let colorCycle: [String] = ["Light2", "Light1", "Bright", "Dark1"].flatMap { shade in
        hues.map { $0 + shade }
    }
    /// The ten hues of a choice.
    package static let hues = [
        "blue", "cyan", "teal", "green", "yellow", "orange", "red", "pink", "purple", "gray",
    ]
}
