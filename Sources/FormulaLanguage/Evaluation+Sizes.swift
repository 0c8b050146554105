extension Evaluation {
    /// Asks for the room of a text before it is made, and pays for it.
    mutating func reserveText(_ bytes: Int) throws(FormulaLimit) {
        guard bytes <= budget.longestText else { throw .size }
        try spend(bytes >> 4)
    }

    /// Asks for the room of a list before it is made, and pays for it.
    mutating func reserveList(_ items: Int) throws(FormulaLimit) {
        guard items <= budget.longestList else { throw .size }
        try spend(items >> 6)
    }

    /// The texts one after the other with a separator between two, unless that is longer than a text may be.
    mutating func joined(_ texts: [String], separator: String = "") throws(FormulaLimit) -> String {
        var length = separator.utf8.count.multipliedReportingOverflow(by: max(0, texts.count &- 1)).partialValue
        guard texts.count <= 1 || separator.utf8.count <= budget.longestText else { throw .size }
        for text in texts {
            length &+= text.utf8.count
            guard length <= budget.longestText else { throw .size }
        }
        try reserveText(length)
        return texts.joined(separator: separator)
    }

    /// The arguments with the items of lists in place of the lists, paid for.
    mutating func flattened(_ values: [FormulaValue]) throws(FormulaLimit) -> [FormulaValue] {
        let flat = FormulaValue.flattened(values)
        try reserveList(flat.count)
        return flat
    }
}

extension FormulaValue {
    /// The number without its fraction, as positions and counts are taken; 0 for NaN, no further from 0 than 2^40.
    var asCount: Int {
        let number = asNumber
        if number.isNaN { return 0 }
        return Int(max(-0x1p40, min(0x1p40, number)))
    }

    /// Whether it is blank.
    var isBlank: Bool { if case .blank = self { true } else { false } }
}
