extension Instant {
    /// Reads `YYYY-MM-DD`, or that with `T` or a space and `HH:mm[:ss[.fraction]]` and `Z`, `±HH`, `±HHMM` or `±HH:MM`.
    ///
    /// Text without an offset is read on the clock of the zone. `24:00` is the midnight that ends the day. Nil for
    /// impossible dates and times and for instants outside the years 0001 to 9999 in UTC.
    package init?(iso8601 text: String, in zone: TimeZoneRules = .utc) {
        guard let (local, offset) = ISO8601Scanner.parse(text) else { return nil }
        let instant =
            if let offset {
                Instant(milliseconds: local.localMilliseconds &- Int64(offset) &* 1000)
            } else {
                zone.instant(of: local)
            }
        guard Self.writable.contains(instant) else { return nil }
        self = instant
    }

    /// Appends the instant in UTC as `2024-05-01T10:00:00.000Z`.
    package func appendISO8601(to bytes: inout [UInt8]) {
        let local = CivilDateTime(self)
        local.date.appendISO8601(to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        bytes.appendDigits(local.hour, width: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDigits(local.minute, width: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDigits(local.second, width: 2)
        bytes.append(UInt8(ascii: "."))
        bytes.appendDigits(local.millisecond, width: 3)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// The instant in UTC as `2024-05-01T10:00:00.000Z`.
    package var iso8601: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        appendISO8601(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension CivilDate {
    /// Reads `YYYY-MM-DD`; of a whole date and time (as `Instant` reads it) the date is taken as it is written.
    package init?(iso8601 text: String) {
        guard let local = ISO8601Scanner.parse(text)?.local, local.date.year <= 9999 else { return nil }
        self = local.date
    }

    /// Appends the date as `2024-05-01`; years beyond 0 to 9999 as ECMAScript writes them, `+012024-05-01`.
    package func appendISO8601(to bytes: inout [UInt8]) {
        if 0...9999 ~= year {
            bytes.appendDigits(year, width: 4)
        } else {
            bytes.append(UInt8(ascii: year < 0 ? "-" : "+"))
            bytes.appendDigits(abs(year), width: 6)
        }
        bytes.append(UInt8(ascii: "-"))
        bytes.appendDigits(month, width: 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.appendDigits(day, width: 2)
    }

    /// The date as `2024-05-01`.
    package var iso8601: String {
        var bytes: [UInt8] = []
        appendISO8601(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends a number that is not negative with zeros in front up to the width.
    mutating func appendDigits(_ value: Int, width: Int) {
        if width > 1 || value > 9 { appendDigits(value / 10, width: width - 1) }
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value % 10))
    }
}
