package import CivilTime

/// A value while a formula runs (Airtable's runtime types).
package enum FormulaValue: Sendable {
    case blank
    case text(String)
    case number(Double)
    /// What comparisons and logical functions yield: 1 or 0 as a number and as an answer.
    case boolean(Bool)
    case date(FormulaDate)
    /// Lookups, rollups over several values, multiple selects, links by the names of their records …
    case array([FormulaValue])
    /// `#ERROR!`
    case error
}

/// An instant, with the zone and the words it is to be shown in where `SET_TIMEZONE` or `SET_LOCALE` said so.
package struct FormulaDate: Sendable {
    package var instant: Instant
    /// Nil: UTC and English.
    package var setting: Setting?

    /// What `SET_TIMEZONE` and `SET_LOCALE` say; a class, so that a value stays two words long.
    package final class Setting: Sendable {
        package let zone: TimeZoneRules?
        package let locale: LocaleTable?
        package init(zone: TimeZoneRules?, locale: LocaleTable?) {
            self.zone = zone
            self.locale = locale
        }
    }

    package init(_ instant: Instant, setting: Setting? = nil) {
        self.instant = instant
        self.setting = setting
    }
}
