import RowhouseModel

/// How one value stands to another.
package enum FormulaOrdering: Sendable { case before, same, after }

extension FormulaValue {
    /// What `=` answers. A list is compared by what stands for it (see `scalar`); an error equals nothing.
    ///
    /// Blank equals blank, empty text, 0 and false, never a date. Texts are equal byte by byte. A text equals a number,
    /// an answer or a date when it is the text of it. NaN equals nothing.
    package func equals(_ other: FormulaValue) -> Bool {
        switch (self, other) {
        case (.array, _), (_, .array): scalar.equals(other.scalar)
        case (.error, _), (_, .error): false
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        case (.text(let text), .blank), (.blank, .text(let text)): text.isEmpty
        case (.text(let text), let value), (let value, .text(let text)): text.hasSameBytes(as: value.asText)
        case (.blank, .date), (.date, .blank): false
        case (.date(let left), .date(let right)): left.instant == right.instant
        default: asNumber == other.asNumber
        }
    }

    /// What `<`, `<=`, `>` and `>=` go by; nil where there is no order: NaN, errors, a text beside a number that is not
    /// written as one, a text beside a date that is not written as one.
    ///
    /// Texts go by `TextOrder`; blank beside a text is empty, beside all else 0.
    package func compare(_ other: FormulaValue) -> FormulaOrdering? {
        switch (self, other) {
        case (.array, _), (_, .array): return scalar.compare(other.scalar)
        case (.error, _), (_, .error): return nil
        case (.text(let left), .text(let right)): return Self.order(left, right)
        case (.text(let left), .blank): return Self.order(left, "")
        case (.blank, .text(let right)): return Self.order("", right)
        case (.date(let left), .text):
            guard let right = other.asDate else { return nil }
            return Self.order(left.instant, right.instant)
        case (.text, .date(let right)):
            guard let left = asDate else { return nil }
            return Self.order(left.instant, right.instant)
        case (.date(let left), .date(let right)): return Self.order(left.instant, right.instant)
        default:
            let (left, right) = (asNumber, other.asNumber)
            return left.isNaN || right.isNaN ? nil : Self.order(left, right)
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> FormulaOrdering {
        left < right ? .before : left == right ? .same : .after
    }

    private static func order(_ left: String, _ right: String) -> FormulaOrdering {
        if left.hasSameBytes(as: right) { return .same }
        let (leftKey, rightKey) = (TextOrder.key(of: left), TextOrder.key(of: right))
        if leftKey.lexicographicallyPrecedes(rightKey) { return .before }
        return leftKey == rightKey ? .same : .after
    }
}

extension String {
    /// Whether the UTF-8 of both is the same: `==` would hold two spellings of one letter equal.
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count, self == other else { return false }
        let (left, right) = (utf8Span.span, other.utf8Span.span)
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }
}
