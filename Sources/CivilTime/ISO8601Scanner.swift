/// A cursor over the text of one ISO 8601 date or time; each method moves only when it succeeds.
struct ISO8601Scanner {
    private var position = 0

    /// The whole text as a date with an optional time and an optional zone.
    static func parse(_ text: String) -> (local: CivilDateTime, offsetSeconds: Int?)? {
        var scanner = ISO8601Scanner()
        return scanner.dateTime(text.utf8Span.span)
    }

    private mutating func dateTime(_ text: Span<UInt8>) -> (local: CivilDateTime, offsetSeconds: Int?)? {
        guard let date = date(text) else { return nil }
        if position == text.count { return (CivilDateTime(startOf: date), nil) }
        guard accept(UInt8(ascii: "T"), text) || accept(UInt8(ascii: " "), text),
            let local = time(text, on: date)
        else { return nil }
        let offset = offset(text)
        return position == text.count ? (local, offset) : nil
    }

    private mutating func date(_ text: Span<UInt8>) -> CivilDate? {
        guard let year = digits(4, text), accept(UInt8(ascii: "-"), text),
            let month = digits(2, text), accept(UInt8(ascii: "-"), text),
            let day = digits(2, text)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    private mutating func time(_ text: Span<UInt8>, on date: CivilDate) -> CivilDateTime? {
        guard let hour = digits(2, text), accept(UInt8(ascii: ":"), text), let minute = digits(2, text) else {
            return nil
        }
        var (second, millisecond) = (0, 0)
        if accept(UInt8(ascii: ":"), text) {
            guard let scanned = digits(2, text) else { return nil }
            second = scanned
            if accept(UInt8(ascii: "."), text) {
                guard let scanned = fraction(text) else { return nil }
                millisecond = scanned
            }
        }
        if hour == 24, (minute, second, millisecond) == (0, 0, 0) {
            return CivilDateTime(startOf: CivilDate(daysSinceEpoch: date.daysSinceEpoch + 1))
        }
        return CivilDateTime(date: date, hour: hour, minute: minute, second: second, millisecond: millisecond)
    }

    /// One digit or more after the point, as milliseconds; finer digits are cut off.
    private mutating func fraction(_ text: Span<UInt8>) -> Int? {
        var (milliseconds, weight) = (0, 100)
        let start = position
        while position < text.count, let digit = digit(text[position]) {
            milliseconds += digit * weight
            weight /= 10
            position += 1
        }
        return position > start ? milliseconds : nil
    }

    /// `Z`, `±HH`, `±HHMM` or `±HH:MM`; nil and no movement when there is none.
    private mutating func offset(_ text: Span<UInt8>) -> Int? {
        if accept(UInt8(ascii: "Z"), text) { return 0 }
        let start = position
        let isNegative = accept(UInt8(ascii: "-"), text)
        guard isNegative || accept(UInt8(ascii: "+"), text), let hours = digits(2, text), hours < 24 else {
            position = start
            return nil
        }
        var minutes = 0
        if position < text.count {
            _ = accept(UInt8(ascii: ":"), text)
            guard let scanned = digits(2, text), scanned < 60 else {
                position = start
                return nil
            }
            minutes = scanned
        }
        return (hours * 60 + minutes) * (isNegative ? -60 : 60)
    }

    private mutating func digits(_ count: Int, _ text: Span<UInt8>) -> Int? {
        guard text.count - position >= count else { return nil }
        var value = 0
        for index in position..<position + count {
            guard let digit = digit(text[index]) else { return nil }
            value = value * 10 + digit
        }
        position += count
        return value
    }

    private mutating func accept(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        guard position < text.count, text[position] == byte else { return false }
        position += 1
        return true
    }

    private func digit(_ byte: UInt8) -> Int? {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? Int(byte &- UInt8(ascii: "0")) : nil
    }
}
