import CivilTime
import Testing

@Suite struct InstantTests {
    private static let readable: [(String, String)] = [
        ("2024-05-01", "2024-05-01T00:00:00.000Z"), ("2024-05-01T10:00", "2024-05-01T10:00:00.000Z"),
        ("2024-05-01 10:00", "2024-05-01T10:00:00.000Z"), ("2024-05-01T10:00:59", "2024-05-01T10:00:59.000Z"),
        ("2024-05-01T10:00:00.5", "2024-05-01T10:00:00.500Z"), ("2024-05-01T10:00:00.12", "2024-05-01T10:00:00.120Z"),
        ("2024-05-01T10:00:00.123Z", "2024-05-01T10:00:00.123Z"),
        ("2024-05-01T10:00:00.123999Z", "2024-05-01T10:00:00.123Z"),
        ("2024-05-01T10:00:00.000000001Z", "2024-05-01T10:00:00.000Z"),
        ("2024-05-01T10:00Z", "2024-05-01T10:00:00.000Z"),
        ("2024-05-01T10:00:00+08:00", "2024-05-01T02:00:00.000Z"),
        ("2024-05-01T10:00:00+0800", "2024-05-01T02:00:00.000Z"),
        ("2024-05-01T10:00:00+08", "2024-05-01T02:00:00.000Z"),
        ("2024-05-01T10:00-03:30", "2024-05-01T13:30:00.000Z"), ("2024-05-01T10:00-00:00", "2024-05-01T10:00:00.000Z"),
        ("2024-12-31T23:59:59.999-23:59", "2025-01-01T23:58:59.999Z"), ("2024-02-29", "2024-02-29T00:00:00.000Z"),
        ("2024-05-01T24:00", "2024-05-02T00:00:00.000Z"), ("2024-12-31T24:00:00.000Z", "2025-01-01T00:00:00.000Z"),
        ("0001-01-01", "0001-01-01T00:00:00.000Z"), ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
        ("0001-01-01T01:00+01:00", "0001-01-01T00:00:00.000Z"),
    ]

    private static let unreadable = [
        "", " ", "2024", "2024-05", "2024-5-1", "24-05-01", "20240501", "2024/05/01", "2024-05-01T", "2024-05-01 ",
        " 2024-05-01", "2024-05-01T10", "2024-05-01T10:", "2024-05-01T1:00", "2024-05-01T10:0", "2024-05-01T10:00:",
        "2024-05-01T10:00:0", "2024-05-01T10:00:00.", "2024-05-01T10:00:00,5", "2024-05-01T10:00:00.Z",
        "2024-05-01T10:00.5", "2024-05-01T10:00:00ZZ", "2024-05-01T10:00:00z", "2024-05-01t10:00:00Z",
        "2024-05-01T10:00:00+", "2024-05-01T10:00:00+8", "2024-05-01T10:00:00+08:", "2024-05-01T10:00:00+08:0",
        "2024-05-01T10:00:00+080", "2024-05-01T10:00:00+24:00", "2024-05-01T10:00:00+08:60",
        "2024-05-01T10:00:00 +08:00", "2024-05-01T10:00:00+08:00:00", "2024-05-01Z", "2024-05-01+08:00",
        "2024-02-30", "2023-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "2024-04-31", "2024-05-01T24:30",
        "2024-05-01T24:00:01", "2024-05-01T25:00", "2024-05-01T10:60", "2024-05-01T10:00:60", "0000-01-01",
        "10000-01-01",
        "+2024-05-01", "-2024-05-01", "0001-01-01T00:00+00:01", "9999-12-31T23:59-00:01", "9999-12-31T24:00",
        "２０２４-05-01", "2024-05-01T10:00:00\0", "2024-05-01T10:00:00.5\u{300}", "tomorrow",
    ]

    @Test func `each accepted form is read`() {
        for (text, expected) in Self.readable { #expect(Instant(iso8601: text)?.iso8601 == expected, "\(text)") }
    }

    @Test func `other text and impossible dates are refused`() {
        for text in Self.unreadable { #expect(Instant(iso8601: text) == nil, "\(text)") }
    }

    @Test func `known instants have their milliseconds`() {
        #expect(Instant(iso8601: "1970-01-01")?.milliseconds == 0)
        #expect(Instant(iso8601: "2001-09-09T01:46:40Z")?.milliseconds == 1_000_000_000_000)
        #expect(Instant(iso8601: "2038-01-19T03:14:07Z")?.milliseconds == 2_147_483_647_000)
        #expect(Instant(iso8601: "0001-01-01")?.milliseconds == -62_135_596_800_000)
    }

    @Test func `text without an offset is read on the clock of the zone`() throws {
        let taipei = TimeZoneRules(fixedOffsetSeconds: 8 * 3600)
        #expect(Instant(iso8601: "2024-05-01", in: taipei)?.iso8601 == "2024-04-30T16:00:00.000Z")
        #expect(Instant(iso8601: "2024-05-01T09:30", in: taipei)?.iso8601 == "2024-05-01T01:30:00.000Z")
        #expect(Instant(iso8601: "2024-05-01T09:30Z", in: taipei)?.iso8601 == "2024-05-01T09:30:00.000Z")
        #expect(Instant(iso8601: "2024-05-01T09:30-01:00", in: taipei)?.iso8601 == "2024-05-01T10:30:00.000Z")
        #expect(Instant(iso8601: "0001-01-01", in: taipei) == nil)
    }

    @Test func `a date is cut from a date and time as it is written`() {
        #expect(CivilDate(iso8601: "2024-05-01")?.iso8601 == "2024-05-01")
        #expect(CivilDate(iso8601: "2024-05-01T23:59:59.999-12:00")?.iso8601 == "2024-05-01")
        #expect(CivilDate(iso8601: "2024-05-01 00:00+14:00")?.iso8601 == "2024-05-01")
        for text in ["2024-05-01T", "2024-02-30", "2024-05-01T25:00", "2024-05-01Tx", "0000-01-01", "9999-12-31T24:00"]
        {
            #expect(CivilDate(iso8601: text) == nil, "\(text)")
        }
    }

    @Test func `random instants come back from their text`() {
        let seed = UInt64.random(in: 1...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let time = Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &generator)
            let instant = Instant(milliseconds: time)
            #expect(Instant(iso8601: instant.iso8601) == instant, "seed \(seed)")
        }
    }

    @Test func `damaged text never traps and what is read is written the same again`() {
        let seed = UInt64.random(in: 1...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            var bytes = Array(Self.readable.randomElement(using: &generator)?.0.utf8 ?? "".utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: bytes.indices, using: &generator)
                bytes[place] = Array("0123456789-:.TZ +".utf8).randomElement(using: &generator) ?? 0
                if Int.random(in: 0..<8, using: &generator) == 0 { bytes.removeSubrange(place...) }
            }
            guard let instant = Instant(iso8601: String(decoding: bytes, as: UTF8.self)) else { continue }
            #expect(Instant(iso8601: instant.iso8601) == instant, "seed \(seed)")
        }
    }

    @Test func `the ends of time do not trap`() {
        for time in [Int64.min, .min + 1, .max - 1, .max] {
            let instant = Instant(milliseconds: time)
            #expect(instant.iso8601.hasSuffix("Z"))
            #expect(TimeZoneRules(fixedOffsetSeconds: 3600).local(at: instant).hour < 24)
            #expect(instant.adding(milliseconds: time).milliseconds == (time < 0 ? .min : .max))
        }
        #expect(Instant(milliseconds: .max).iso8601 == "+292278994-08-17T07:12:55.807Z")
        #expect(Instant(milliseconds: 5).adding(milliseconds: -7).milliseconds == -2)
    }
}
