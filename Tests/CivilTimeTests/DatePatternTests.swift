import CivilTime
import Testing

@Suite struct DatePatternTests {
    @Test func `patterns give what moment gives`() throws {
        for line in try oracleLines("patterns.txt", separator: "\t") {
            try #require(line.count == 4)
            let time = try #require(Int64(line[0]))
            let zone = TimeZoneRules(fixedOffsetSeconds: try #require(Int(line[1])) * 60)
            let text = DatePattern(line[2]).format(Instant(milliseconds: time), in: zone)
            #expect(text == line[3], "\(line[2]) at \(time)")
        }
    }

    @Test(arguments: [
        (DateFormatName.local, "5/1/2024"), (.friendly, "May 1, 2024"), (.us, "5/1/2024"), (.european, "1/5/2024"),
        (.iso, "2024-05-01"),
    ]) func `each named date format has its pattern`(name: DateFormatName, expected: String) throws {
        let pattern = DatePattern(try #require(name.pattern))
        #expect(pattern.format(try #require(CivilDate(iso8601: "2024-05-01"))) == expected)
    }

    @Test(arguments: [
        (0, "12:00am", "00:00"), (1, "1:00am", "01:00"), (12, "12:00pm", "12:00"), (23, "11:00pm", "23:00"),
    ]) func `each named time format has its pattern`(hour: Int, twelve: String, twentyFour: String) throws {
        let local = try #require(CivilDateTime(date: CivilDate(daysSinceEpoch: 0), hour: hour, minute: 0))
        #expect(DatePattern(try #require(TimeFormatName.twelveHour.pattern)).format(local) == twelve)
        #expect(DatePattern(try #require(TimeFormatName.twentyFourHour.pattern)).format(local) == twentyFour)
    }

    @Test func `what is no token stands for itself`() {
        #expect(DatePattern("\0M é/\0").format(Instant(milliseconds: 0)) == "\01 é/\0")
        #expect(DatePattern("").format(Instant(milliseconds: 0)).isEmpty)
    }

    @Test func `unknown names have no pattern`() {
        #expect(DateFormatName(rawValue: "ISO").pattern == nil)
        #expect(TimeFormatName(rawValue: "12").pattern == nil)
        #expect(DateFormatName.all.allSatisfy { $0.pattern != nil })
        #expect(TimeFormatName.all.allSatisfy { $0.pattern != nil })
    }

    @Test func `the zone decides the day`() throws {
        let zone = try #require(TimeZoneDatabase(load: systemZone).zone(named: "Asia/Taipei"))
        let instant = try #require(Instant(iso8601: "2024-05-01T18:30:00Z"))
        #expect(DatePattern("l h:mma Z").format(instant, in: zone) == "5/2/2024 2:30am +08:00")
    }

    @Test func `a locale brings its own words, parts of the day and long forms`() throws {
        var locale = LocaleTable.english
        locale.meridiems = [
            .init(fromMinute: 0, upper: "凌晨", lower: "凌晨"), .init(fromMinute: 1080, upper: "晚上", lower: "晚上"),
        ]
        locale.longFormats.dates[0] = "YYYY/MM/DD"
        locale.ordinal = .suffix("日")
        locale.firstWeekday = 1
        locale.firstWeekRule = 4
        let instant = try #require(Instant(iso8601: "2023-01-01T18:00:00Z"))
        #expect(
            DatePattern("L l A h Do e w gggg", locale: locale).format(instant)
                == "2023/01/01 2023/1/1 晚上 6 1日 6 52 2022")
    }

    @Test func `a table that is too short leaves words out`() throws {
        var locale = LocaleTable.english
        (locale.months, locale.meridiems, locale.longFormats.dates) = ([], [], [])
        #expect(DatePattern("[x]MMMM a L", locale: locale).format(Instant(milliseconds: 0)) == "x  L")
    }

    @Test func `any pattern and any instant do no harm`() {
        let seed = UInt64.random(in: 1...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let letters = Array("MDYdwWQoeEHhkmsSZXxaALlTg[]\\ é中")
        for _ in 0..<2000 {
            let pattern = String((0..<20).map { _ in letters.randomElement(using: &generator) ?? " " })
            let time = Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<40, using: &generator)
            let plain = DatePattern(pattern).format(Instant(milliseconds: time))
            #expect(plain.utf8.count < 2000, "seed \(seed), \(pattern)")
        }
        #expect(
            DatePattern(String(repeating: "é[", count: 100_000)).format(Instant(milliseconds: 0)).utf8.count == 300_000)
    }
}
