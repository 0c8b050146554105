extension Instant {
    /// The instant so many units later on the clock of the zone, as moment adds.
    ///
    /// Months keep the day or take the last of a shorter month; days and longer units keep the time on the clock, hours
    /// and shorter units count real time. Of a fraction of months or days the nearest whole number is taken, the one
    /// farther from zero when two are as near. Nil outside the years 0001 to 9999 and for amounts that are no number.
    package func adding(_ amount: Double, _ unit: CalendarUnit, in zone: TimeZoneRules = .utc) -> Instant? {
        if let months = unit.months {
            let whole = (amount * months).rounded()
            guard abs(whole) < 1_000_000 else { return nil }
            return adding(months: Int(whole), in: zone).ifWritable
        }
        if let days = unit.days {
            let whole = (amount * days).rounded()
            guard abs(whole) < 10_000_000 else { return nil }
            return adding(days: Int(whole), in: zone).ifWritable
        }
        return Instant(roundingTowardZero: Double(milliseconds) + amount * (unit.milliseconds ?? 0))
    }

    /// The instant so many days later at the same time on the clock; nil outside the years 0001 to 9999.
    package func movedOnClock(byDays days: Int, in zone: TimeZoneRules) -> Instant? {
        adding(days: days, in: zone).ifWritable
    }

    private func adding(days: Int, in zone: TimeZoneRules) -> Instant {
        guard days != 0 else { return self }
        let local = zone.local(at: self)
        return zone.instant(of: local.on(CivilDate(daysSinceEpoch: local.date.daysSinceEpoch &+ days)))
    }

    private func adding(months: Int, in zone: TimeZoneRules) -> Instant {
        guard months != 0 else { return self }
        let local = zone.local(at: self)
        return zone.instant(of: local.on(local.date.adding(months: months)))
    }

    /// How many whole units the instant is after the other one, as moment's `diff`: negative when before it, a fraction
    /// cut off.
    ///
    /// Months and years are those of the calendar on the clock of the zone; days too when its offset changed between.
    package func difference(
        from other: Instant, in unit: CalendarUnit, zone: TimeZoneRules = .utc
    ) -> Double {
        let elapsed = Double(milliseconds) - Double(other.milliseconds)
        let result: Double
        if let months = unit.months {
            result = monthsSince(other, in: zone) / months
        } else if let days = unit.days, unit != .isoWeek {
            let offsets = zone.offsetSeconds(at: other) - zone.offsetSeconds(at: self)
            result = (elapsed - Double(offsets) * 1000) / (days * 86_400_000)
        } else {
            result = elapsed / (unit.milliseconds ?? 1)
        }
        // Adding zero makes zero of minus zero.
        return result.rounded(.towardZero) + 0
    }

    /// Months from the other instant to this one: whole ones, and the part of one that is left.
    private func monthsSince(_ other: Instant, in zone: TimeZoneRules) -> Double {
        // Counting from the later day of a month keeps the last days of months together.
        let isLaterDay = zone.local(at: self).date.day >= zone.local(at: other).date.day
        return isLaterDay ? -monthsUntil(other, in: zone) : other.monthsUntil(self, in: zone)
    }

    private func monthsUntil(_ end: Instant, in zone: TimeZoneRules) -> Double {
        let whole = zone.local(at: end).date.monthsSinceYearZero - zone.local(at: self).date.monthsSinceYearZero
        let anchor = adding(months: whole, in: zone)
        let neighbour = adding(months: end < anchor ? whole - 1 : whole + 1, in: zone)
        let length = abs(Double(neighbour.milliseconds) - Double(anchor.milliseconds))
        return Double(whole) + (Double(end.milliseconds) - Double(anchor.milliseconds)) / length
    }

    /// The instant at which the unit began that holds it on the clock of the zone; weeks begin on the weekday given.
    package func start(of unit: CalendarUnit, in zone: TimeZoneRules = .utc, firstWeekday: Int = 0) -> Instant {
        let local = zone.local(at: self)
        if let length = unit.milliseconds {
            let clock = local.localMilliseconds
            let rest = clock.dividedDown(by: Int64(length)).remainder
            return adding(milliseconds: -rest)
        }
        return zone.instant(of: CivilDateTime(startOf: local.date.start(of: unit, firstWeekday: firstWeekday)))
    }
}

extension CivilDate {
    /// The date so many months later, at the last day of a shorter month; the year may be any.
    func adding(months: Int) -> CivilDate {
        let (year, month) = Int64(monthsSinceYearZero + months).dividedDown(by: 12)
        let length = Self.days(inMonth: Int(month) + 1, of: Int(year))
        return CivilDate(daysSinceEpoch: Self.firstDay(ofMonth: Int(month) + 1, of: Int(year)) + min(day, length) - 1)
    }

    var monthsSinceYearZero: Int { year * 12 + month - 1 }

    /// The first day of the unit that holds the date.
    fileprivate func start(of unit: CalendarUnit, firstWeekday: Int) -> CivilDate {
        switch unit {
        case .year: CivilDate(daysSinceEpoch: Self.firstDay(of: year))
        case .quarter: CivilDate(daysSinceEpoch: Self.firstDay(ofMonth: (month - 1) / 3 * 3 + 1, of: year))
        case .month: CivilDate(daysSinceEpoch: daysSinceEpoch - day + 1)
        case .week: CivilDate(daysSinceEpoch: daysSinceEpoch - (weekday - firstWeekday + 7) % 7)
        case .isoWeek: CivilDate(daysSinceEpoch: daysSinceEpoch - (weekday + 6) % 7)
        default: self
        }
    }

    private static func firstDay(ofMonth month: Int, of year: Int) -> Int {
        (1..<month).reduce(firstDay(of: year)) { $0 + days(inMonth: $1, of: year) }
    }
}

extension CivilDateTime {
    /// The same time on another day.
    func on(_ date: CivilDate) -> CivilDateTime {
        CivilDateTime(
            localMilliseconds: Int64(date.daysSinceEpoch) &* 86_400_000 &+ Int64(millisecondOfDay))
    }
}
