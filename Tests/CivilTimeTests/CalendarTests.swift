import CivilTime
import Testing

@Suite struct CalendarTests {
    private let zones = TimeZoneDatabase(load: systemZone)

    @Test func `reckoning on the clocks of zones agrees with Python's zoneinfo`() throws {
        for line in try oracleLines("calendar.txt", separator: " ") {
            let zone = try #require(zones.zone(named: line[1]))
            let instant = try time(line[2])
            let expected = try #require(line.last)
            switch line[0] {
            case "A":
                let unit = try #require(CalendarUnit(line[4]))
                let sum = instant.adding(try #require(Double(line[3])), unit, in: zone)
                #expect(sum?.seconds == Int64(expected), "\(line)")
            case "D":
                let days = instant.difference(from: try time(line[3]), in: .day, zone: zone)
                #expect(days == Double(expected), "\(line)")
            default:
                let unit = try #require(CalendarUnit(line[3]))
                #expect(instant.start(of: unit, in: zone).seconds == Int64(expected), "\(line)")
            }
        }
    }

    private func time(_ text: String) throws -> Instant {
        Instant(milliseconds: try #require(Int64(text)) * 1000)
    }

    @Test func `units go by moment's names`() {
        let names: [(CalendarUnit, [String])] = [
            (.year, ["y", "year", "years", "YEARS"]), (.quarter, ["Q", "quarter", "quarters"]),
            (.month, ["M", "month", "months", "Month"]), (.week, ["w", "week", "weeks"]), (.day, ["d", "day", "days"]),
            (.hour, ["h", "hour", "hours", "H"]), (.minute, ["m", "minute", "minutes"]),
            (.second, ["s", "second", "seconds"]), (.millisecond, ["ms", "millisecond", "milliseconds", "MS"]),
        ]
        for (unit, names) in names { for name in names { #expect(CalendarUnit(name) == unit, "\(name)") } }
        for name in ["", "D", "q", "mo", "yr", "min", "days ", String(repeating: "d", count: 100_000)] {
            #expect(CalendarUnit(name) == nil, "\(name.prefix(10))")
        }
    }

    @Test func `no amount and no instant does harm`() {
        let amounts = [0, 1, -1, 0.5, 1e6, -1e7, 1e15, 1e300, -1e300, .infinity, -.infinity, .nan]
        let instants = [Int64.min, -62_135_596_800_000, 0, 253_402_300_799_999, .max].map(Instant.init(milliseconds:))
        for unit in CalendarUnit.allCases {
            for instant in instants {
                for amount in amounts {
                    guard let sum = instant.adding(amount, unit) else { continue }
                    #expect(1...9999 ~= CivilDateTime(sum).date.year, "\(instant) \(amount) \(unit)")
                }
                for other in instants {
                    #expect(instant.difference(from: other, in: unit).isFinite)
                    #expect(!LocaleTable.english.distance(between: instant, other).isEmpty)
                }
                // At the very beginning of what can be counted the start lies before it.
                #expect(instant.start(of: unit) <= instant || instant.milliseconds == .min)
            }
        }
    }
}
