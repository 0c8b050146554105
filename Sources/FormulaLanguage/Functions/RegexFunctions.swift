import RegularExpressions

/// The family of regex functions. Patterns are RE2's: no look-around and no back-references.
enum RegexFunctions {
    static let all: [FormulaFunction] = [match, extract, replace]

    /// REGEX_MATCH(text, pattern) is 1 when the pattern matches anywhere in the text, else 0; a text that is no pattern
    /// makes an error.
    ///
    /// Example: REGEX_MATCH("Hello World", "W.rld") → 1
    /// Example: REGEX_MATCH("Hello World", "^World") → 0
    private static let match = FormulaFunction("REGEX_MATCH", 2...2, result: { _ in .boolean }) {
        evaluation, arguments throws(FormulaLimit) in
        let text = try evaluation.asText(arguments[0])
        guard let pattern = try evaluation.pattern(try evaluation.asText(arguments[1])) else { return .error }
        return .boolean(try evaluation.search(pattern, text.utf8.count) { pattern.matches(text.utf8Span.span) })
    }

    /// REGEX_EXTRACT(text, pattern) is the first match of the pattern in the text, or its first group when the pattern
    /// has groups; without a match it is an error.
    ///
    /// Example: REGEX_EXTRACT("Order 1234 of 2024", "[0-9]+") → "1234"
    /// Example: REGEX_EXTRACT("ann@example.com", "@(.*)") → "example.com"
    private static let extract = FormulaFunction("REGEX_EXTRACT", 2...2, result: TextFunctions.text) {
        evaluation, arguments throws(FormulaLimit) in
        let text = try evaluation.asText(arguments[0])
        guard let pattern = try evaluation.pattern(try evaluation.asText(arguments[1])) else { return .error }
        let match = try evaluation.search(pattern, text.utf8.count) {
            pattern.firstMatch(in: text.utf8Span.span, groups: 1)
        }
        guard let match, let last = match.last else { return .error }
        return last.map { .text(TextUnits(text).bytes($0.lowerBound, $0.upperBound)) } ?? .blank
    }

    /// REGEX_REPLACE(text, pattern, replacement) is the text with all matches of the pattern replaced; `$1` in the
    /// replacement stands for the first group, `$&` for the whole match, `$$` for a dollar.
    ///
    /// Example: REGEX_REPLACE("Hello World", "o", "0") → "Hell0 W0rld"
    /// Example: REGEX_REPLACE("2024-05-01", "(\\d+)-(\\d+)-(\\d+)", "$3.$2.$1") → "01.05.2024"
    private static let replace = FormulaFunction("REGEX_REPLACE", 3...3, result: TextFunctions.text) {
        evaluation, arguments throws(FormulaLimit) in
        let text = try evaluation.asText(arguments[0])
        guard let pattern = try evaluation.pattern(try evaluation.asText(arguments[1])) else { return .error }
        let template = MatchTemplate(try evaluation.asText(arguments[2]), groupCount: pattern.groupCount)
        return .text(try evaluation.replacing(pattern, in: text, by: template))
    }
}

extension Evaluation {
    fileprivate mutating func replacing(
        _ pattern: RegularExpression, in text: String, by template: MatchTemplate
    ) throws(FormulaLimit) -> String {
        let units = TextUnits(text)
        let groups = template.highestGroup
        let length = text.utf8.count
        var result = ""
        var (copied, start) = (0, 0)
        while start <= length {
            let match = try search(pattern, length &- start) {
                pattern.firstMatch(in: text.utf8Span.span, from: start, groups: groups)
            }
            guard let match, let whole = match[0] else { break }
            try append(units.bytes(copied, whole.lowerBound), to: &result)
            for piece in template.pieces {
                switch piece {
                case .text(let text): try append(text, to: &result)
                case .group(let group):
                    guard let place = match[group] else { continue }
                    try append(units.bytes(place.lowerBound, place.upperBound), to: &result)
                }
            }
            copied = whole.upperBound
            start = whole.isEmpty ? units.nextPlace(after: copied) : copied
        }
        try append(units.bytes(copied, length), to: &result)
        return result
    }

    private mutating func append(_ piece: String, to text: inout String) throws(FormulaLimit) {
        guard text.utf8.count &+ piece.utf8.count <= budget.longestText else { throw .size }
        try spend(piece.utf8.count >> 4)
        text += piece
    }
}
