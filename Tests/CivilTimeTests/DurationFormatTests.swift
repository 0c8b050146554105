import CivilTime
import Testing

@Suite struct DurationFormatTests {
    private static let formatted: [(String, Double, String)] = [
        ("h:mm", 0, "0:00"), ("h:mm", 5400, "1:30"), ("h:mm", 60, "0:01"), ("h:mm", 29, "0:00"), ("h:mm", 30, "0:01"),
        ("h:mm", 360_000, "100:00"), ("h:mm", -5400, "-1:30"), ("h:mm", -29, "0:00"), ("h:mm", 3599, "1:00"),
        ("h:mm:ss", 0, "0:00:00"), ("h:mm:ss", 3661, "1:01:01"), ("h:mm:ss", 59.5, "0:01:00"),
        ("h:mm:ss", -1, "-0:00:01"),
        ("h:mm:ss.S", 3661.25, "1:01:01.3"), ("h:mm:ss.S", 0.04, "0:00:00.0"), ("h:mm:ss.SS", 1.5, "0:00:01.50"),
        ("h:mm:ss.SSS", 1.5, "0:00:01.500"), ("h:mm:ss.SSS", -0.001, "-0:00:00.001"),
        ("h:mm:ss.SSS", 1e12, "277777777:46:40.000"),
    ]

    private static let parsed: [(String, String, Double?)] = [
        ("h:mm", "1:30", 5400), ("h:mm", "90", 5400), ("h:mm", "1:30:15", 5415), ("h:mm", "1:75", 8100),
        ("h:mm", "-1:30", -5400),
        ("h:mm", " 1:30 ", 5400), ("h:mm", "0:00", 0), ("h:mm", "1:30.5", nil), ("h:mm", "1:00:00.5", 3600.5),
        ("h:mm:ss", "1:30", 90), ("h:mm:ss", "90", 90), ("h:mm:ss", "1:30:15", 5415), ("h:mm:ss", "1:2:3", 3723),
        ("h:mm:ss", "1.5", 1.5), ("h:mm:ss.SSS", "0:00:01.250", 1.25), ("h:mm:ss.SSS", "-0:00:01.25", -1.25),
        ("h:mm", "", nil), ("h:mm", ":", nil), ("h:mm", "1:", nil), ("h:mm", ":30", nil), ("h:mm", "1:30:15:00", nil),
        ("h:mm", "1:3x", nil), ("h:mm", "--1", nil), ("h:mm", "1 30", nil), ("h:mm", "+1:30", nil), ("h:mm", "1.", nil),
        ("h:mm", "9999999999", nil), ("h:mm", "１:30", nil), ("h:mm", "1:-30", nil),
    ]

    @Test func `seconds are written in each format`() throws {
        for (pattern, seconds, text) in Self.formatted {
            #expect(
                try #require(DurationFormat(pattern: pattern)).format(seconds: seconds) == text, "\(pattern) \(seconds)"
            )
        }
    }

    @Test func `text is read by the format`() throws {
        for (pattern, text, seconds) in Self.parsed {
            #expect(
                try #require(DurationFormat(pattern: pattern)).seconds(parsing: text) == seconds, "\(pattern) \(text)")
        }
    }

    @Test func `what cannot be written is nil`() throws {
        let format = try #require(DurationFormat(pattern: "h:mm:ss.SSS"))
        for seconds in [Double.nan, .infinity, -.infinity, 1e13, -1e300] {
            #expect(format.format(seconds: seconds) == nil)
        }
    }

    @Test(arguments: ["", "h", "hh:mm", "h:mm:ss.SSSS", "H:MM"]) func `other formats do not exist`(pattern: String) {
        #expect(DurationFormat(pattern: pattern) == nil)
    }

    @Test func `whole units come back from their text`() throws {
        var generator = SeededGenerator(seed: 3)
        for (pattern, unit) in [("h:mm", 60.0), ("h:mm:ss", 1), ("h:mm:ss.S", 0.1), ("h:mm:ss.SSS", 0.001)] {
            let format = try #require(DurationFormat(pattern: pattern))
            for _ in 0..<1000 {
                let seconds = Double(Int.random(in: -10_000_000...10_000_000, using: &generator)) * unit
                let back = format.format(seconds: seconds).flatMap(format.seconds(parsing:))
                #expect(abs((back ?? .infinity) - seconds) < unit / 1000, "\(pattern) \(seconds)")
            }
        }
    }
}
