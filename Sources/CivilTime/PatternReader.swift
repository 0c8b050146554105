/// Splits a pattern into tokens and literals, as moment's regular expression does.
struct PatternReader {
    private(set) var pieces: [DatePattern.Piece] = []
    private let locale: LocaleTable
    /// Literal text not yet among the pieces.
    private var literal: [UInt8] = []

    init(locale: LocaleTable) { self.locale = locale }

    /// Splits the whole pattern.
    mutating func read(_ pattern: [UInt8]) {
        read(pattern, expansions: 2)
        endLiteral()
    }

    /// Reads a pattern; `L` tokens are replaced as long as there are expansions left.
    private mutating func read(_ pattern: [UInt8], expansions: Int) {
        var position = 0
        while position < pattern.count {
            if let end = literalEnd(pattern, from: position) {
                literal.append(contentsOf: pattern[position + 1..<end - 1])
                position = end
            } else if pattern[position] == UInt8(ascii: "\\") {
                let length = name(in: pattern, at: position + 1)?.length ?? 0
                literal.append(contentsOf: pattern[position + 1..<position + 1 + length])
                position += 1 + length
            } else {
                position += readToken(pattern, at: position, expansions: expansions)
            }
        }
    }

    /// Reads one token, or one byte that is none; returns its length.
    private mutating func readToken(_ pattern: [UInt8], at position: Int, expansions: Int) -> Int {
        guard let (length, name) = name(in: pattern, at: position) else {
            literal.append(pattern[position])
            return 1
        }
        switch name {
        case .token(let token):
            endLiteral()
            pieces.append(.token(token))
        case .long(let name):
            if expansions > 0, let expansion = locale.expansion(of: name) {
                read(Array(expansion.utf8), expansions: expansions - 1)
            } else {
                literal.append(contentsOf: pattern[position..<position + length])
            }
        }
        return length
    }

    /// The end of text in brackets: the last closing bracket before the next opening one.
    private func literalEnd(_ pattern: [UInt8], from start: Int) -> Int? {
        guard pattern[start] == UInt8(ascii: "[") else { return nil }
        let rest = pattern[(start + 1)...].prefix { $0 != UInt8(ascii: "[") }
        return rest.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
    }

    private enum Name {
        case token(DatePattern.Token)
        case long(LocaleTable.LongName)
    }

    /// The names of at most four letters, each packed into one integer with its length.
    private static let names: [UInt64: Name] = {
        let tokens = DatePattern.Token.allCases.map { (packed(Array($0.rawValue.utf8)[...]), Name.token($0)) }
        let longNames = LocaleTable.LongName.allCases.map { (packed(Array($0.rawValue.utf8)[...]), Name.long($0)) }
        return Dictionary(uniqueKeysWithValues: tokens + longNames)
    }()

    private static func packed(_ name: ArraySlice<UInt8>) -> UInt64 {
        name.reduce(UInt64(name.count)) { $0 &<< 8 | UInt64($1) }
    }

    /// The longest name there, or nil.
    private func name(in pattern: [UInt8], at position: Int) -> (length: Int, name: Name)? {
        for length in stride(from: min(4, pattern.count - position), to: 0, by: -1) {
            let name = Self.names[Self.packed(pattern[position..<position + length])]
            if let name { return (length, name) }
        }
        return nil
    }

    private mutating func endLiteral() {
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        literal = []
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
