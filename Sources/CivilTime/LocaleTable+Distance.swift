extension LocaleTable {
    /// The length of time between two instants in words, as moment's `humanize` says it: `a few seconds`, `25 days`.
    ///
    /// Months are counted on the calendar of UTC from the earlier one; which it is does not show.
    package func distance(between one: Instant, _ other: Instant) -> String {
        let (months, milliseconds) = Self.monthsAndRest(from: min(one, other), to: max(one, other))
        let rest = Double(milliseconds)
        // moment's mean month of the Gregorian calendar.
        let days = (Double(months) * 146_097 / 4800).rounded()
        let allMonths = Double(months) + rest / 86_400_000 * 4800 / 146_097
        let words = relativeWords
        let minutes = (days * 1440 + rest / 60_000).rounded()
        let hours = (days * 24 + rest / 3_600_000).rounded()
        let wholeDays = (days + rest / 86_400_000).rounded()
        if (days * 86_400 + rest / 1000).rounded() < 45 { return words.fewSeconds }
        if minutes < 45 { return Self.text(minutes, words.minute, words.minutes) }
        if hours < 22 { return Self.text(hours, words.hour, words.hours) }
        if wholeDays < 26 { return Self.text(wholeDays, words.day, words.days) }
        if allMonths.rounded() < 11 { return Self.text(allMonths.rounded(), words.month, words.months) }
        return Self.text((allMonths / 12).rounded(), words.year, words.years)
    }

    private static func text(_ count: Double, _ one: String, _ many: String) -> String {
        guard count > 1, let sign = many.utf8.firstIndex(of: UInt8(ascii: "%")) else { return one }
        return many[..<sign] + String(Int(count)) + many[sign...].dropFirst(2)
    }

    /// Whole months between two instants and the milliseconds left.
    private static func monthsAndRest(from start: Instant, to end: Instant) -> (months: Int, milliseconds: Int64) {
        let (first, last) = (CivilDateTime(start), CivilDateTime(end))
        var months = last.date.monthsSinceYearZero - first.date.monthsSinceYearZero
        if first.on(first.date.adding(months: months)) > last { months -= 1 }
        let reached = first.on(first.date.adding(months: months))
        return (months, last.localMilliseconds &- reached.localMilliseconds)
    }
}
