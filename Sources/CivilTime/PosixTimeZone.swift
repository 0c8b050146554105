/// A rule for all years such as `EST5EDT,M3.2.0,M11.1.0` (POSIX `TZ`, with the extensions of RFC 8536).
struct PosixTimeZone: Sendable, Equatable {
    /// A day of the year and a time on it.
    struct Moment: Sendable, Equatable {
        enum Day: Sendable, Equatable {
            /// `Jn`: 1 to 365, the 29th of February never counted.
            case julian(Int)
            /// `n`: 0 to 365, the 29th of February counted.
            case ordinal(Int)
            /// `Mm.w.d`: weekday 0 (Sunday) to 6 of week 1 to 5, where 5 is the last.
            case weekday(month: Int, week: Int, weekday: Int)
        }

        var day: Day
        /// Seconds from midnight, less than 168 hours either way.
        var seconds: Int
    }

    struct Summer: Sendable, Equatable {
        var type: TimeZoneRules.LocalTimeType
        var start: Moment
        var end: Moment
    }

    var standard: TimeZoneRules.LocalTimeType
    var summer: Summer?

    func type(at seconds: Int64) -> TimeZoneRules.LocalTimeType {
        guard let summer else { return standard }
        let last = transitions(around: seconds, summer).last { $0.time <= seconds }
        return last?.startsSummer == true ? summer.type : standard
    }

    /// The first change later than the time; nil when there is no summer time.
    func nextTransition(after seconds: Int64) -> Int64? {
        guard let summer else { return nil }
        return transitions(around: seconds, summer).first { $0.time > seconds }?.time
    }

    /// The changes of the year of the time and of its neighbours, in order.
    private func transitions(around seconds: Int64, _ summer: Summer) -> [(time: Int64, startsSummer: Bool)] {
        let days = seconds.dividedDown(by: 86_400).quotient
        let year = CivilDate(daysSinceEpoch: Int(days)).year
        var transitions: [(time: Int64, startsSummer: Bool)] = []
        for year in year - 1...year + 1 {
            let start = summer.start.seconds(in: year) &- Int64(standard.offsetSeconds)
            let end = summer.end.seconds(in: year) &- Int64(summer.type.offsetSeconds)
            transitions.append((start, true))
            transitions.append((end, false))
        }
        // A summer that ends where the next begins lasts all year: the end comes first.
        return transitions.sorted { ($0.time, $0.startsSummer ? 1 : 0) < ($1.time, $1.startsSummer ? 1 : 0) }
    }
}

extension PosixTimeZone.Moment {
    /// Seconds from midnight of 1970-01-01 on the clock that holds just before the change.
    func seconds(in year: Int) -> Int64 {
        Int64(CivilDate.firstDay(of: year) + dayOfYear(in: year)) &* 86_400 &+ Int64(seconds)
    }

    /// 0 for the first of January.
    private func dayOfYear(in year: Int) -> Int {
        switch day {
        case .julian(let day): return day - 1 + (day >= 60 && CivilDate.isLeap(year) ? 1 : 0)
        case .ordinal(let day): return day
        case .weekday(let month, let week, let weekday):
            let before = (1..<month).reduce(0) { $0 + CivilDate.days(inMonth: $1, of: year) }
            let firstWeekday = CivilDate(daysSinceEpoch: CivilDate.firstDay(of: year) + before).weekday
            let day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
            return before + (day < CivilDate.days(inMonth: month, of: year) ? day : day - 7)
        }
    }
}
