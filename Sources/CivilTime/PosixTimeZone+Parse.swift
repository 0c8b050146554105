extension PosixTimeZone {
    /// Reads the whole text, or nil when it is not a rule.
    init?(_ text: [UInt8]) {
        var scanner = PosixScanner(text: text)
        guard let zone = scanner.zone() else { return nil }
        self = zone
    }
}

private struct PosixScanner {
    let text: [UInt8]
    private var position = 0

    init(text: [UInt8]) { self.text = text }

    mutating func zone() -> PosixTimeZone? {
        guard let name = name(), let offset = time(hours: 24) else { return nil }
        let standard = TimeZoneRules.LocalTimeType(
            offsetSeconds: -offset, isDaylightSaving: false, abbreviation: name)
        if position == text.count { return PosixTimeZone(standard: standard, summer: nil) }
        guard let summer = summer(after: standard), position == text.count else { return nil }
        return PosixTimeZone(standard: standard, summer: summer)
    }

    private mutating func summer(after standard: TimeZoneRules.LocalTimeType) -> PosixTimeZone.Summer? {
        guard let name = name() else { return nil }
        var offset = standard.offsetSeconds + 3600
        if peek != UInt8(ascii: ",") {
            guard let written = time(hours: 24) else { return nil }
            offset = -written
        }
        guard accept(","), let start = moment(), accept(","), let end = moment() else { return nil }
        let type = TimeZoneRules.LocalTimeType(offsetSeconds: offset, isDaylightSaving: true, abbreviation: name)
        return PosixTimeZone.Summer(type: type, start: start, end: end)
    }

    private mutating func name() -> String? {
        let isQuoted = accept("<")
        let start = position
        while let byte = peek, isNameByte(byte, isQuoted: isQuoted) { position += 1 }
        let name = text[start..<position]
        guard name.count >= 3, !isQuoted || accept(">") else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    private func isNameByte(_ byte: UInt8, isQuoted: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
        default: false
        }
    }

    /// `[±]hh[:mm[:ss]]` in seconds.
    private mutating func time(hours limit: Int) -> Int? {
        let isNegative = accept("-")
        if !isNegative { _ = accept("+") }
        guard var seconds = number(upTo: limit).map({ $0 * 3600 }) else { return nil }
        for unit in [60, 1] where accept(":") {
            guard let value = number(upTo: 59) else { return nil }
            seconds += value * unit
        }
        return isNegative ? -seconds : seconds
    }

    private mutating func moment() -> PosixTimeZone.Moment? {
        guard let day = day() else { return nil }
        guard accept("/") else { return PosixTimeZone.Moment(day: day, seconds: 7200) }
        return time(hours: 167).map { PosixTimeZone.Moment(day: day, seconds: $0) }
    }

    private mutating func day() -> PosixTimeZone.Moment.Day? {
        if accept("J") { return number(upTo: 365).flatMap { $0 > 0 ? .julian($0) : nil } }
        guard accept("M") else { return number(upTo: 365).map { .ordinal($0) } }
        guard let month = number(upTo: 12), month > 0, accept("."), let week = number(upTo: 5), week > 0, accept("."),
            let weekday = number(upTo: 6)
        else { return nil }
        return .weekday(month: month, week: week, weekday: weekday)
    }

    private mutating func number(upTo limit: Int) -> Int? {
        let start = position
        var value = 0
        while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte, value <= limit {
            value = value * 10 + Int(byte &- UInt8(ascii: "0"))
            position += 1
        }
        return position > start && value <= limit ? value : nil
    }

    private var peek: UInt8? { position < text.count ? text[position] : nil }

    private mutating func accept(_ letter: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: letter) else { return false }
        position += 1
        return true
    }
}
