import RowhouseModel

/// Reads a formula by the precedence of its operators and hands each part to the checker as soon as it is read.
///
/// Operators of one level become one part with many operands, so that a long chain is not deep; what is deep, brackets
/// and calls in one another, is limited.
struct FormulaParser {
    /// The greatest number of characters of a formula.
    static let longest = 100_000
    /// How many brackets and calls may stand in one another.
    static let deepest = 400

    private var lexer: FormulaLexer
    private var token = FormulaToken(kind: .end, range: 0..<0)
    private var depth = 0
    private(set) var checker: FormulaChecker

    init(_ text: String, _ scope: FormulaScope) {
        lexer = FormulaLexer(text)
        checker = FormulaChecker(scope)
    }

    /// The whole text as one part.
    mutating func formula() throws(FormulaFault) -> CheckedPart {
        guard lexer.bytes.count <= Self.longest || isWithinLimit else {
            throw .init("A formula has at most \(Self.longest) characters", at: 0)
        }
        try advance()
        if case .end = token.kind { throw .init("The formula is empty", at: token.range.lowerBound) }
        let part = try expression(above: 0)
        guard case .end = token.kind else { throw unexpected("an operator or the end of the formula") }
        return part
    }

    private var isWithinLimit: Bool {
        lexer.bytes.reduce(into: 0) { count, byte in count += byte & 0xC0 == 0x80 ? 0 : 1 } <= Self.longest
    }

    /// Operands and the operators between them that bind more closely than a level.
    private mutating func expression(above level: Int) throws(FormulaFault) -> CheckedPart {
        var left = try operand()
        var chain: [CheckedOperand] = []
        var chainLevel = 0
        while case .sign(let sign) = token.kind, sign.level > level {
            if sign.level != chainLevel, !chain.isEmpty {
                left = checker.chain(left, chain)
                chain = []
            }
            chainLevel = sign.level
            try advance()
            chain.append(CheckedOperand(sign: sign, part: try expression(above: sign.level)))
        }
        return chain.isEmpty ? left : checker.chain(left, chain)
    }

    /// Signs before a value, then the value.
    private mutating func operand() throws(FormulaFault) -> CheckedPart {
        var isSigned = false
        var isNegative = false
        while case .sign(let sign) = token.kind, sign == .subtract || sign == .add {
            isSigned = true
            if sign == .subtract { isNegative.toggle() }
            try advance()
        }
        let part = try value()
        return isSigned ? checker.signed(part, isNegative: isNegative) : part
    }

    private mutating func value() throws(FormulaFault) -> CheckedPart {
        let place = token.range.lowerBound
        switch token.kind {
        case .number(let number):
            try advance()
            return checker.number(number)
        case .text(let text):
            try advance()
            return CheckedPart(.constant(.text(text)), .text)
        case .reference(let name):
            let raw = String(decoding: lexer.bytes[token.range].dropFirst().dropLast(), as: UTF8.self)
            try advance()
            return try checker.reference(name, raw: raw, at: place)
        case .word(let name):
            try advance()
            guard case .open = token.kind else { return try checker.word(name, at: place) }
            return try call(name, at: place)
        case .open:
            return try brackets()
        default:
            throw unexpected("a value")
        }
    }

    private mutating func brackets() throws(FormulaFault) -> CheckedPart {
        try descend()
        try advance()
        let part = try expression(above: 0)
        try close("(")
        return part
    }

    private mutating func call(_ name: String, at place: Int) throws(FormulaFault) -> CheckedPart {
        let function = try checker.function(name, at: place)
        try descend()
        try advance()
        var arguments: [CheckedPart] = []
        if case .close = token.kind {
        } else {
            arguments.append(try expression(above: 0))
            while case .comma = token.kind {
                try advance()
                arguments.append(try expression(above: 0))
            }
        }
        try close("\(function.name)(")
        return try checker.call(function, arguments, at: place)
    }

    private mutating func descend() throws(FormulaFault) {
        depth += 1
        if depth > Self.deepest {
            throw .init("More than \(Self.deepest) brackets stand in one another", at: token.range.lowerBound)
        }
    }

    private mutating func close(_ opened: String) throws(FormulaFault) {
        guard case .close = token.kind else { throw unexpected("an operator or the ) that closes \(opened)") }
        depth -= 1
        try advance()
    }

    private mutating func advance() throws(FormulaFault) {
        token = try lexer.next()
    }

    private func unexpected(_ wanted: String) -> FormulaFault {
        if case .end = token.kind {
            return .init("The formula ends where \(wanted) must follow", at: token.range.lowerBound)
        }
        let found = String(decoding: lexer.bytes[token.range], as: UTF8.self).prefix(20)
        return .init("Here must stand \(wanted), not \(found)", at: token.range.lowerBound)
    }
}
