import CivilTime
import Testing

@Suite struct TimeZoneRulesTests {
    private let database = TimeZoneDatabase(load: systemZone)

    /// The oracle file is of tzdata 2026f; a country that changes its law changes later versions.
    @Test func `instants and clock times agree with Python's zoneinfo`() throws {
        for line in try oracleLines("zones.txt", separator: " ") {
            let zone = try #require(database.zone(named: line[1]), "\(line[1])")
            let first = try #require(Int64(line[2]))
            if line[0] == "I" {
                let instant = Instant(milliseconds: first * 1000)
                #expect(String(zone.offsetSeconds(at: instant)) == line[3], "\(line)")
                #expect(zone.abbreviation(at: instant) == line[4], "\(line)")
            } else {
                let local = CivilDateTime(Instant(milliseconds: first * 1000))
                #expect(String(zone.instant(of: local).milliseconds / 1000) == line[3], "\(line)")
            }
        }
    }

    @Test func `any instant comes back from the clock but for hours that occur twice`() throws {
        var generator = SeededGenerator(seed: 99)
        for name in ["America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia", "Asia/Taipei"] {
            let zone = try #require(database.zone(named: name))
            for _ in 0..<2000 {
                let time = Int64.random(in: -4_000_000_000_000...9_000_000_000_000, using: &generator)
                let back = zone.instant(of: zone.local(at: Instant(milliseconds: time))).milliseconds
                #expect(back == time || back < time && time - back <= 7_200_000, "\(name) \(time)")
            }
        }
    }

    @Test func `a skipped hour moves forward and the first of two equal hours is taken`() throws {
        let zone = try #require(database.zone(named: "America/New_York"))
        #expect(Instant(iso8601: "2024-03-10T02:30", in: zone)?.iso8601 == "2024-03-10T07:30:00.000Z")
        #expect(Instant(iso8601: "2024-11-03T01:30", in: zone)?.iso8601 == "2024-11-03T05:30:00.000Z")
        let apia = try #require(database.zone(named: "Pacific/Apia"))
        // The whole of 2011-12-30 was skipped.
        #expect(Instant(iso8601: "2011-12-30T12:00", in: apia)?.iso8601 == "2011-12-30T22:00:00.000Z")
    }

    @Test func `milliseconds survive the way through a zone`() throws {
        let zone = try #require(database.zone(named: "Asia/Kathmandu"))
        #expect(Instant(iso8601: "1969-12-31T23:59:59.999", in: zone)?.iso8601 == "1969-12-31T18:29:59.999Z")
    }

    /// Derived by hand from POSIX and RFC 8536, section 3.3.1.
    private static let rules: [(String, String, Int)] = [
        ("UTC0", "2030-06-01T00:00:00Z", 0), ("<+0330>-3:30", "2030-06-01T00:00:00Z", 12_600),
        ("<-03>3", "2030-06-01T00:00:00Z", -10_800), ("EST5EDT,M3.2.0,M11.1.0", "2030-03-10T06:59:59Z", -18_000),
        ("EST5EDT,M3.2.0,M11.1.0", "2030-03-10T07:00:00Z", -14_400),
        ("EST5EDT,M3.2.0,M11.1.0", "2030-11-03T05:59:59Z", -14_400),
        ("EST5EDT,M3.2.0,M11.1.0", "2030-11-03T06:00:00Z", -18_000),
        // Southern summers run over the turn of the year.
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2030-01-01T00:00:00Z", 39_600),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2030-07-01T00:00:00Z", 36_000),
        // The 29th of February: J60 is always the 1st of March, 59 is the 29th of February in leap years.
        ("AAA0BBB,J60/0,J300/0", "2028-02-29T23:59:59Z", 0), ("AAA0BBB,J60/0,J300/0", "2028-03-01T00:00:00Z", 3600),
        ("AAA0BBB,59/0,300/0", "2028-02-28T23:59:59Z", 0), ("AAA0BBB,59/0,300/0", "2028-02-29T00:00:00Z", 3600),
        ("AAA0BBB,59/0,300/0", "2027-03-01T00:00:00Z", 3600), ("AAA0BBB,J59/0,J300/0", "2028-02-28T00:00:00Z", 3600),
        // Hours beyond a day (RFC 8536), as Greenland and Jerusalem use them; -1 hour is the evening before.
        ("IST-2IDT,M3.4.4/26,M10.5.0", "2030-03-28T23:59:59Z", 7200),
        ("IST-2IDT,M3.4.4/26,M10.5.0", "2030-03-29T00:00:00Z", 10_800),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2030-03-31T00:59:59Z", -7200),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2030-03-31T01:00:00Z", -3600),
        // Daylight time all year, the example of RFC 8536.
        ("EST5EDT,0/0,J365/25", "2030-01-01T05:00:00Z", -14_400),
        ("EST5EDT,0/0,J365/25", "2030-07-01T00:00:00Z", -14_400),
        ("EST5EDT,0/0,J365/25", "2031-01-01T04:59:59Z", -14_400),
        // Winter time as negative daylight time, as Ireland has it.
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2030-01-01T00:00:00Z", 0),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2030-07-01T00:00:00Z", 3600),
    ]

    @Test func `the rule in the footer holds after the last transition`() throws {
        for (footer, time, offset) in Self.rules {
            let zone = try TimeZoneRules(tzif: TZifBuilder(footer: footer).bytes)
            let instant = try #require(Instant(iso8601: time))
            #expect(zone.offsetSeconds(at: instant) == offset, "\(footer) \(time)")
        }
    }

    @Test(arguments: [
        "UTC", "U0", "UTC0X", "UTC25", "<UTC0", "<UT>0", "UTC0:60", "EST5EDT", "EST5EDT,", "EST5EDT,M3.2.0",
        "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0", "EST5EDT,M3.2.7,M11.1.0", "EST5EDT,M3.2.0/168,M11.1.0",
        "EST5EDT,J0,J1", "EST5EDT,366,1", "EST5EDT,M3.2.0,M11.1.0,", "EST99999999999999999999", "é0",
    ]) func `unreadable footers are refused`(footer: String) {
        #expect(throws: TimeZoneError.self) { try TimeZoneRules(tzif: TZifBuilder(footer: footer).bytes) }
    }

    @Test func `the first type holds before the first transition and types follow in order`() throws {
        let builder = TZifBuilder(
            footer: "", transitions: [(-100, 1), (0, 2), (100, 0)],
            types: [(-3600, false, "LMT"), (0, false, "GMT"), (3600, true, "BST")])
        for bytes in [builder.bytes, builder.versionOneBytes] {
            let zone = try TimeZoneRules(tzif: bytes)
            for (seconds, name) in [(-101, "LMT"), (-100, "GMT"), (-1, "GMT"), (0, "BST"), (99, "BST"), (100, "LMT")] {
                #expect(zone.abbreviation(at: Instant(milliseconds: Int64(seconds) * 1000)) == name, "\(seconds)")
            }
            #expect(zone.isDaylightSaving(at: Instant(milliseconds: 0)))
            #expect(zone.abbreviation(at: Instant(milliseconds: .max)) == "LMT")
            #expect(zone.abbreviation(at: Instant(milliseconds: .min)) == "LMT")
        }
    }

    @Test func `malformed files are refused`() throws {
        let good = TZifBuilder(footer: "UTC0", transitions: [(0, 0)])
        #expect(throws: Never.self) { try TimeZoneRules(tzif: good.bytes) }
        for length in 0..<good.bytes.count {
            #expect(throws: TimeZoneError.self, "cut at \(length)") {
                try TimeZoneRules(tzif: Array(good.bytes[..<length]))
            }
        }
        let bad = [
            TZifBuilder(footer: "", types: []), TZifBuilder(footer: "", transitions: [(0, 1)]),
            TZifBuilder(footer: "", transitions: [(5, 0), (5, 0)]),
            TZifBuilder(footer: "", transitions: [(5, 0), (4, 0)]),
            TZifBuilder(footer: "", types: [(200_000, false, "X")]), TZifBuilder(footer: "", leapSeconds: 1),
        ]
        for builder in bad { #expect(throws: TimeZoneError.self) { try TimeZoneRules(tzif: builder.bytes) } }
    }

    @Test func `damaged files never trap`() throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let original = try #require(systemZone("Africa/Casablanca"))
        var accepted = 0
        for _ in 0..<500 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let isHead = Bool.random(using: &generator)
                bytes[Int.random(in: 0..<(isHead ? 64 : bytes.count), using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            guard let zone = try? TimeZoneRules(tzif: bytes) else { continue }
            accepted += 1
            for time in [Int64.min, -1_000_000_000_000, 0, 4_000_000_000_000, .max] {
                let instant = Instant(milliseconds: time)
                _ = zone.instant(of: zone.local(at: instant))
                #expect(abs(zone.offsetSeconds(at: instant)) < 93_600, "seed \(seed)")
            }
        }
        #expect(accepted > 0, "seed \(seed)")
    }
}

/// Makes small TZif files (RFC 8536, section 3).
struct TZifBuilder {
    var footer: String
    var transitions: [(Int64, UInt8)] = []
    var types: [(Int32, Bool, String)] = [(0, false, "UTC")]
    var leapSeconds: UInt32 = 0

    var bytes: [UInt8] {
        let empty = TZifBuilder(footer: "")
        return empty.header(version: UInt8(ascii: "2")) + empty.block(timeSize: 4)
            + header(version: UInt8(ascii: "2")) + block(timeSize: 8) + Array("\n\(footer)\n".utf8)
    }

    var versionOneBytes: [UInt8] { header(version: 0) + block(timeSize: 4) }

    private var letters: [UInt8] { types.flatMap { Array($0.2.utf8) + [0] } }

    private func header(version: UInt8) -> [UInt8] {
        let counts = [0, 0, leapSeconds, UInt32(transitions.count), UInt32(types.count), UInt32(letters.count)]
        return Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15) + counts.flatMap { big($0) }
    }

    private func block(timeSize: Int) -> [UInt8] {
        var bytes = transitions.flatMap { Array(big($0.0).suffix(timeSize)) } + transitions.map(\.1)
        var place: UInt8 = 0
        for (offset, isDaylightSaving, name) in types {
            bytes += big(offset) + [isDaylightSaving ? 1 : 0, place]
            place += UInt8(name.utf8.count) + 1
        }
        return bytes + letters + [UInt8](repeating: 0, count: Int(leapSeconds) * (timeSize + 4))
    }

    private func big(_ value: some FixedWidthInteger) -> [UInt8] {
        stride(from: value.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
