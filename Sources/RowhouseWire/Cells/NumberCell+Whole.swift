import RowhouseModel

extension NumberCell {
    /// Whether a text means just the number that `parse` finds in it: one number as people write it, and no more of a
    /// unit than the field has.
    ///
    /// `1,234.50`, `-5`, `(5)`, `1e3`; `$5` for numbers and for currencies in dollars, `50%` for percents. Not `1/2`,
    /// `x7`, `0x10`, `--5`; nor `007` and texts of more digits than a number holds, which come back as others.
    static func isWhole(_ text: String, for field: Field) -> Bool {
        var symbol: String?
        if case .currency(_, let own) = field.options { symbol = own }
        var scanner = NumberScanner(text, symbol: symbol)
        guard let number = scanner.number(), let value = parse(text) else { return false }
        switch scanner.unit {
        case nil: break
        case "%": if field.type != .percent { return false }
        case let unit?: if field.type != .number, unit != symbol { return false }
        }
        if number.hasExponent { return true }
        return trimmed(number.digits) == trimmed(shortestDigits(scanner.unit == "%" ? value * 100 : value).digits)
            || number.digits.count <= 15
    }

    /// Whether what a person sees of a number of this field is all of it.
    static func isShownWhole(_ value: Double, of field: Field) -> Bool {
        guard value.isFinite, abs(value) < 1e21 else { return true }
        let (digits, point, _) = shortestDigits(value)
        let decimals = trimmed(digits).isEmpty ? 0 : digits.count - digits.reversed().prefix { $0 == 0 }.count - point
        return switch field.options {
        case .currency(let precision, _): decimals <= precision
        case .number(let precision): decimals <= precision + (field.type == .percent ? 2 : 0)
        default: true
        }
    }

    /// Without zeros at both ends.
    private static func trimmed(_ digits: [Int]) -> [Int] {
        var digits = digits[...]
        while digits.first == 0 { digits.removeFirst() }
        while digits.last == 0 { digits.removeLast() }
        return Array(digits)
    }
}

/// Reads one number as people write it.
private struct NumberScanner {
    /// What stands before or behind it: a percent sign or a sign of a currency.
    private(set) var unit: String?
    private var rest: Substring.UnicodeScalarView
    private let symbol: String?

    /// - Parameter symbol: what stands for a currency beside the signs that Unicode knows.
    init(_ text: String, symbol: String?) {
        rest = text[...].unicodeScalars
        self.symbol = symbol.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The digits of the number; nil where the text is anything else.
    mutating func number() -> (digits: [Int], hasExponent: Bool)? {
        skipBlanks()
        let isInBrackets = accept("(")
        var isSigned = sign()
        guard takeCurrency() else { return nil }
        if !isSigned { isSigned = sign() }
        guard !(isInBrackets && isSigned), let digits = decimal() else { return nil }
        let hasExponent = accept("e") || accept("E")
        if hasExponent {
            _ = sign()
            guard !takeDigits().isEmpty else { return nil }
        }
        skipBlanks()
        if accept("%") || accept("％") {
            guard unit == nil else { return nil }
            unit = "%"
        }
        guard takeCurrency(), !isInBrackets || accept(")") else { return nil }
        skipBlanks()
        return rest.isEmpty ? (digits, hasExponent) : nil
    }

    private mutating func sign() -> Bool { accept("-") || accept("−") || accept("+") }

    /// Digits, perhaps in groups of three, and decimals; nil also for zeros before other digits.
    private mutating func decimal() -> [Int]? {
        var whole = takeDigits()
        if whole.count > 1, whole[0] == 0 { return nil }
        let isGrouped = rest.first == ","
        guard !isGrouped || (1...3).contains(whole.count) else { return nil }
        while accept(",") {
            let group = takeDigits()
            guard group.count == 3 else { return nil }
            whole += group
        }
        let fraction = accept(".") ? takeDigits() : []
        return whole.isEmpty && fraction.isEmpty ? nil : whole + fraction
    }

    private mutating func takeDigits() -> [Int] {
        var digits: [Int] = []
        while let scalar = rest.first, ("0"..."9").contains(scalar) {
            digits.append(Int(scalar.value) - 48)
            rest.removeFirst()
        }
        return digits
    }

    /// Takes the sign of a currency, where there is one; false for a second unit.
    private mutating func takeCurrency() -> Bool {
        skipBlanks()
        guard let scalar = rest.first else { return true }
        let found: String
        if let symbol, rest.starts(with: symbol.unicodeScalars) {
            found = symbol
        } else if scalar.properties.generalCategory == .currencySymbol {
            found = String(scalar)
        } else {
            return true
        }
        rest.removeFirst(found.unicodeScalars.count)
        guard unit == nil else { return false }
        unit = found
        skipBlanks()
        return true
    }

    private mutating func skipBlanks() {
        while let scalar = rest.first, scalar.properties.isWhitespace { rest.removeFirst() }
    }

    private mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }
}
