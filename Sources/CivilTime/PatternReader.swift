/// Splits a pattern into tokens and literals, as moment's regular expressions do.
struct PatternReader {
    /// Tokens, and literals of one character or one pair of brackets each.
    private(set) var pieces: [DatePattern.Piece] = []
    private let pattern: [UInt8]
    private let purpose: Purpose

    /// What the pattern is for.
    enum Purpose {
        case writing, reading
    }

    /// Reads the whole pattern; what the locale has behind the `L` tokens stands in their place.
    init(_ pattern: String, locale: LocaleTable, for purpose: Purpose) {
        self.purpose = purpose
        self.pattern = Self.expanded(Array(pattern.utf8), locale: locale)
        var position = 0
        while position < self.pattern.count { position = readPiece(at: position) }
    }

    /// Reads one piece; returns where it ends.
    private mutating func readPiece(at position: Int) -> Int {
        if let end = Self.bracketsEnd(pattern, from: position) {
            append(purpose == .writing ? pattern[position + 1..<end - 1] : bracketed(pattern[position + 1..<end]))
            return end
        }
        if let (length, token) = Self.token(in: pattern, at: position) {
            pieces.append(.token(token))
            return position + length
        }
        let isEscape = pattern[position] == UInt8(ascii: "\\")
        guard isEscape else {
            let end = Self.characterEnd(pattern, from: position)
            append(pattern[position..<end])
            return end
        }
        let end = Self.escapedEnd(pattern, from: position + 1)
        append(pattern[position + 1..<end])
        return end
    }

    /// What text in brackets is when it is looked for: moment drops the first closing bracket and all backslashes.
    private func bracketed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = text.firstIndex(of: UInt8(ascii: "]")) ?? text.endIndex
        return (text[..<end] + text[end...].dropFirst()).filter { $0 != UInt8(ascii: "\\") }[...]
    }

    /// The dot of moment's expression takes no line end, so none is ever written; nor are backslashes.
    private mutating func append(_ literal: ArraySlice<UInt8>) {
        let isLineEnd = ["\n", "\r", "\u{2028}", "\u{2029}"].contains { literal.elementsEqual($0.utf8) }
        if !literal.isEmpty, !isLineEnd, !literal.elementsEqual("\\".utf8) { pieces.append(.literal(Array(literal))) }
    }

    /// The end of what a backslash before it makes literal: a token or a character.
    private static func escapedEnd(_ pattern: [UInt8], from start: Int) -> Int {
        if let (length, _) = token(in: pattern, at: start) { return start + length }
        return start < pattern.count ? characterEnd(pattern, from: start) : start
    }

    private static func characterEnd(_ pattern: [UInt8], from start: Int) -> Int {
        var end = start + 1
        while end < pattern.count, pattern[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    /// The end of text in brackets: after the last closing bracket before the next opening one.
    private static func bracketsEnd(_ pattern: [UInt8], from start: Int) -> Int? {
        guard pattern[start] == UInt8(ascii: "[") else { return nil }
        let rest = pattern[(start + 1)...].prefix { $0 != UInt8(ascii: "[") }
        return rest.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
    }

    /// The pattern with what stands behind the names `LT` to `llll`.
    private static func expanded(_ pattern: [UInt8], locale: LocaleTable) -> [UInt8] {
        guard pattern.contains(where: { $0 == UInt8(ascii: "L") || $0 == UInt8(ascii: "l") }) else { return pattern }
        var result: [UInt8] = []
        var position = 0
        while position < pattern.count {
            let end: Int
            if let brackets = bracketsEnd(pattern, from: position) {
                end = brackets
            } else if let (length, name) = longName(in: pattern, at: position) {
                position += length
                result.append(contentsOf: (locale.expansion(of: name) ?? name.rawValue).utf8)
                continue
            } else if pattern[position] == UInt8(ascii: "\\"), let (length, _) = longName(in: pattern, at: position + 1)
            {
                end = position + 1 + length
            } else {
                end = position + 1
            }
            result.append(contentsOf: pattern[position..<end])
            position = end
        }
        return result
    }

    private static let tokens = names(DatePattern.Token.allCases)
    private static let longNames = names(LocaleTable.LongName.allCases)

    private static func names<Name: RawRepresentable<String>>(_ all: [Name]) -> [UInt64: Name] {
        Dictionary(uniqueKeysWithValues: all.map { (packed(Array($0.rawValue.utf8)[...]), $0) })
    }

    /// Letters of six bits each below their number.
    private static func packed(_ letters: ArraySlice<UInt8>) -> UInt64 {
        letters.reduce(UInt64(letters.count)) { $0 &<< 6 | UInt64($1 & 0x3F) }
    }

    private static func token(in pattern: [UInt8], at position: Int) -> (length: Int, DatePattern.Token)? {
        longest(of: tokens, in: pattern, at: position)
    }

    private static func longName(in pattern: [UInt8], at position: Int) -> (length: Int, LocaleTable.LongName)? {
        longest(of: longNames, in: pattern, at: position)
    }

    /// The longest name there, or nil; none has more than nine letters.
    private static func longest<Name>(
        of names: [UInt64: Name], in pattern: [UInt8], at position: Int
    ) -> (length: Int, Name)? {
        let letters = pattern[position...].prefix(9).prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        var rest = letters
        while !rest.isEmpty {
            if let name = names[packed(rest)] { return (rest.count, name) }
            rest.removeLast()
        }
        return nil
    }
}

extension LocaleTable {
    /// The tokens that stand for patterns of the locale.
    enum LongName: String, CaseIterable {
        case time = "LT", timeWithSeconds = "LTS"
        case l1 = "L", l2 = "LL", l3 = "LLL", l4 = "LLLL"
        case short1 = "l", short2 = "ll", short3 = "lll", short4 = "llll"
    }

    /// The pattern the name stands for; nil when the table lacks it.
    func expansion(of name: LongName) -> String? {
        let index = name.rawValue.utf8.count - 1
        switch name {
        case .time: return longFormats.time
        case .timeWithSeconds: return longFormats.timeWithSeconds
        case .l1, .l2, .l3, .l4:
            return longFormats.dates.indices.contains(index) ? longFormats.dates[index] : nil
        case .short1, .short2, .short3, .short4:
            if longFormats.shortDates.indices.contains(index) { return longFormats.shortDates[index] }
            return longFormats.dates.indices.contains(index) ? Self.shortened(longFormats.dates[index]) : nil
        }
    }

    /// moment's rule for the small letters: each of `MMMM`, `MM`, `DD` and `dddd` loses a letter.
    private static func shortened(_ pattern: String) -> String {
        var result: [UInt8] = []
        var rest = Array(pattern.utf8)[...]
        while let letter = rest.first {
            let run = rest.prefix { $0 == letter }
            let isLong = ["MMMM", "MM", "DD", "dddd"].contains(String(decoding: run, as: UTF8.self))
            result.append(contentsOf: isLong ? run.dropFirst() : run)
            rest = rest[run.endIndex...]
        }
        return String(decoding: result, as: UTF8.self)
    }
}
