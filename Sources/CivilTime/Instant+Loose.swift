extension Instant {
    /// Reads a date as people and programs write it, as moment reads a text without a pattern: ISO 8601 in its extended
    /// and basic forms, with weeks and days of the year; the form of mails (RFC 2822); and the common American forms
    /// (`5/1/2024`, `May 1, 2024 10:00 AM`).
    ///
    /// Text without an offset is read in UTC. Nil for dates that do not exist, for a weekday that is not the date's,
    /// for texts without a year, and for instants outside the years 0001 to 9999.
    package init?(loose text: String) {
        if let instant = Instant(iso8601: text) {
            self = instant
            return
        }
        guard text.utf8.count <= 100 else { return nil }
        let bytes = Array(text.utf8)
        let instant =
            if let pattern = ISO8601Shape.pattern(of: bytes) {
                DateReader(pattern).instant(text, now: Instant(milliseconds: 0))
            } else {
                LooseDateReader.instant(bytes)
            }
        guard let instant else { return nil }
        self = instant
    }
}

/// The forms of ISO 8601 by how they look.
private enum ISO8601Shape {
    private struct Form {
        let shape: [UInt8]
        let pattern: String
        var hasTime = true

        init(_ shape: String, _ pattern: String, hasTime: Bool = true) {
            self.shape = Array(shape.utf8)
            self.pattern = pattern
            self.hasTime = hasTime
        }
    }

    /// The pattern by which a text is read, or nil when it does not look like ISO 8601.
    static func pattern(of text: [UInt8]) -> String? {
        let shape = text.drop(while: \.isSpace).map { $0.isDigit ? UInt8(ascii: "0") : $0 }
        return pattern(shape[...], dates: extendedDates, times: extendedTimes, fractions: "HH:mm:ss")
            ?? pattern(shape[...], dates: basicDates, times: basicTimes, fractions: "HHmmss")
    }

    private static func pattern(
        _ shape: ArraySlice<UInt8>, dates: [Form], times: [Form], fractions: String
    ) -> String? {
        for date in dates where shape.starts(with: date.shape) {
            let rest = shape.dropFirst(date.shape.count)
            guard let separator = rest.first else { return date.pattern }
            guard date.hasTime, [UInt8(ascii: "T"), UInt8(ascii: " ")].contains(separator) else { continue }
            guard let time = timePattern(rest.dropFirst(), times: times, fractions: fractions) else { continue }
            return date.pattern + (separator == UInt8(ascii: "T") ? "T" : " ") + time
        }
        return nil
    }

    private static func timePattern(_ shape: ArraySlice<UInt8>, times: [Form], fractions: String) -> String? {
        guard let time = times.first(where: { shape.starts(with: $0.shape) }) else { return nil }
        var rest = shape.dropFirst(time.shape.count)
        var pattern = time.pattern
        if pattern == fractions, let mark = rest.first, [UInt8(ascii: "."), UInt8(ascii: ",")].contains(mark) {
            let digits = rest.dropFirst().prefix(while: \.isDigit)
            guard !digits.isEmpty else { return nil }
            pattern += (mark == UInt8(ascii: ".") ? "." : ",") + "SSSS"
            rest = rest[digits.endIndex...]
        }
        if rest.isEmpty { return pattern }
        if rest.drop(while: \.isSpace).elementsEqual("Z".utf8) { return pattern + "Z" }
        let offsets = ["+00", "+0000", "+00:00", "-00", "-0000", "-00:00"]
        return offsets.contains { rest.elementsEqual($0.utf8) } ? pattern + "Z" : nil
    }

    private static let extendedDates = [
        Form("+000000-00-00", "YYYYYY-MM-DD"), Form("-000000-00-00", "YYYYYY-MM-DD"), Form("0000-00-00", "YYYY-MM-DD"),
        Form("0000-W00-0", "GGGG-[W]WW-E"), Form("0000-W00", "GGGG-[W]WW", hasTime: false),
        Form("0000-000", "YYYY-DDD"), Form("0000-00", "YYYY-MM", hasTime: false),
    ]
    private static let extendedTimes = [Form("00:00:00", "HH:mm:ss"), Form("00:00", "HH:mm"), Form("00", "HH")]
    private static let basicDates = [
        Form("+0000000000", "YYYYYYMMDD"), Form("-0000000000", "YYYYYYMMDD"), Form("00000000", "YYYYMMDD"),
        Form("0000W000", "GGGG[W]WWE"), Form("0000W00", "GGGG[W]WW", hasTime: false), Form("0000000", "YYYYDDD"),
        Form("000000", "YYYYMM", hasTime: false), Form("0000", "YYYY", hasTime: false),
    ]
    private static let basicTimes = [Form("000000", "HHmmss"), Form("0000", "HHmm"), Form("00", "HH")]
}

extension UInt8 {
    /// Whether it is a digit of ASCII.
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// Whether it is white space of ASCII.
    var isSpace: Bool { self == UInt8(ascii: " ") || 9...13 ~= self }
}
