/// A unit of the calendar or of the clock.
package enum CalendarUnit: String, CaseIterable, Sendable {
    case year, quarter, month, week, isoWeek, day, hour, minute, second, millisecond

    /// The unit that moment calls so: `d`, `day` or `Days`; short forms tell capitals, `M` is a month and `m` a minute.
    package init?(_ name: String) {
        // `D` is the day of the month to moment, which is no length of time.
        guard name.utf8.count <= 16, name != "D", let unit = Self.names[name] ?? Self.names[name.lowercased()] else {
            return nil
        }
        self = unit
    }

    private static let names: [String: CalendarUnit] = {
        var names: [String: CalendarUnit] = [
            "y": .year, "Q": .quarter, "M": .month, "w": .week, "W": .isoWeek, "d": .day, "h": .hour, "m": .minute,
            "s": .second, "ms": .millisecond,
        ]
        for unit in allCases {
            names[unit.rawValue.lowercased()] = unit
            names[unit.rawValue.lowercased() + "s"] = unit
        }
        return names
    }()

    /// Months in the unit; nil for units that are no whole months.
    var months: Double? {
        switch self {
        case .year: 12
        case .quarter: 3
        case .month: 1
        default: nil
        }
    }

    /// Days in the unit; nil for units that are no whole days.
    var days: Double? {
        switch self {
        case .week, .isoWeek: 7
        case .day: 1
        default: nil
        }
    }

    /// Milliseconds in the unit; of units of the calendar none.
    var milliseconds: Double? {
        switch self {
        case .hour: 3_600_000
        case .minute: 60_000
        case .second: 1000
        case .millisecond: 1
        default: nil
        }
    }
}
