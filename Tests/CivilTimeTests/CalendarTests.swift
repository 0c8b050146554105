import CivilTime
import Testing

@Suite struct CalendarTests {
    private let zones = TimeZoneDatabase(load: systemZone)

    @Test func `reckoning on the clocks of zones agrees with Python's zoneinfo`() throws {
        for line in try oracleLines("calendar.txt", separator: " ") {
            let zone = try #require(zones.zone(named: line[1]))
            let (instant, expected) = (try instant(line[2]), try #require(line.last))
            switch line[0] {
            case "A":
                let unit = try #require(CalendarUnit(line[4]))
                let sum = instant.adding(try #require(Double(line[3])), unit, in: zone)
                #expect(sum?.seconds == Int64(expected), "\(line)")
            case "D":
                let days = instant.difference(from: try self.instant(line[3]), in: .day, zone: zone)
                #expect(days == Double(expected), "\(line)")
            default:
                let unit = try #require(CalendarUnit(line[3]))
                #expect(instant.start(of: unit, in: zone).seconds == Int64(expected), "\(line)")
            }
        }
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
                #expect(instant.start(of: unit) <= instant)
            }
        }
    }
}

@Suite struct DateReaderTests {
    @Test func `any pattern and any text do no harm`() {
        let seed = UInt64.random(in: 1...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let letters = Array("MDYdwWQoeEHhkmsSZXxaALlTgNyz[]\\ é中\n")
        let texts = Array("0123456789 -/:.,aApPmMZ+T中月日下午\u{1F600}januarydimanche\u{300}")
        let names = ["en", "zh-tw", "ja", "ko", "de", "fr", "es"]
        var read = 0
        for _ in 0..<3000 {
            let pattern = String((0..<10).map { _ in letters.randomElement(using: &generator) ?? " " })
            let text = String((0..<20).map { _ in texts.randomElement(using: &generator) ?? " " })
            let locale = names.randomElement(using: &generator).flatMap(LocaleTable.named) ?? .english
            let now = Instant(milliseconds: Int64(bitPattern: generator.next()) >> 16)
            if let instant = DateReader(pattern, locale: locale).instant(text, now: now) {
                read += 1
                #expect(1...9999 ~= CivilDateTime(instant).date.year, "seed \(seed)")
            }
            _ = Instant(loose: text)
        }
        #expect(read > 100, "seed \(seed)")
    }

    @Test(arguments: [
        "", " ", "5/1", "May 2024", "2/30/2024", "13/1/2024", "May 32, 2024", "5/1/2024 25:00", "5/1/2024 13:00 PM",
        "5/1/2024 10:60", "5/1/2024 10:00 XST", "5/1/2024 10:00 am pm", "5/1/2024 10:00 +25:00", "May May 1 2024",
        "Sunday, May 1, 2024", "1 2 3 4", "5/1/2024 (open", "+08:00 5/1/2024", "am 5/1/2024", "5/1/0000", "5/1/10000",
        "1/1/1234567890", "2024-02-30", "2024-13-01", "2024-W54-1", "2024-000", "2023-366", "2024-05-01T1000",
        "20240501T10:00", "2024-05-01T10:00:00.Z", "٢٠٢٤-٠٥-٠١", "2024 -05-01", "12",
    ]) func `texts that name no day are refused`(text: String) {
        #expect(Instant(loose: text) == nil)
    }

    @Test(arguments: [
        ("5/1/2024", "2024-05-01T00:00:00.000Z"), (" 5/1/2024 ", "2024-05-01T00:00:00.000Z"),
        ("5/1/49", "2049-05-01T00:00:00.000Z"), ("5/1/50", "1950-05-01T00:00:00.000Z"),
        ("Sept 5, 2024", "2024-09-05T00:00:00.000Z"), ("2024/05/01T10:00", "2024-05-01T10:00:00.000Z"),
        ("5/1/2024 24:00", "2024-05-02T00:00:00.000Z"), ("May 1, 2024 (noon) 12:00 PM", "2024-05-01T12:00:00.000Z"),
        ("01 May 2024 10:00:00 GMT+0800", "2024-05-01T02:00:00.000Z"), ("2024-05-01T10", "2024-05-01T10:00:00.000Z"),
        ("2024-05-01 10:00:00,5 +08", "2024-05-01T02:00:00.000Z"),
    ]) func `common forms are read`(text: String, expected: String) {
        #expect(Instant(loose: text)?.iso8601 == expected)
    }

    @Test func `every table is whole`() {
        for name in ["en", "zh-tw", "zh-hk", "zh-cn", "ja", "ko", "de", "fr", "es", "en-gb", "en-ca"] {
            let table = LocaleTable.named(name)
            #expect(table?.identifier == name)
            #expect(table?.months.count == 12 && table?.shortMonths.count == 12)
            #expect([table?.weekdays, table?.shortWeekdays, table?.minimalWeekdays].allSatisfy { $0?.count == 7 })
            #expect(table?.longFormats.dates.count == 4)
        }
        #expect(LocaleTable.named("zh_Hant_TW")?.identifier == "zh-tw")
        #expect(LocaleTable.named("en-US")?.identifier == "en")
        for name in ["", "-", "x", "en" + String(repeating: "-x", count: 100)] {
            #expect(LocaleTable.named(name) == nil)
        }
    }
}
