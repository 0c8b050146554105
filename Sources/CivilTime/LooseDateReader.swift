/// Reads the date forms of American English and of mails, word by word.
///
/// Numbers are year, month and day when the first cannot be a day, otherwise month and day (day and month around the
/// name of a month) and year; a year below 50 is one of this century, below 100 one of the last.
struct LooseDateReader {
    private let text: [UInt8]
    private var position = 0
    private var numbers: [Int] = []
    private var month: Int?
    private var weekday: Int?
    private var time: (hour: Int, minute: Int, second: Int, millisecond: Int)?
    private var isAfternoon: Bool?
    private var offsetMinutes: Int?

    /// The instant the text names; in UTC when it names no offset.
    static func instant(_ text: [UInt8]) -> Instant? {
        var reader = LooseDateReader(text: text)
        while reader.position < text.count {
            guard reader.readPart() else { return nil }
        }
        return reader.instant
    }

    private init(text: [UInt8]) { self.text = text }

    private var next: UInt8? { position < text.count ? text[position] : nil }

    /// Reads one part; returns false when it means nothing here.
    private mutating func readPart() -> Bool {
        guard let byte = next else { return false }
        if byte.isSpace || byte == UInt8(ascii: ",") {
            position += 1
            return true
        }
        if byte == UInt8(ascii: "(") { return skipComment() }
        if byte.isDigit { return readNumber() }
        if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { return readOffset() }
        return readWord()
    }

    private mutating func skipComment() -> Bool {
        guard let end = text[position...].firstIndex(of: UInt8(ascii: ")")) else { return false }
        position = end + 1
        return true
    }

    /// One to nine digits.
    private mutating func digits() -> (value: Int, count: Int)? {
        let run = text[position...].prefix(while: \.isDigit)
        guard 1...9 ~= run.count else { return nil }
        position = run.endIndex
        return (run.reduce(0) { $0 * 10 + Int($1) - 48 }, run.count)
    }

    /// A part of the date with the mark after it, or a time.
    private mutating func readNumber() -> Bool {
        guard let (value, _) = digits() else { return false }
        if accept(":") { return readTime(hour: value) }
        guard numbers.count < 3 else { return false }
        numbers.append(value)
        _ = accept("-") || accept("/") || accept(".")
        return true
    }

    private mutating func readTime(hour: Int) -> Bool {
        guard time == nil, let minute = digits()?.value else { return false }
        var (second, millisecond) = (0, 0)
        if accept(":") {
            guard let value = digits()?.value else { return false }
            second = value
            if accept(".") {
                let run = text[position...].prefix(while: \.isDigit)
                guard !run.isEmpty else { return false }
                position = run.endIndex
                millisecond = (run + [48, 48]).prefix(3).reduce(0) { $0 * 10 + Int($1) - 48 }
            }
        }
        time = (hour, minute, second, millisecond)
        return true
    }

    /// `+8`, `+08`, `+0800` or `+08:00` after a time or after a name such as `GMT`.
    private mutating func readOffset() -> Bool {
        guard time != nil else { return false }
        let isNegative = accept("-")
        guard isNegative || accept("+"), let (value, count) = digits() else { return false }
        var minutes = count > 2 ? value / 100 * 60 + value % 100 : value * 60
        if count <= 2, accept(":") {
            guard let value = digits()?.value else { return false }
            minutes += value
        }
        guard count <= 4, minutes < 1440 else { return false }
        offsetMinutes = isNegative ? -minutes : minutes
        return true
    }

    private mutating func readWord() -> Bool {
        let letters = text[position...].prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        guard !letters.isEmpty else { return false }
        position = letters.endIndex
        let word = String(decoding: letters.map { $0 | 0x20 }, as: UTF8.self)
        if word == "t" { return time == nil && numbers.count == 3 && next?.isDigit == true }
        if let minutes = Self.zones[word] {
            guard time != nil, offsetMinutes == nil else { return false }
            offsetMinutes = minutes
            return true
        }
        if word == "am" || word == "pm" {
            guard time != nil, isAfternoon == nil else { return false }
            isAfternoon = word == "pm"
            return true
        }
        return readName(word)
    }

    /// A month or a weekday, whole or from three letters on.
    private mutating func readName(_ word: String) -> Bool {
        guard word.utf8.count >= 3 else { return false }
        if let index = LocaleTable.english.weekdays.firstIndex(where: { $0.lowercased().hasPrefix(word) }) {
            guard weekday == nil else { return false }
            weekday = index
        } else if let index = LocaleTable.english.months.firstIndex(where: { $0.lowercased().hasPrefix(word) }) {
            guard month == nil else { return false }
            month = index + 1
        } else {
            return false
        }
        _ = accept("-") || accept("/") || accept(".")
        return true
    }

    private mutating func accept(_ letter: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: letter) else { return false }
        position += 1
        return true
    }

    private static let zones = [
        "z": 0, "ut": 0, "utc": 0, "gmt": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420,
        "mdt": -360, "pst": -480, "pdt": -420,
    ]

    private var instant: Instant? {
        guard let date, weekday ?? date.weekday == date.weekday, let milliseconds = millisecondsOfDay else {
            return nil
        }
        let local = CivilDateTime(startOf: date).localMilliseconds &+ Int64(milliseconds)
        return Instant(milliseconds: local &- Int64(offsetMinutes ?? 0) &* 60_000).ifWritable
    }

    private var date: CivilDate? {
        guard numbers.count == (month == nil ? 3 : 2) else { return nil }
        let startsWithYear = !(1...31 ~= numbers[0])
        let year = startsWithYear ? numbers[0] : numbers[numbers.count - 1]
        let rest = startsWithYear ? numbers.dropFirst() : numbers.dropLast()
        guard let day = rest.last else { return nil }
        return CivilDate(year: Self.fullYear(year), month: month ?? rest[rest.startIndex], day: day)
    }

    private static func fullYear(_ value: Int) -> Int { value < 50 ? value + 2000 : value < 100 ? value + 1900 : value }

    private var millisecondsOfDay: Int? {
        guard let time else { return 0 }
        var fields = DateFields()
        (fields.hour, fields.minute, fields.second, fields.millisecond) =
            (time.hour, time.minute, time.second, time.millisecond)
        if let isAfternoon {
            guard 1...12 ~= time.hour else { return nil }
            fields.dayHalf = isAfternoon ? .afternoon : .morning
        }
        return fields.millisecondsOfDay
    }
}
