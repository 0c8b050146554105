/// A cursor over a text in which tokens look for the next place that suits them, as moment's expressions do.
struct TextScanner {
    /// Digits that were found, with the sign before them.
    struct Digits {
        let isNegative: Bool
        let text: [UInt8]

        /// The number; enormous ones stop at 10¹⁷.
        var value: Int { Self.value(of: text[...]) * (isNegative ? -1 : 1) }

        static func value(of digits: ArraySlice<UInt8>) -> Int {
            digits.reduce(0) { min($0 * 10 + Int($1) - 48, 100_000_000_000_000_000) }
        }
    }

    private let text: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    /// Moves past the next occurrence of a literal; returns whether there is one.
    @discardableResult
    mutating func skip(past literal: [UInt8]) -> Bool {
        let wanted = Array(String(decoding: literal, as: UTF8.self).unicodeScalars)
        guard let start = (position..<text.count).first(where: { starts(with: wanted, at: $0) }) else { return false }
        position = start + wanted.count
        return true
    }

    /// The next run of so many digits; with one of the endings after them if one is there.
    mutating func digits(_ width: ClosedRange<Int>, isSigned: Bool, endings: [String] = []) -> Digits? {
        var start = position
        while start < text.count {
            let run = digitRun(at: start, atMost: width.upperBound)
            if run >= width.lowerBound {
                let sign = isSigned && start > position ? text[start - 1] : " "
                position = start + run
                skip(anyOf: endings)
                return Digits(isNegative: sign == "-", text: text[start..<start + run].map { UInt8($0.value) })
            }
            start += max(run, 1)
        }
        return nil
    }

    /// The next number with a sign before it if there is one, and with up to three digits after a point if asked for.
    mutating func decimal(hasFraction: Bool) -> Double? {
        guard let whole = digits(1...Int.max, isSigned: true) else { return nil }
        var literal = (whole.isNegative ? "-" : "") + String(decoding: whole.text, as: UTF8.self)
        if hasFraction, position < text.count, text[position] == "." {
            let run = digitRun(at: position + 1, atMost: 3)
            if run > 0 {
                literal += "." + String(String.UnicodeScalarView(text[position + 1..<position + 1 + run]))
                position += 1 + run
            }
        }
        return Double(literal)
    }

    /// The next `Z`, `±HH`, `±HHMM` or `±HH:MM` in minutes.
    mutating func offsetMinutes() -> Int? {
        for start in position..<text.count {
            if text[start] == "Z" || text[start] == "z" {
                position = start + 1
                return 0
            }
            guard text[start] == "+" || text[start] == "-", digitRun(at: start + 1, atMost: 2) == 2 else { continue }
            let hours = number(at: start + 1)
            position = start + 3
            let minutes = position < text.count && text[position] == ":" ? position + 1 : position
            let hasMinutes = digitRun(at: minutes, atMost: 2) == 2
            if hasMinutes { position = minutes + 2 }
            let total = hours * 60 + (hasMinutes ? number(at: minutes) : 0)
            return text[start] == "-" ? -total : total
        }
        return nil
    }

    /// The next word for a part of the day.
    mutating func dayHalf(_ locale: LocaleTable) -> LocaleTable.DayHalf? {
        guard !locale.readsLatinMeridiems else { return latinDayHalf() }
        let words = locale.meridiems.map { Array($0.upper.unicodeScalars) }
        for start in position..<text.count {
            guard let index = words.firstIndex(where: { starts(with: $0, at: start) }) else { continue }
            position = start + words[index].count
            return locale.meridiems[index].half
        }
        return nil
    }

    /// The next `a` or `p`, with dots and an `m` after it.
    private mutating func latinDayHalf() -> LocaleTable.DayHalf? {
        let found = text[position...].firstIndex { ["a", "A", "p", "P"].contains($0) }
        guard let found else { return nil }
        position = found + 1
        for letters in [["."], ["m", "M"], ["."]] as [[Unicode.Scalar]] {
            if position < text.count, letters.contains(text[position]) { position += 1 }
        }
        return text[found] == "a" || text[found] == "A" ? .morning : .afternoon
    }

    /// What a name that was looked for turned out to be.
    enum Name {
        /// The place of a name in its list.
        case known(Int)
        /// A word that is no name.
        case unknown
    }

    /// The next name of lists that have the same things in the same order; nil when nothing looks like one.
    mutating func name(_ lists: [[String]], _ reading: LocaleTable.NameReading) -> Name? {
        switch reading {
        case .nextWord: return nextWord().map { word in Self.name(lists, beginning: word) }
        case .longestHere:
            let names = lists.flatMap { $0.enumerated() }.sorted { $0.element.utf8.count > $1.element.utf8.count }
            return name(names.map { ($0.offset, $0.element) }, within: position...position, isDotOptional: false)
        case .longFirstHere:
            return name(lists.flatMap(Self.numbered), within: position...position, isDotOptional: true)
        case .shortFirstAnywhere:
            return name(lists.reversed().flatMap(Self.numbered), within: position...text.count, isDotOptional: true)
        }
    }

    private static func numbered(_ names: [String]) -> [(Int, String)] {
        names.enumerated().map { ($0.offset, $0.element) }
    }

    private mutating func name(
        _ names: [(index: Int, name: String)], within starts: ClosedRange<Int>, isDotOptional: Bool
    ) -> Name? {
        let letters = names.map { name in
            name.name.unicodeScalars.filter { !isDotOptional || $0 != "." }.map(\.folded)
        }
        for start in starts {
            guard let found = letters.firstIndex(where: { self.starts(withFolded: $0, at: start) }) else { continue }
            position = start + letters[found].count
            if isDotOptional, names[found].name.hasSuffix("."), position < text.count, text[position] == "." {
                position += 1
            }
            return .known(names[found].index)
        }
        return nil
    }

    /// The first thing one of whose names the word begins with.
    private static func name(_ lists: [[String]], beginning word: [Unicode.Scalar]) -> Name {
        let word = word.map(\.folded)
        let count = lists.map(\.count).min() ?? 0
        let index = (0..<count).first { index in
            lists.contains { list in word.starts(with: list[index].unicodeScalars.lazy.map(\.folded)) }
        }
        return index.map(Name.known) ?? .unknown
    }

    /// The next letters, with digits before them; at most 256 of both kinds.
    private mutating func nextWord() -> [Unicode.Scalar]? {
        var digits = position
        while digits < text.count {
            let start = digits + digitRun(at: digits, atMost: .max)
            let end = text[start...].prefix(256).firstIndex { !$0.isWordLetter } ?? min(start + 256, text.count)
            if end > start {
                position = end
                return Array(text[max(digits, start - 256)..<end])
            }
            digits = start + 1
        }
        return nil
    }

    private mutating func skip(anyOf endings: [String]) {
        guard let ending = endings.first(where: { starts(with: Array($0.unicodeScalars), at: position) }) else {
            return
        }
        position += ending.unicodeScalars.count
    }

    private func starts(with wanted: [Unicode.Scalar], at start: Int) -> Bool {
        start <= text.count && text[start...].starts(with: wanted)
    }

    private func starts(withFolded wanted: [Unicode.Scalar], at start: Int) -> Bool {
        start <= text.count && text[start...].lazy.map(\.folded).starts(with: wanted)
    }

    private func digitRun(at start: Int, atMost limit: Int) -> Int {
        guard start < text.count else { return 0 }
        return text[start...].prefix(limit).prefix { "0"..."9" ~= $0 }.count
    }

    private func number(at start: Int) -> Int {
        Digits.value(of: text[start..<start + 2].map { UInt8(truncatingIfNeeded: $0.value) }[...])
    }
}

extension Unicode.Scalar {
    /// The capital letter, where it is one character as well and not ASCII for another that is not (ECMAScript's rule
    /// for expressions that ignore case).
    fileprivate var folded: Unicode.Scalar {
        if isASCII { return "a"..."z" ~= self ? Unicode.Scalar(UInt8(value) & 0xDF) : self }
        let capitals = properties.uppercaseMapping.unicodeScalars
        guard let capital = capitals.first, capitals.count == 1, !capital.isASCII else { return self }
        return capital
    }

    /// Whether moment takes it as a letter of a word.
    fileprivate var isWordLetter: Bool {
        switch self {
        case "'", "a"..."z", "A"..."Z", "\u{A0}"..."\u{5FF}", "\u{700}"..."\u{D7FF}", "\u{F900}"..."\u{FDCF}",
            "\u{FDF0}"..."\u{FF07}", "\u{FF10}"..."\u{FFEF}":
            true
        default: false
        }
    }
}
