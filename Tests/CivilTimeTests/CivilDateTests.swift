import CivilTime
import Testing

@Suite struct CivilDateTests {
    @Test func `dates agree with Python's datetime`() throws {
        for line in try oracleLines("dates.txt", separator: " ") {
            let days = try #require(Int(line[0]))
            let date = CivilDate(daysSinceEpoch: days)
            #expect(date.iso8601 == line[1])
            #expect(String(date.weekday) == line[2], "\(line)")
            #expect(String(date.dayOfYear) == line[3], "\(line)")
            #expect(CivilDate(iso8601: line[1])?.daysSinceEpoch == days)
        }
    }

    @Test func `each day of the years 1 to 9999 follows the one before and comes back from its number`() throws {
        var days = -719_162
        for year in 1...9999 {
            // Every day of a full cycle of 400 years, the edges of the months of the others.
            let isFull = 1800..<2200 ~= year
            for month in 1...12 {
                let length = CivilDate.days(inMonth: month, of: year)
                for day in isFull ? Array(1...length) : [1, 28, length] {
                    let date = try #require(CivilDate(year: year, month: month, day: day))
                    guard date.daysSinceEpoch == days + day - 1, CivilDate(daysSinceEpoch: days + day - 1) == date
                    else {
                        Issue.record("\(year)-\(month)-\(day)")
                        return
                    }
                }
                days += length
            }
        }
        #expect(days == 2_932_897)
    }

    @Test func `random days come back from their text`() {
        let seed = UInt64.random(in: 1...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10_000 {
            let date = CivilDate(daysSinceEpoch: Int.random(in: -719_162..<2_932_897, using: &generator))
            #expect(CivilDate(iso8601: date.iso8601) == date, "seed \(seed)")
            #expect(CivilDate(year: date.year, month: date.month, day: date.day) == date, "seed \(seed)")
        }
    }

    @Test func `known days have their weekday`() {
        #expect(CivilDate(daysSinceEpoch: 0).weekday == 4)  // Thursday, 1970-01-01
        #expect(CivilDate(year: 2000, month: 2, day: 29)?.weekday == 2)
        #expect(CivilDate(year: 1900, month: 1, day: 1)?.weekday == 1)
    }

    @Test(arguments: [
        (2023, 2, 29), (1900, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1), (2024, 1, 0),
        (2024, 1, 32), (0, 1, 1), (10_000, 1, 1), (-1, 1, 1), (.max, .max, .max), (.min, .min, .min),
    ]) func `impossible days are refused`(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test func `days far outside the calendar do not trap`() {
        for days in [Int.min, Int.min + 1, -1_000_000_000_000, 1_000_000_000_000, Int.max - 1, Int.max] {
            let date = CivilDate(daysSinceEpoch: days)
            #expect(0...6 ~= date.weekday)
            #expect(1...12 ~= date.month)
            #expect(date.daysSinceEpoch == min(max(days, -1_000_000_000_000), 1_000_000_000_000))
        }
        #expect(CivilDate(daysSinceEpoch: 2_932_897).iso8601 == "+010000-01-01")
        #expect(CivilDate(daysSinceEpoch: -719_163).iso8601 == "0000-12-31")
        #expect(CivilDate(daysSinceEpoch: -719_529).iso8601 == "-000001-12-31")
    }
}
