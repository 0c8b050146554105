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
        // Written over a form: a page has hundreds of times, and appending byte by byte costs ten times as much.
        let start = bytes.count
        bytes.append(contentsOf: Self.timeForm)
        let (minutes, milliseconds) = local.millisecondOfDay.quotientAndRemainder(dividingBy: 60_000)
        var output = bytes.mutableSpan
        output.setDigits(minutes / 60, at: start + 1)
        output.setDigits(minutes % 60, at: start + 4)
        output.setDigits(milliseconds / 1000, at: start + 7)
        output.setDigits(milliseconds / 10 % 100, at: start + 10)
        output[start + 12] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: milliseconds % 10)
    }

    private static let timeForm = Array("T00:00:00.000Z".utf8)

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
        var start = bytes.count
        if 0...9999 ~= year {
            bytes.append(contentsOf: Self.form)
        } else {
            bytes.append(UInt8(ascii: year < 0 ? "-" : "+"))
            bytes.appendDigits(abs(year), width: 6)
            start = bytes.count - 4
            bytes.append(contentsOf: Self.form.dropFirst(4))
        }
        var output = bytes.mutableSpan
        if 0...9999 ~= year {
            output.setDigits(year / 100, at: start)
            output.setDigits(year % 100, at: start + 2)
        }
        output.setDigits(month, at: start + 5)
        output.setDigits(day, at: start + 8)
    }

    private static let form = Array("0000-00-00".utf8)

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

extension MutableSpan<UInt8> {
    /// Puts the two digits of 0 to 99 at the place and the one after it.
    fileprivate mutating func setDigits(_ value: Int, at place: Int) {
        self[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10)
        self[place + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
    }
}
