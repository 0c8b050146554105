extension DateFields {
    /// Milliseconds since midnight; 24:00 is the midnight after.
    var millisecondsOfDay: Int? {
        guard let hour = hourOfDay else { return nil }
        let (minute, second, millisecond) = (minute ?? 0, second ?? 0, millisecond ?? 0)
        guard 0...59 ~= minute, 0...59 ~= second, 0...999 ~= millisecond else { return nil }
        guard 0...23 ~= hour || hour == 24 && (minute, second, millisecond) == (0, 0, 0) else { return nil }
        return ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
    }

    /// The hour with what the part of the day makes of it; nil where one is needed and missing.
    private var hourOfDay: Int? {
        guard let dayHalf else { return hour ?? 0 }
        guard let hour else { return dayHalf == .strictAfternoon || dayHalf == .noon ? nil : 0 }
        switch dayHalf {
        case .morning: return hour == 12 ? 0 : hour
        case .afternoon: return hour < 12 ? hour + 12 : hour
        case .noon: return hour == 12 || hour < 11 ? hour % 12 + 12 : hour
        case .strictAfternoon: return hour == 12 ? 12 : hour + 12
        }
    }

    /// The day; what is missing above what was given is today's, what is missing below is the first.
    func date(today: CivilDate, locale: LocaleTable) -> CivilDate? {
        if day == nil, month == nil {
            if isoWeekYear != nil || isoWeek != nil || isoWeekday != nil { return dateOfISOWeek(today: today) }
            if weekYear != nil || week != nil || weekday != nil || localeWeekday != nil {
                return dateOfWeek(today: today, locale: locale)
            }
        }
        if let dayOfYear { return Self.date(dayOfYear: dayOfYear, of: year ?? today.year) }
        if year == nil, month == nil {
            return CivilDate(year: today.year, month: today.month, day: day ?? today.day)
        }
        return CivilDate(year: year ?? today.year, month: month ?? 1, day: day ?? 1)
    }

    private static func date(dayOfYear: Int, of year: Int) -> CivilDate? {
        guard 1...9999 ~= year, 1...(CivilDate.isLeap(year) ? 366 : 365) ~= dayOfYear else { return nil }
        return CivilDate(daysSinceEpoch: CivilDate.firstDay(of: year) + dayOfYear - 1)
    }

    private func dateOfISOWeek(today: CivilDate) -> CivilDate? {
        let year = isoWeekYear ?? year ?? Week(of: today, firstWeekday: 1, rule: 4).year
        guard let start = Week.start(isoWeek ?? 1, of: year, firstWeekday: 1, rule: 4), 1...7 ~= isoWeekday ?? 1 else {
            return nil
        }
        return CivilDate(daysSinceEpoch: start + (isoWeekday ?? 1) - 1)
    }

    private func dateOfWeek(today: CivilDate, locale: LocaleTable) -> CivilDate? {
        let (first, rule) = (locale.firstWeekday, locale.firstWeekRule)
        let current = Week(of: today, firstWeekday: first, rule: rule)
        guard
            let start = Week.start(
                week ?? current.number, of: weekYear ?? year ?? current.year, firstWeekday: first, rule: rule)
        else { return nil }
        let days = weekday.map { ($0 - first + 7) % 7 } ?? localeWeekday ?? 0
        guard 0...6 ~= days, weekday.map({ 0...6 ~= $0 }) ?? true else { return nil }
        return CivilDate(daysSinceEpoch: start + days)
    }
}

extension Instant {
    /// The instant so many milliseconds after 1970 UTC, a fraction cut off; nil outside the years 0001 to 9999.
    package init?(roundingTowardZero milliseconds: Double) {
        guard abs(milliseconds) < 1e15 else { return nil }
        guard let instant = Instant(milliseconds: Int64(milliseconds)).ifWritable else { return nil }
        self = instant
    }

    /// The instant, or nil outside the years 0001 to 9999 in UTC.
    var ifWritable: Instant? { Self.writable.contains(self) ? self : nil }
}
