extension LocaleTable {
    /// The length of time between two instants in words, as moment's `humanize` says it: `a few seconds`, `25 days`.
    ///
    /// Months are counted on the calendar of UTC from the earlier one; which it is does not show.
    package func distance(between one: Instant, _ other: Instant) -> String {
        let (months, milliseconds) = Self.monthsAndRest(from: min(one, other), to: max(one, other))
        let elapsed = Double(milliseconds)
        // moment's mean month of the Gregorian calendar.
        let days = (Double(months) * 146_097 / 4800).rounded() + elapsed / 86_400_000
        let allMonths = Double(months) + elapsed / 86_400_000 * 4800 / 146_097
        return words(days: days, months: allMonths)
    }

    private func words(days: Double, months: Double) -> String {
        let seconds = (days * 86_400).rounded()
        let minutes = (days * 1440).rounded()
        let hours = (days * 24).rounded()
        let (wholeDays, wholeMonths, years) = (days.rounded(), months.rounded(), (months / 12).rounded())
        let words = relativeWords
        if seconds < 45 { return words.fewSeconds }
        if minutes < 45 { return Self.text(minutes, words.minute, words.minutes) }
        if hours < 22 { return Self.text(hours, words.hour, words.hours) }
        if wholeDays < 26 { return Self.text(wholeDays, words.day, words.days) }
        if wholeMonths < 11 { return Self.text(wholeMonths, words.month, words.months) }
        return Self.text(years, words.year, words.years)
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
